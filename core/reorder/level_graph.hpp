// level_graph.hpp: an ordered graph by levels, whose neighbouring levels can be swapped in place.
//
// Each feature has its own unique table, nodes count their users, and what nothing uses is
// freed at once, so that the number of nodes is exact after every exchange. A node keeps its
// number when its level is exchanged: its users, which are above, are not touched.
#pragma once

#include "base/budget.hpp"
#include "circuit/circuit.hpp"
#include "reorder/partitions.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace reasons::reorder {

class LevelGraph {
public:
  /// Requires an ordered circuit.
  LevelGraph(const Circuit& circuit, Budget& budget);

  /// Tests at present.
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t width(FeatureId feature) const { return tables_[feature].count; }
  /// The features from top to bottom.
  [[nodiscard]] const std::vector<FeatureId>& order() const { return order_; }
  /// Edges looked at so far: a measure of time that is the same everywhere.
  [[nodiscard]] std::uint64_t work() const { return work_; }

  /// Exchanges a level with the one below it. Gives up, and changes nothing, where the graph
  /// would outgrow `most` tests on the way; then false.
  bool exchange(std::size_t level, std::size_t most);

  [[nodiscard]] Circuit circuit() const;

private:
  static constexpr std::uint32_t none = 0xFFFFFFFF;
  struct Node {
    FeatureId feature; ///< none of a leaf
    SplitId split;     ///< the label of a leaf
    std::uint32_t first = 0, users = 0;
    NodeId next = none; ///< in the same slot of the unique table
  };
  struct Table {
    std::vector<NodeId> slots = std::vector<NodeId>(16, none);
    std::size_t count = 0;
  };
  using Nodes = std::span<const NodeId>;

  [[nodiscard]] Nodes children(NodeId n) const {
    return {edges_.data() + nodes_[n].first, splits_.arms(nodes_[n].split)};
  }
  [[nodiscard]] NodeId& slot(Table& table, SplitId split, Nodes inputs);
  [[nodiscard]] NodeId decide(SplitId split, Nodes by_arm);
  [[nodiscard]] NodeId found_or_made(SplitId split, Nodes distinct);
  [[nodiscard]] NodeId fresh(const Node& node);
  void hold(NodeId n, SplitId split, Nodes inputs);
  void insert(NodeId n);
  void remove(NodeId n);
  void widen(Table& table);
  void let_go(NodeId n);

  [[nodiscard]] std::vector<NodeId> taken_above(FeatureId upper, FeatureId lower);
  [[nodiscard]] SplitId common_split(NodeId n, FeatureId lower);
  void regroup(NodeId n, FeatureId lower);
  void require_room();

  Budget& budget_;
  std::uint32_t labels_;
  std::vector<std::uint32_t> domains_;
  Partitions splits_;
  std::vector<Node> nodes_;
  std::vector<NodeId> edges_;
  std::vector<Table> tables_; ///< by feature
  std::vector<FeatureId> order_;
  NodeId root_ = none;
  std::size_t size_ = 0;
  std::uint64_t work_ = 0;
  std::vector<NodeId> free_nodes_, dying_, distinct_, by_arm_, above_, below_;
  std::vector<std::vector<std::uint32_t>> free_rows_; ///< of edges, by their length
  std::vector<Arm> joined_;
};

} // namespace reasons::reorder
