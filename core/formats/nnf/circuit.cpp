// circuit.cpp: Decision-DNNF from a graph in NNF, checked for decisions and decomposability.
//
// First, from the inputs up, every conjunction's inputs are shown to share no variable. Then,
// from the root down, every disjunction that is needed gets the variable that it decides.
// Last, from the inputs up, these become decisions. Conjunctions are made only where a
// decision or the root ends in one, from all their parts at once: a chain of nested ones
// would be copied at every link.
#include "base/error.hpp"
#include "circuit/builder.hpp"
#include "formats/nnf/gates.hpp"
#include "formats/nnf/variable_sets.hpp"

#include <algorithm>
#include <string>

namespace reasons::formats {
namespace {

using Id = NnfGates::Id;

std::string named(const Nnf& nnf, Id n) {
  return "node " + std::to_string(nnf.names[n]) + " (line " + std::to_string(nnf.lines[n]) + ")";
}

/// Proves that no conjunction has inputs that share a variable.
class Decomposability {
public:
  Decomposability(const Nnf& nnf, const NnfGates& parts, Budget& budget)
      : nnf_(nnf), parts_(parts), scopes_(nnf.variables, budget), scope_(nnf.size(), 0) {}

  void require() {
    for (Id n = 0; n <= nnf_.root; ++n)
      if (parts_.is_open(n) && !parts_.is_literal(n))
        scope_[n] = parts_.same(n) != n ? scope_[parts_.same(n)] : gate_scope(n);
  }

private:
  VariableSets::Set gate_scope(Id n) {
    const bool all = nnf_.kinds[n] == NnfKind::conjunction;
    VariableSets::Set together = 0;
    for (const Id input : nnf_.inputs(n)) {
      if (const auto shared = all ? scopes_.common(together, scope_[input]) : 0)
        refuse(n, shared);
      together = scopes_.unite(together, scope_[input]);
    }
    sort_variables(n);
    for (const auto variable : variables_)
      if (all && scopes_.contains(together, variable))
        refuse(n, variable);
    return scopes_.with(together, variables_);
  }

  /// Collects the variables of the literals among the inputs, each once.
  void sort_variables(Id n) {
    variables_.clear();
    for (const Id input : nnf_.inputs(n))
      if (parts_.is_literal(parts_.same(input)))
        variables_.push_back(parts_.variable(parts_.same(input)));
    std::sort(variables_.begin(), variables_.end());
    const auto twice = std::adjacent_find(variables_.begin(), variables_.end());
    if (twice != variables_.end() && nnf_.kinds[n] == NnfKind::conjunction)
      refuse(n, *twice);
    variables_.erase(std::unique(variables_.begin(), variables_.end()), variables_.end());
  }

  [[noreturn]] void refuse(Id n, std::uint32_t shared) const {
    throw PropertyError("the conjunction at " + named(nnf_, n) +
                        " has inputs that share variable " + std::to_string(shared) +
                        ", so that its parts cannot be counted or explained one by one; "
                        "recompile=True compiles the function anew");
  }

  const Nnf& nnf_;
  const NnfGates& parts_;
  VariableSets scopes_;
  std::vector<VariableSets::Set> scope_; // 0 for literals: few of them need one
  std::vector<std::uint32_t> variables_;
};

class Converter {
public:
  Converter(const Nnf& nnf, Budget budget)
      : nnf_(nnf), builder_(std::vector<std::uint32_t>(nnf.variables, 2), 2, std::move(budget)),
        parts_(nnf, staged(builder_.budget(), nnf.size())), needed_(nnf.size(), false),
        decided_(nnf.size(), 0), made_(nnf.size(), circuit::Builder::no_node) {}

  Circuit convert() {
    Decomposability(nnf_, parts_, builder_.budget()).require();
    if (!parts_.is_open(nnf_.root))
      return builder_.build(builder_.leaf(parts_.value(nnf_.root) == NnfGates::Value::always));
    choose_variables();
    for (Id n = 0; n <= nnf_.root; ++n)
      if (needed_[n])
        made_[n] = decision(n);
    parts_.collect(nnf_.root, 0, conjoined_);
    return builder_.build(conjunction());
  }

private:
  static Budget& staged(Budget& budget, std::uint64_t nodes) {
    budget.stage("checking the file's graph");
    budget.require(nodes, 0);
    return budget;
  }

  void choose_variables() {
    need_parts(nnf_.root, 0);
    for (Id n = nnf_.root + 1; n-- > 0;)
      if (needed_[n]) {
        decided_[n] = parts_.decided(n);
        if (decided_[n] == 0)
          refuse(n);
        for (const Id input : nnf_.inputs(n))
          if (parts_.is_open(input))
            need_parts(input, decided_[n]);
      }
  }

  void need_parts(Id n, std::uint32_t without) {
    parts_.collect(n, without, conjoined_);
    for (const Id part : conjoined_)
      if (!parts_.is_literal(part))
        needed_[part] = true;
  }

  NodeId decision(Id n) {
    NodeId arms[2] = {builder_.leaf(0), builder_.leaf(0)};
    for (const Id input : nnf_.inputs(n))
      if (parts_.is_open(input)) {
        const bool side = parts_.collect(input, decided_[n], conjoined_) > 0;
        arms[side] = conjunction();
      }
    return builder_.decide(decided_[n] - 1, arms);
  }

  /// Of the parts that were collected last.
  NodeId conjunction() {
    nodes_.clear();
    for (const Id part : conjoined_)
      nodes_.push_back(parts_.is_literal(part) ? literal(part) : made_[part]);
    return builder_.all_of(nodes_);
  }

  NodeId literal(Id n) {
    if (made_[n] == circuit::Builder::no_node) {
      const bool positive = nnf_.literals[n] > 0;
      const NodeId leaves[2] = {builder_.leaf(0), builder_.leaf(1)};
      const NodeId arms[2] = {leaves[!positive], leaves[positive]};
      made_[n] = builder_.decide(parts_.variable(n) - 1, arms);
    }
    return made_[n];
  }

  [[noreturn]] void refuse(Id n) const {
    const bool many = parts_.alternatives(n).size() > 2;
    throw PropertyError("the disjunction at " + named(nnf_, n) + " is not a decision: " +
                        (many ? "it has more than two inputs"
                              : "no variable is conjoined by one input and negated by the other") +
                        ". Its inputs may still exclude each other, which is enough to count, but "
                        "reasons in linear time need decisions; recompile=True compiles the "
                        "function anew");
  }

  const Nnf& nnf_;
  circuit::Builder builder_;
  NnfGates parts_;
  std::vector<bool> needed_;           // disjunctions that become decisions
  std::vector<std::uint32_t> decided_; // their variables
  std::vector<NodeId> made_;           // of literals and decisions
  std::vector<Id> conjoined_;
  std::vector<NodeId> nodes_;
};

} // namespace

Circuit decision_circuit(const Nnf& nnf, Budget budget) {
  return Converter(nnf, std::move(budget)).convert();
}

} // namespace reasons::formats
