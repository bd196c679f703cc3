// reason_circuit.cpp: evaluation, substitution and negation of monotone circuits.
#include "reason/reason_circuit.hpp"

#include <algorithm>

namespace reasons::reason {

bool evaluate(const Reason& reason, std::span<const std::uint8_t> literal_values) {
  std::vector<std::uint8_t> value(reason.size());
  value[Reason::verum] = 1;
  std::copy(literal_values.begin(), literal_values.end(), value.begin() + 2);
  for (NodeId g = reason.first_gate(); g < reason.size(); ++g) {
    const auto inputs = reason.inputs(g);
    const auto truth = [&](NodeId input) { return value[input] != 0; };
    value[g] = reason.gates[g - reason.first_gate()] == Gate::conjunction
                   ? std::all_of(inputs.begin(), inputs.end(), truth)
                   : std::any_of(inputs.begin(), inputs.end(), truth);
  }
  return value[reason.root] != 0;
}

namespace {

/// The same function without the gates that its root does not use. An edge leads
/// to a smaller id, so one downward and one upward pass do.
Reason trimmed(const Reason& reason) {
  std::vector<NodeId> renamed(reason.size(), 0);
  renamed[reason.root] = 1;
  for (NodeId g = reason.size(); g-- > reason.first_gate();)
    if (renamed[g])
      for (const NodeId input : reason.inputs(g))
        renamed[input] = 1;
  Reason result;
  result.literals = reason.literals;
  for (NodeId n = 0; n < reason.first_gate(); ++n)
    renamed[n] = n;
  for (NodeId g = reason.first_gate(); g < reason.size(); ++g) {
    if (!renamed[g])
      continue;
    renamed[g] = result.size();
    result.gates.push_back(reason.gates[g - reason.first_gate()]);
    for (const NodeId input : reason.inputs(g))
      result.edges.push_back(renamed[input]);
    result.first.push_back(static_cast<std::uint32_t>(result.edges.size()));
  }
  result.root = renamed[reason.root];
  return result;
}

} // namespace

Reason substitute(const Reason& reason, std::span<const std::uint8_t> literal_values) {
  Reason result;
  result.literals = reason.literals;
  std::vector<NodeId> id(reason.size());
  id[Reason::verum] = Reason::verum;
  for (NodeId l = 0; l < reason.literals.size(); ++l)
    id[2 + l] = literal_values[l] == keep ? 2 + l : literal_values[l];
  std::vector<NodeId> inputs;
  for (NodeId g = reason.first_gate(); g < reason.size(); ++g) {
    const Gate kind = reason.gates[g - reason.first_gate()];
    const NodeId absorbing = kind == Gate::conjunction ? Reason::falsum : Reason::verum;
    inputs.clear();
    for (const NodeId input : reason.inputs(g))
      inputs.push_back(id[input]);
    std::sort(inputs.begin(), inputs.end());
    inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
    if (std::find(inputs.begin(), inputs.end(), absorbing) != inputs.end()) {
      id[g] = absorbing;
      continue;
    }
    std::erase(inputs, 1 - absorbing);
    if (inputs.size() < 2) {
      id[g] = inputs.empty() ? 1 - absorbing : inputs.front();
      continue;
    }
    id[g] = result.size();
    result.gates.push_back(kind);
    result.edges.insert(result.edges.end(), inputs.begin(), inputs.end());
    result.first.push_back(static_cast<std::uint32_t>(result.edges.size()));
  }
  result.root = id[reason.root];
  return trimmed(result);
}

Reason negate(const Reason& reason, std::span<const std::uint32_t> domains) {
  Reason result = reason;
  for (auto& literal : result.literals) {
    BitSet others(domains[literal.feature]);
    for (std::uint32_t v = 0; v < domains[literal.feature]; ++v)
      if (!literal.values[v])
        others.set(v);
    literal.values = others;
  }
  for (auto& gate : result.gates)
    gate = gate == Gate::conjunction ? Gate::disjunction : Gate::conjunction;
  for (auto& edge : result.edges)
    edge = edge < 2 ? 1 - edge : edge;
  result.root = result.root < 2 ? 1 - result.root : result.root;
  return result;
}

ReasonOfSets::ReasonOfSets(std::span<const Cell> instance, std::span<const std::uint32_t> domains) {
  for (FeatureId f = 0; f < domains.size(); ++f) {
    reason_.literals.push_back({f, BitSet(domains[f])});
    reason_.literals.back().values.set(instance[f]);
  }
}

NodeId ReasonOfSets::close(Gate kind) {
  reason_.gates.push_back(kind);
  reason_.first.push_back(static_cast<std::uint32_t>(reason_.edges.size()));
  return static_cast<NodeId>(reason_.size() - 1);
}

void ReasonOfSets::add(std::span<const FeatureId> set) {
  if (set.empty()) {
    parts_.push_back(Reason::falsum);
  } else if (set.size() == 1) {
    parts_.push_back(2 + set[0]);
  } else {
    for (const FeatureId f : set)
      reason_.edges.push_back(2 + f);
    parts_.push_back(close(Gate::disjunction));
  }
}

Reason ReasonOfSets::finish() && {
  if (std::find(parts_.begin(), parts_.end(), Reason::falsum) != parts_.end()) {
    parts_ = {Reason::falsum};
  } else if (parts_.size() > 1) {
    reason_.edges.insert(reason_.edges.end(), parts_.begin(), parts_.end());
    parts_ = {close(Gate::conjunction)};
  }
  reason_.root = parts_.empty() ? Reason::verum : parts_.front();
  return std::move(reason_);
}

} // namespace reasons::reason
