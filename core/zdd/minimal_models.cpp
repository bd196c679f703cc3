// minimal_models.cpp: a monotone binary diagram of the circuit, then its minimal models.
//
// With f1 and f0 the function with and without a variable x, f0 implies f1, and so
//   P(f) = P(f0) + x (P(f1) minus P(f0)),   Q(f) = Q(f1) + x (Q(f0) minus Q(f1)):
// a prime of f1 that f0 already allows is a prime of f0, hence plain difference of
// families does, where general functions need a subsumption test. Multiplying
// families and removing what is subsumed at every gate lost by far.
#include "zdd/minimal_models.hpp"

#include "zdd/apply.hpp"

#include <algorithm>

namespace reasons::zdd {
namespace {

class ReasonBuilder {
public:
  ReasonBuilder(const reason::Reason& reason,
                const std::vector<std::vector<Variable>>& literal_variables, Budget& budget)
      : reason_(reason), literals_(literal_variables), budget_(budget), functions_(budget),
        families_(budget) {}

  Family run(std::uint32_t variables, Minimal which) {
    budget_.stage("the diagram of the reason");
    const std::uint32_t root = function();
    budget_.stage("the diagram of its minimal sets");
    return frozen(families_, minimal(root, which), variables);
  }

  /// The variables that occur in the reduced diagram of the function.
  std::vector<Variable> support(std::uint32_t variables) {
    const std::uint32_t root = function();
    const auto used = reachable(root);
    std::vector<bool> occurs(variables, false);
    for (std::uint32_t id = 2; id <= root; ++id)
      if (used[id])
        occurs[functions_[id].variable] = true;
    std::vector<Variable> found;
    for (Variable v = 0; v < variables; ++v)
      if (occurs[v])
        found.push_back(v);
    return found;
  }

private:
  [[nodiscard]] std::vector<bool> reachable(std::uint32_t root) const {
    std::vector<bool> used(std::max(root + 1, 2u), false);
    used[root] = true;
    for (std::uint32_t id = root + 1; id-- > 2;)
      if (used[id])
        used[functions_[id].low] = used[functions_[id].high] = true;
    return used;
  }

  /// A literal: all of its variables are true.
  std::uint32_t literal(std::vector<Variable> variables) {
    std::sort(variables.begin(), variables.end());
    std::uint32_t result = 1;
    for (std::size_t i = variables.size(); i-- > 0;)
      result = functions_.make(variables[i], 0, result);
    return result;
  }

  /// The root's function, gate by gate; of a gate's inputs the lowest variables first,
  /// which leaves the upper part of the diagram to be walked once.
  std::uint32_t function() {
    std::vector<std::uint32_t> made(reason_.size(), 0);
    std::vector<bool> used(reason_.size(), false);
    used[reason_.root] = true;
    for (NodeId g = reason_.size(); g-- > reason_.first_gate();)
      if (used[g])
        for (const NodeId input : reason_.inputs(g))
          used[input] = true;
    made[reason::Reason::verum] = 1;
    for (NodeId l = 0; l < literals_.size(); ++l)
      if (used[2 + l])
        made[2 + l] = literal(literals_[l]);
    const Conjunction all{functions_};
    const Disjunction any(functions_);
    std::vector<std::uint32_t> inputs;
    for (NodeId g = reason_.first_gate(); g < reason_.size(); ++g) {
      if (!used[g])
        continue;
      inputs.clear();
      for (const NodeId input : reason_.inputs(g))
        inputs.push_back(made[input]);
      std::sort(inputs.begin(), inputs.end(), [&](std::uint32_t a, std::uint32_t b) {
        return functions_[a].variable > functions_[b].variable;
      });
      const bool conjoined = reason_.gates[g - reason_.first_gate()] == reason::Gate::conjunction;
      std::uint32_t result = conjoined ? 1 : 0;
      for (const std::uint32_t input : inputs)
        result = conjoined ? apply(functions_, all, result, input)
                           : apply(functions_, any, result, input);
      made[g] = result;
    }
    return made[reason_.root];
  }

  std::uint32_t minimal(std::uint32_t root, Minimal which) {
    const auto used = reachable(root);
    std::vector<std::uint32_t> sets(std::max(root + 1, 2u), 0);
    sets[which == Minimal::implicants ? 1 : 0] = 1;
    const Difference difference{{families_}};
    for (std::uint32_t id = 2; id <= root; ++id) {
      if (!used[id])
        continue;
      const DiagramNode& node = functions_[id];
      const bool implicants = which == Minimal::implicants;
      const std::uint32_t without = sets[implicants ? node.low : node.high];
      const std::uint32_t with = sets[implicants ? node.high : node.low];
      sets[id] =
          families_.make(node.variable, without, apply(families_, difference, with, without));
    }
    return sets[root];
  }

  const reason::Reason& reason_;
  const std::vector<std::vector<Variable>>& literals_;
  Budget& budget_;
  BddTable functions_;
  ZddTable families_;
};

} // namespace

Family minimal_sets(const reason::Reason& reason,
                    const std::vector<std::vector<Variable>>& literal_variables,
                    std::uint32_t variables, Minimal which, Budget& budget) {
  return ReasonBuilder(reason, literal_variables, budget).run(variables, which);
}

std::vector<Variable> support(const reason::Reason& reason,
                              const std::vector<std::vector<Variable>>& literal_variables,
                              std::uint32_t variables, Budget& budget) {
  return ReasonBuilder(reason, literal_variables, budget).support(variables);
}

reason::Reason implicant_circuit(const Circuit& circuit, LabelId label) {
  reason::Reason result;
  std::vector<NodeId> literals_from;
  for (FeatureId f = 0; f < circuit.features(); ++f) {
    literals_from.push_back(result.first_gate());
    for (Cell v = 0; v < circuit.domain(f); ++v) {
      result.literals.push_back({f, BitSet(circuit.domain(f))});
      result.literals.back().values.set(v);
    }
  }
  std::vector<NodeId> id(circuit.size());
  const auto gate = [&](reason::Gate kind, const std::vector<NodeId>& inputs) {
    result.gates.push_back(kind);
    result.edges.insert(result.edges.end(), inputs.begin(), inputs.end());
    result.first.push_back(static_cast<std::uint32_t>(result.edges.size()));
    return result.size() - 1;
  };
  std::vector<NodeId> parts, ways;
  for (NodeId n = 0; n < circuit.size(); ++n) {
    const auto inputs = circuit.inputs(n);
    const std::uint32_t payload = circuit.payload(n);
    if (circuit.kind(n) == Kind::leaf) {
      id[n] = payload == label || payload == impossible_label ? reason::Reason::verum
                                                              : reason::Reason::falsum;
      continue;
    }
    parts.clear();
    for (const NodeId input : inputs)
      parts.push_back(id[input]);
    if (circuit.kind(n) == Kind::conjunction) {
      id[n] = gate(label == 1 ? reason::Gate::conjunction : reason::Gate::disjunction, parts);
      continue;
    }
    ways.assign(1, gate(reason::Gate::conjunction, parts));
    const auto arm_of = circuit.arm_of(payload);
    for (Cell v = 0; v < arm_of.size(); ++v)
      if (arm_of[v] != no_arm)
        ways.push_back(gate(reason::Gate::conjunction,
                            {literals_from[circuit.tested(payload)] + v, id[inputs[arm_of[v]]]}));
    id[n] = gate(reason::Gate::disjunction, ways);
  }
  result.root = id[circuit.root()];
  return result;
}

} // namespace reasons::zdd
