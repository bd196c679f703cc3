// state_search.hpp: top-down construction of the ordered circuit of a tree ensemble.
//
// A state is what is left of every tree and the sums so far. It becomes a leaf as soon as bounds
// make its label certain; otherwise its first feature is decided. Equal states meet, and states
// of the same residuals whose sums are equivalent (interval_cache.hpp). What the bounds cannot
// tell at the end, because the library's own rounding matters, is settled by the library's
// arithmetic; whatever stands above such a leaf depends on the very values that were added and
// is met again only where all of them are the same.
//
// The search can be stopped and taken up again, so that orders can be raced.
#pragma once

#include "circuit/builder.hpp"
#include "forest/compile/interval_cache.hpp"
#include "forest/compile/residuals.hpp"

#include <optional>
#include <span>
#include <vector>

namespace reasons::forest {

struct StateSearchOptions {
  /// Whether what is uncertain is settled; trials only look at sizes and take the likely label.
  bool settles = true;
};

class StateSearch {
public:
  /// Trees that are not among `trees` count as `instead`, a lead for each pair of labels.
  StateSearch(const Ensemble& ensemble, std::vector<FeatureId> order,
              std::span<const std::uint32_t> trees, std::span<const Units> instead, Budget budget,
              StateSearchOptions options);

  /// Goes on until done or until the effort has reached a limit.
  void run(std::uint64_t effort);
  [[nodiscard]] bool is_done() const { return root_.has_value(); }
  [[nodiscard]] Circuit circuit() const { return builder_.build(*root_); }
  /// States that were met, residuals and nodes that were made; a node usually takes 8 states.
  [[nodiscard]] std::uint64_t effort() const {
    return states_ + residuals_.made() + 8ull * builder_.size();
  }
  /// What part of the instances was gone through, each run of a feature's cells counted alike.
  [[nodiscard]] double share() const;
  StateSearch(const StateSearch&) = delete;
  StateSearch& operator=(const StateSearch&) = delete;
  [[nodiscard]] std::uint64_t states() const { return states_; }
  [[nodiscard]] std::uint64_t settled() const { return settled_; }

private:
  /// A state that is being decided; its cells from firsts[i] on lead to nodes[i].
  struct Frame {
    std::uint32_t level = 0, tuple = 0;
    LabelId label = Ensemble::no_label; // certain, but guards are open
    bool settled = false;               // something below was settled
    std::vector<Residual> at;
    std::vector<Units> floor, slack;
    std::vector<std::uint32_t> firsts;
    std::vector<NodeId> nodes;
  };
  /// What a state turned out to be.
  struct Found {
    NodeId node = circuit::Builder::no_node;
    bool settled = false;
    std::vector<Units> slack;
  };

  [[nodiscard]] bool enter();
  [[nodiscard]] bool is_impossible(const Frame& state) const;
  [[nodiscard]] bool ends(Frame& state);
  [[nodiscard]] bool is_known(Frame& state);
  void settle(const Frame& state);
  void take_lead(const Frame& state);
  void open(Frame& frame);
  void step(const Frame& frame, Frame& child);
  void finish(Frame& frame);
  void absorb();
  void account();
  [[nodiscard]] LabelId certain(std::span<const Units> floor) const;
  [[nodiscard]] LabelId likely(std::span<const Units> floor) const;
  [[nodiscard]] std::size_t pair(LabelId a, LabelId b) const;

  const Ensemble& ensemble_;
  std::vector<FeatureId> order_;
  StateSearchOptions options_;
  std::size_t scored_; // how many of the roots are not guards
  LabelId labels_;
  std::size_t pairs_;
  circuit::Builder builder_;
  Residuals residuals_;
  TupleTable tuples_, settled_tuples_;
  std::vector<NodeId> settled_nodes_;
  IntervalCache reuse_;
  std::vector<Units> least_; // of each pair
  std::vector<Frame> frames_;
  std::size_t depth_ = 0; // frames in use; the one after them is the state being entered
  Found found_;
  std::vector<std::uint32_t> key_;
  std::vector<NodeId> child_of_;
  std::vector<Cell> cells_;
  std::vector<bool> starts_;
  std::optional<NodeId> root_;
  std::uint64_t states_ = 0, settled_ = 0;
};

} // namespace reasons::forest
