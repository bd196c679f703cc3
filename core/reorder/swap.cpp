// swap.cpp: the swap of two neighbouring levels.
//
// Only nodes of the upper level with a child on the lower one change. Such a node becomes a
// test of the lower feature, by the coarsest partition that its children there agree on, above
// tests of the upper one. No two nodes become equal by that and none becomes superfluous: each
// keeps its function, which depends on both features.
#include "reorder/level_graph.hpp"

#include <algorithm>
#include <utility>

namespace reasons::reorder {

bool LevelGraph::exchange(std::size_t level, std::size_t most) {
  const FeatureId upper = order_[level], lower = order_[level + 1];
  const std::vector<NodeId> changing = taken_above(upper, lower);
  std::size_t done = 0;
  while (done < changing.size() && size_ <= most) {
    regroup(changing[done], lower);
    insert(changing[done++]);
  }
  if (size_ <= most) {
    std::swap(order_[level], order_[level + 1]);
    return true;
  }
  for (std::size_t i = 0; i < changing.size(); ++i) {
    if (i < done) {
      remove(changing[i]);
      regroup(changing[i], upper);
    }
    insert(changing[i]);
  }
  return false;
}

/// The upper nodes with a child on the lower level, out of their unique table.
std::vector<NodeId> LevelGraph::taken_above(FeatureId upper, FeatureId lower) {
  std::vector<NodeId> taken;
  Table& table = tables_[upper];
  for (NodeId& head : table.slots)
    for (NodeId* link = &head; *link != none;) {
      const NodeId n = *link;
      const Nodes inputs = children(n);
      work_ += inputs.size();
      budget_.tick();
      if (std::ranges::none_of(inputs, [&](NodeId c) { return nodes_[c].feature == lower; })) {
        link = &nodes_[n].next;
        continue;
      }
      *link = nodes_[n].next;
      --table.count;
      taken.push_back(n);
    }
  return taken;
}

/// The coarsest partition of the lower feature that a node's children agree on.
SplitId LevelGraph::common_split(NodeId n, FeatureId lower) {
  SplitId common = none;
  for (const NodeId child : children(n))
    if (nodes_[child].feature == lower)
      common = common == none ? nodes_[child].split : splits_.meet(common, nodes_[child].split);
  return common;
}

/// Makes a node a test of the feature that its children test. It is in no unique table.
void LevelGraph::regroup(NodeId n, FeatureId lower) {
  const SplitId split = nodes_[n].split, common = common_split(n, lower);
  above_.assign(children(n).begin(), children(n).end());
  below_.clear();
  for (std::uint32_t arm = 0; arm < splits_.arms(common); ++arm) {
    const Cell value = splits_.firsts(common)[arm];
    by_arm_.clear();
    for (const NodeId child : above_) {
      const bool tests = nodes_[child].feature == lower;
      by_arm_.push_back(tests ? children(child)[splits_.arm_of(nodes_[child].split)[value]]
                              : child);
    }
    below_.push_back(decide(split, by_arm_));
  }
  free_rows_[above_.size()].push_back(nodes_[n].first);
  hold(n, common, below_);
  for (const NodeId child : above_)
    let_go(child);
}

} // namespace reasons::reorder
