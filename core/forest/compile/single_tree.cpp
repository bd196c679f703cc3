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
      left_.push_back({{0, domain}});
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
    CellRanges left; // values of its feature when it was entered
    int side = 0;
    NodeId made[2] = {circuit::Builder::no_node, circuit::Builder::no_node};
  };

  /// The values on one side of a node's test, of those that are left.
  [[nodiscard]] CellRanges side_of(std::uint32_t node, const CellRanges& left, bool side) const {
    CellRanges cells;
    append_common(left, ensemble_.left_cells(node), side, cells);
    return cells;
  }

  /// Passes tests that the values left answer alike. A leaf is made, a test waits as a frame.
  [[nodiscard]] NodeId enter(std::uint32_t node) {
    builder_.budget().tick();
    while (!ensemble_.is_leaf(node)) {
      const auto& left = left_[ensemble_.feature(node)];
      const bool goes_left = !side_of(node, left, true).empty();
      const bool goes_right = !side_of(node, left, false).empty();
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
    left_[feature] = side_of(node, frame.left, side);
    cells_[feature] = static_cast<Cell>(left_[feature][0].begin);
    return enter(side ? ensemble_.forest().node_left[node] : ensemble_.forest().node_right[node]);
  }

  [[nodiscard]] NodeId leave(Frame& frame) {
    const FeatureId feature = ensemble_.feature(frame.node);
    child_of_.assign(ensemble_.domain(feature), circuit::Builder::no_node);
    for (const bool side : {true, false})
      for (const CellRange& range : side_of(frame.node, frame.left, side))
        std::fill(child_of_.begin() + range.begin, child_of_.begin() + range.end,
                  frame.made[!side]);
    cells_[feature] = static_cast<Cell>(frame.left[0].begin);
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
  std::vector<CellRanges> left_;
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
