// validator.cpp: each invariant by itself, in the plainest way.
#include "circuit/validator.hpp"

#include "base/bit_set.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace reasons::circuit {
namespace {

using Found = std::optional<Violation>;

Found not_reduced(const Circuit& circuit, Budget& budget) {
  std::set<std::vector<std::uint32_t>> seen;
  for (NodeId n = 0; n < circuit.size(); ++n) {
    budget.tick();
    std::vector<std::uint32_t> node{circuit.arrays().heads[n]};
    const auto inputs = circuit.inputs(n);
    node.insert(node.end(), inputs.begin(), inputs.end());
    if (!seen.insert(node).second)
      return Violation{n, "equals an earlier node"};
    if (circuit.kind(n) == Kind::decision &&
        std::set<NodeId>(inputs.begin(), inputs.end()).size() != inputs.size())
      return Violation{n, "has two arms that agree"};
  }
  return std::nullopt;
}

Found unused(const Circuit& circuit) {
  std::vector<bool> used(circuit.size(), false);
  used[circuit.root()] = true;
  for (NodeId n = circuit.size(); n-- > 0;) {
    if (!used[n])
      return Violation{n, "is not used"};
    for (const NodeId input : circuit.inputs(n))
      used[input] = true;
  }
  return std::nullopt;
}

std::vector<BitSet> scopes(const Circuit& circuit, Budget& budget) {
  budget.require(0, std::uint64_t{circuit.size()} * (circuit.features() / 8 + 32));
  std::vector<BitSet> scope;
  scope.reserve(circuit.size());
  for (NodeId n = 0; n < circuit.size(); ++n) {
    budget.tick();
    scope.emplace_back(circuit.features());
    for (const NodeId input : circuit.inputs(n))
      scope[n].unite(scope[input]);
    if (circuit.kind(n) == Kind::decision)
      scope[n].set(circuit.tested(circuit.payload(n)));
  }
  return scope;
}

Found not_decomposable(const Circuit& circuit, const std::vector<BitSet>& scope) {
  std::vector<bool> over_impossible(circuit.size(), false);
  for (NodeId n = 0; n < circuit.size(); ++n) {
    const auto inputs = circuit.inputs(n);
    over_impossible[n] =
        (circuit.kind(n) == Kind::leaf && circuit.payload(n) == impossible_label) ||
        std::any_of(inputs.begin(), inputs.end(), [&](NodeId i) { return over_impossible[i]; });
    if (circuit.kind(n) != Kind::conjunction)
      continue;
    if (over_impossible[n])
      return Violation{n, "is a conjunction above an impossible leaf"};
    BitSet together(circuit.features());
    for (const NodeId input : inputs) {
      if (together.meets(scope[input]))
        return Violation{n, "is a conjunction whose inputs share a feature"};
      together.unite(scope[input]);
    }
  }
  return std::nullopt;
}

/// For each node, the features below it of which fewer values than all are left.
using Left = std::map<FeatureId, std::vector<bool>>;

std::string feature_text(FeatureId f) {
  return "feature number " + std::to_string(f);
}

Found wrong_arms(const Circuit& circuit, NodeId n, const Left& left) {
  const SplitId s = circuit.payload(n);
  const FeatureId f = circuit.tested(s);
  const auto known = left.find(f);
  for (Cell v = 0; v < circuit.domain(f); ++v) {
    const bool possible = known == left.end() || known->second[v];
    if (possible != (circuit.arm_of(s)[v] != no_arm))
      return Violation{n, "tests values of " + feature_text(f) +
                              " that are not the ones left on the way to it"};
  }
  return std::nullopt;
}

Left left_below(const Circuit& circuit, NodeId n, std::size_t arm, const Left& here) {
  Left next = here;
  if (circuit.kind(n) != Kind::decision)
    return next;
  const auto arm_of = circuit.arm_of(circuit.payload(n));
  std::vector<bool> values(arm_of.size());
  for (std::size_t v = 0; v < arm_of.size(); ++v)
    values[v] = arm_of[v] == arm;
  next[circuit.tested(circuit.payload(n))] = values;
  return next;
}

Found wrong_paths(const Circuit& circuit, const std::vector<BitSet>& scope, Budget& budget) {
  std::vector<std::optional<Left>> left(circuit.size());
  left[circuit.root()] = Left{};
  for (NodeId n = circuit.size(); n-- > 0;) {
    budget.tick();
    if (circuit.kind(n) == Kind::decision)
      if (auto wrong = wrong_arms(circuit, n, *left[n]))
        return wrong;
    const auto inputs = circuit.inputs(n);
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      Left next = left_below(circuit, n, k, *left[n]);
      std::erase_if(next, [&](const auto& entry) { return !scope[inputs[k]][entry.first]; });
      if (!left[inputs[k]])
        left[inputs[k]] = std::move(next);
      else if (*left[inputs[k]] != next)
        return Violation{inputs[k], "is reached with different values left"};
    }
    left[n].reset();
  }
  return std::nullopt;
}

} // namespace

std::optional<Violation> first_violation(const Circuit& circuit, Budget& budget) {
  budget.stage("checking the circuit");
  if (auto found = unused(circuit))
    return found;
  if (auto found = not_reduced(circuit, budget))
    return found;
  const auto scope = scopes(circuit, budget);
  if (auto found = not_decomposable(circuit, scope))
    return found;
  return wrong_paths(circuit, scope, budget);
}

} // namespace reasons::circuit
