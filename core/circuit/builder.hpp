// builder.hpp: hash-consing builder: the only way to make nodes (unique table, Bryant 1986).
//
// A unique table keeps the graph reduced as it grows: equal nodes are one node,
// a decision all of whose arms agree is its arm, arms that agree are one arm.
// What needs a view of whole paths (decomposability, values left on a path) is
// proved afterwards by validator.cpp, which shares nothing with this file.
#pragma once

#include "base/budget.hpp"
#include "circuit/circuit.hpp"

#include <span>
#include <vector>

namespace reasons::circuit {

class Builder {
public:
  Builder(std::vector<std::uint32_t> domains, std::uint32_t labels, Budget budget = {});

  [[nodiscard]] NodeId leaf(LabelId label);
  [[nodiscard]] NodeId impossible() { return intern(Kind::leaf, impossible_label, {}); }

  /// A test of one feature: `child_of[v]` is the node for value v, or `no_node`
  /// for a value that cannot reach it. Throws InputError if no value can.
  [[nodiscard]] NodeId decide(FeatureId feature, std::span<const NodeId> child_of);

  /// All inputs hold; nested conjunctions are flattened, constants are absorbed.
  [[nodiscard]] NodeId all_of(std::span<const NodeId> inputs);

  /// The circuit below `root`, without what it does not use. The builder lives on.
  [[nodiscard]] Circuit build(NodeId root) const;

  [[nodiscard]] NodeId size() const { return static_cast<NodeId>(heads_.size()); }
  [[nodiscard]] std::uint32_t domain(FeatureId feature) const;
  [[nodiscard]] Budget& budget() { return budget_; }

  [[nodiscard]] bool is_leaf(NodeId n, LabelId label) const;
  [[nodiscard]] bool is_decision(NodeId n) const;
  /// The feature that a decision tests, and the node it sends a value to.
  [[nodiscard]] FeatureId tested(NodeId n) const;
  [[nodiscard]] NodeId child(NodeId n, Cell value) const;

  static constexpr NodeId no_node = 0xFFFFFFFF;

private:
  [[nodiscard]] NodeId intern(Kind kind, std::uint32_t payload, std::span<const NodeId> inputs);
  [[nodiscard]] SplitId split(FeatureId feature, std::span<const Arm> arm_of, std::uint32_t arms);
  [[nodiscard]] std::span<const NodeId> inputs(NodeId n) const;
  void require_known(NodeId n) const;
  void grow_nodes();

  std::vector<std::uint32_t> domains_;
  std::uint32_t labels_;
  Budget budget_;
  std::vector<std::uint32_t> heads_, first_{0}, edges_;
  std::vector<std::uint32_t> split_of_, split_arms_, split_from_{0};
  std::vector<Arm> arm_of_;
  std::vector<std::uint32_t> node_table_, split_table_; // open addressing, ids + 1
  std::vector<NodeId> scratch_;                         // inputs of the node being made
  std::vector<Arm> scratch_arms_;
};

} // namespace reasons::circuit
