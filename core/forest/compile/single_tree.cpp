#include "forest/compile/single_tree.hpp"

#include "circuit/builder.hpp"

#include <algorithm>

namespace reasons::forest {
namespace {

/// A walk through the tree that knows which values are left of every feature.
class Walk {
public:
  Walk(const Ensemble& ensemble, Budget budget)
      : ensemble_(ensemble), builder_(ensemble.forest().domains, ensemble.labels(), budget),
        cells_(ensemble.features(), 0) {
    for (const std::uint32_t domain : ensemble.forest().domains)
      left_.emplace_back(domain, true);
  }

  Circuit circuit() {
    NodeId made = enter(ensemble_.forest().tree_first[0]);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      if (made != circuit::Builder::no_node)
        frame.made[frame.side++] = made;
      if (frame.side == 2) {
        made = leave(frame);
        frames_.pop_back();
      } else {
        made = descend(frame);
      }
    }
    return builder_.build(made);
  }

  std::uint64_t settled = 0;

private:
  struct Frame {
    std::uint32_t node;
    std::vector<bool> left; // values of its feature when it was entered
    int side = 0;
    NodeId made[2] = {circuit::Builder::no_node, circuit::Builder::no_node};
  };

  [[nodiscard]] bool some(std::uint32_t node, const std::vector<bool>& left, bool side) const {
    for (std::size_t cell = 0; cell < left.size(); ++cell)
      if (left[cell] && ensemble_.goes_left(node, static_cast<Cell>(cell)) == side)
        return true;
    return false;
  }

  /// Passes tests that the values left answer alike. A leaf is made, a test waits as a frame.
  [[nodiscard]] NodeId enter(std::uint32_t node) {
    builder_.budget().tick();
    while (!ensemble_.is_leaf(node)) {
      const auto& left = left_[ensemble_.feature(node)];
      const bool goes_left = some(node, left, true), goes_right = some(node, left, false);
      if (goes_left && goes_right) {
        frames_.push_back({node, left});
        return circuit::Builder::no_node;
      }
      node = goes_left ? ensemble_.forest().node_left[node] : ensemble_.forest().node_right[node];
    }
    return builder_.leaf(label_of(node));
  }

  [[nodiscard]] NodeId descend(Frame& frame) {
    const bool side = frame.side == 0;
    const std::uint32_t node = frame.node;
    const FeatureId feature = ensemble_.feature(node);
    auto& left = left_[feature];
    for (std::size_t cell = left.size(); cell-- > 0;) {
      left[cell] = frame.left[cell] && ensemble_.goes_left(node, static_cast<Cell>(cell)) == side;
      if (left[cell])
        cells_[feature] = static_cast<Cell>(cell);
    }
    return enter(side ? ensemble_.forest().node_left[node] : ensemble_.forest().node_right[node]);
  }

  [[nodiscard]] NodeId leave(Frame& frame) {
    const FeatureId feature = ensemble_.feature(frame.node);
    child_of_.assign(frame.left.size(), circuit::Builder::no_node);
    for (std::size_t cell = frame.left.size(); cell-- > 0;)
      if (frame.left[cell]) {
        child_of_[cell] = frame.made[!ensemble_.goes_left(frame.node, static_cast<Cell>(cell))];
        cells_[feature] = static_cast<Cell>(cell);
      }
    left_[feature] = std::move(frame.left);
    return builder_.decide(feature, child_of_);
  }

  [[nodiscard]] LabelId label_of(std::uint32_t leaf) {
    std::vector<Ensemble::Units> sums(ensemble_.scores());
    for (std::uint32_t score = 0; score < sums.size(); ++score)
      sums[score] = ensemble_.start(score) + ensemble_.units(0, leaf, score);
    const LabelId label = ensemble_.certain(sums);
    if (label != Ensemble::no_label)
      return label;
    ++settled;
    return ensemble_.decide(cells_);
  }

  const Ensemble& ensemble_;
  circuit::Builder builder_;
  std::vector<std::vector<bool>> left_;
  std::vector<Cell> cells_; // one that is left, of each feature
  std::vector<Frame> frames_;
  std::vector<NodeId> child_of_;
};

} // namespace

Circuit compile_tree(const Ensemble& ensemble, Budget budget, std::uint64_t& settled) {
  Walk walk(ensemble, std::move(budget));
  Circuit circuit = walk.circuit();
  settled += walk.settled;
  return circuit;
}

} // namespace reasons::forest
