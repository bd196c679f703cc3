// ite.cpp: if-then-else by a walk over three nodes at once, and what follows from it.
//
// One operation is enough: conjunction is choose(a, b, 0), negation choose(a, 0, 1), a rule
// before other rules choose(condition, label, others).
#include "circuit/ite.hpp"

#include "base/error.hpp"
#include "base/hashing.hpp"
#include "circuit/levels.hpp"

#include <algorithm>

namespace reasons::circuit {

Composer::Composer(std::vector<std::uint32_t> domains, std::uint32_t labels,
                   std::span<const FeatureId> order, Budget budget)
    : builder_(domains, labels, std::move(budget)), order_(order.begin(), order.end()),
      levels_(domains.size(), Levels::bottom) {
  for (std::size_t i = 0; i < order.size(); ++i)
    if (order[i] < levels_.size())
      levels_[order[i]] = static_cast<std::uint32_t>(i);
  if (order.size() != levels_.size() || std::ranges::count(levels_, Levels::bottom) > 0)
    throw InputError("the order does not list every feature once");
}

NodeId Composer::leaf(LabelId label) {
  return label == impossible_label ? builder_.impossible() : builder_.leaf(label);
}

NodeId Composer::test(FeatureId feature, std::span<const std::uint8_t> values) {
  const NodeId no = leaf(0), yes = leaf(1);
  children_.clear();
  for (const std::uint8_t value : values)
    children_.push_back(value != 0 ? yes : no);
  return builder_.decide(feature, children_);
}

NodeId Composer::choose(NodeId condition, NodeId yes, NodeId no) {
  for (const NodeId n : {condition, yes, no})
    require_known(n);
  made_ = {};
  open_.assign(1, {condition, yes, no});
  while (!open_.empty()) {
    const Triple triple = open_.back();
    if (known(triple) != Builder::no_node || enter(triple))
      open_.pop_back();
  }
  return known({condition, yes, no});
}

/// What is seen at once, or was worked out before.
NodeId Composer::known(const Triple& triple) const {
  const auto [condition, yes, no] = triple;
  if (yes == no || builder_.is_leaf(condition, 1))
    return yes;
  if (builder_.is_leaf(condition, 0))
    return no;
  const auto found = made_.find(triple);
  return found == made_.end() ? Builder::no_node : found->second;
}

/// Makes the node of a triple if those below are there, or puts them before it.
bool Composer::enter(const Triple& triple) {
  const auto [condition, yes, no] = triple;
  if (!builder_.is_decision(condition))
    throw PropertyError("a condition has other labels than 0 and 1");
  const FeatureId feature = order_[std::min({level(condition), level(yes), level(no)})];
  const std::size_t depth = open_.size();
  children_.clear();
  for (Cell v = 0; v < builder_.domain(feature); ++v) {
    const Triple next{below(condition, feature, v), below(yes, feature, v), below(no, feature, v)};
    children_.push_back(known(next));
    if (children_.back() == Builder::no_node)
      open_.push_back(next);
  }
  if (open_.size() != depth)
    return false;
  made_[triple] = builder_.decide(feature, children_);
  builder_.budget().require(made_.size(), 48 * made_.size());
  return true;
}

NodeId Composer::relabelled(NodeId root, std::span<const LabelId> label, LabelId impossible) {
  require_known(root);
  std::unordered_map<NodeId, NodeId> made;
  for (LabelId l = 0; l < label.size(); ++l)
    made[leaf(l)] = leaf(label[l]);
  made[leaf(impossible_label)] = leaf(impossible);
  std::vector<NodeId> open{root};
  while (!open.empty()) {
    const NodeId n = open.back();
    const std::size_t depth = open.size();
    if (!builder_.is_decision(n))
      made.try_emplace(n, n);
    if (!made.contains(n)) {
      const FeatureId feature = builder_.tested(n);
      children_.clear();
      for (Cell v = 0; v < builder_.domain(feature); ++v) {
        const NodeId child = builder_.child(n, v);
        const auto found = made.find(child);
        if (found == made.end())
          open.push_back(child);
        else
          children_.push_back(found->second);
      }
      if (open.size() != depth)
        continue;
      made[n] = builder_.decide(feature, children_);
    }
    open.pop_back();
  }
  return made.at(root);
}

NodeId Composer::copy(const Circuit& circuit) {
  if (!circuit.is_ordered())
    throw PropertyError("only ordered circuits are composed");
  std::vector<NodeId> made(circuit.size());
  for (NodeId n = 0; n < circuit.size(); ++n) {
    if (circuit.kind(n) == Kind::leaf) {
      made[n] = leaf(circuit.payload(n));
      continue;
    }
    const SplitId split = circuit.payload(n);
    children_.clear();
    for (const Arm arm : circuit.arm_of(split))
      children_.push_back(made[circuit.inputs(n)[arm]]);
    for (const NodeId child : children_)
      if (level(child) <= levels_[circuit.tested(split)])
        throw PropertyError("the circuit does not follow the order");
    made[n] = builder_.decide(circuit.tested(split), children_);
  }
  return made[circuit.root()];
}

std::uint32_t Composer::level(NodeId n) const {
  return builder_.is_decision(n) ? levels_[builder_.tested(n)] : Levels::bottom;
}

NodeId Composer::below(NodeId n, FeatureId feature, Cell value) const {
  const bool tests = builder_.is_decision(n) && builder_.tested(n) == feature;
  return tests ? builder_.child(n, value) : n;
}

void Composer::require_known(NodeId n) const {
  if (n >= size())
    throw InputError("there is no node number " + std::to_string(n));
}

std::size_t Composer::Hash::operator()(const Triple& triple) const {
  return hash_of(0, triple);
}

Circuit constrain(const Circuit& circuit, const Circuit& allowed, std::span<const FeatureId> order,
                  Budget budget) {
  const auto domains = circuit.arrays().domains;
  Composer composer({domains.begin(), domains.end()}, circuit.labels(), order, std::move(budget));
  const NodeId condition = composer.copy(allowed), function = composer.copy(circuit);
  return composer.build(composer.choose(condition, function, composer.leaf(impossible_label)));
}

} // namespace reasons::circuit
