// nnf_circuit.cpp: from a graph as files hold it to decisions and conjunctions.
//
// First, from the inputs up, every conjunction's inputs are shown to share no variable. Then,
// from the root down, every disjunction that is used gets the variable that it decides:
// one that an input conjoins and the other conjoins negated. Last, from the inputs up,
// these become decisions. Conjunctions are made only where a decision or the root ends in
// one, from all their parts at once: a chain of nested ones would be copied at every link.
#include "nnf.hpp"

#include "build.hpp"
#include "error.hpp"
#include "scopes.hpp"

#include <algorithm>
#include <string>

namespace reasons {
namespace {

using Id = std::uint32_t;

enum class Value : std::uint8_t { open, never, always };

class Converter {
public:
  Converter(const Nnf& nnf, Budget budget)
      : nnf_(nnf), builder_(std::vector<std::uint32_t>(nnf.variables, 2), 2, std::move(budget)),
        used_(nnf.size(), false), values_(nnf.size(), Value::open), same_(nnf.size()),
        bare_(nnf.size()), decided_(nnf.size(), 0), made_(nnf.size(), Builder::no_node),
        sign_(std::size_t{nnf.variables} + 1, 0) {
    builder_.budget().stage("checking the file's graph");
    builder_.budget().require(nnf.size(), 0);
  }

  Circuit convert() {
    mark_used();
    simplify();
    require_decomposable();
    choose_variables();
    for (Id n = 0; n < nnf_.size(); ++n)
      if (used_[n] && decided_[n] != 0)
        made_[n] = decision(n);
    if (values_[nnf_.root] != Value::open)
      return builder_.build(builder_.leaf(values_[nnf_.root] == Value::always ? 1 : 0));
    parts_without(nnf_.root, 0);
    return builder_.build(all_parts());
  }

private:
  void mark_used() {
    used_[nnf_.root] = true;
    for (Id n = nnf_.root + 1; n-- > 0;)
      if (used_[n])
        for (const Id input : nnf_.inputs(n))
          used_[input] = true;
  }

  /// Which nodes are constant, and which are just another node: a gate with one input that
  /// matters. A disjunction of one that is written as a decision, with 0 for the other arm,
  /// stays one where it can: circuits that were ordered come back ordered.
  void simplify() {
    for (Id n = 0; n <= nnf_.root; ++n) {
      same_[n] = bare_[n] = n;
      if (!used_[n])
        continue;
      const bool all = nnf_.kinds[n] == NnfKind::conjunction;
      switch (nnf_.kinds[n]) {
      case NnfKind::literal:
        break;
      case NnfKind::falsum:
        values_[n] = Value::never;
        break;
      case NnfKind::verum:
        values_[n] = Value::always;
        break;
      default:
        simplify_gate(n, all ? Value::never : Value::always, all ? Value::always : Value::never);
      }
    }
  }

  void simplify_gate(Id n, Value absorbing, Value neutral) {
    Id only = n;
    bool several = false;
    for (const Id input : nnf_.inputs(n)) {
      if (values_[input] == absorbing) {
        values_[n] = absorbing;
        return;
      }
      if (values_[input] == neutral)
        continue;
      // Twice the same input is one in a disjunction; in a conjunction it shares variables.
      several = several || (only != n &&
                            (bare_[only] != bare_[input] || nnf_.kinds[n] == NnfKind::conjunction));
      only = input;
    }
    if (only == n)
      values_[n] = neutral;
    else if (!several) {
      const bool keeps_form = nnf_.kinds[n] == NnfKind::disjunction && variable_of(n) != 0;
      bare_[n] = bare_[only];
      same_[n] = keeps_form ? n : same_[only];
    }
  }

  void require_decomposable() {
    Scopes scopes(nnf_.variables, builder_.budget());
    std::vector<Scopes::Set> scope(nnf_.size(), 0); // not of literals: most are needed nowhere
    for (Id n = 0; n <= nnf_.root; ++n)
      if (used_[n] && values_[n] == Value::open && !is_literal(n)) {
        if (same_[n] != n)
          scope[n] = scope[same_[n]];
        else
          scope[n] = gate_scope(n, scope, scopes);
      }
  }

  Scopes::Set gate_scope(Id n, const std::vector<Scopes::Set>& scope, Scopes& scopes) {
    const bool all = nnf_.kinds[n] == NnfKind::conjunction;
    Scopes::Set together = 0;
    for (const Id input : nnf_.inputs(n)) {
      if (const auto shared = all ? scopes.common(together, scope[input]) : 0)
        refuse_sharing(n, shared);
      together = scopes.unite(together, scope[input]);
    }
    sort_variables(n);
    for (const auto variable : variables_)
      if (all && scopes.contains(together, variable))
        refuse_sharing(n, variable);
    return scopes.with(together, variables_);
  }

  /// Collects the variables of the literals among the inputs, each once.
  void sort_variables(Id n) {
    variables_.clear();
    for (const Id input : nnf_.inputs(n))
      if (is_literal(same_[input]))
        variables_.push_back(variable(same_[input]));
    std::sort(variables_.begin(), variables_.end());
    const auto twice = std::adjacent_find(variables_.begin(), variables_.end());
    if (twice != variables_.end() && nnf_.kinds[n] == NnfKind::conjunction)
      refuse_sharing(n, *twice);
    variables_.erase(std::unique(variables_.begin(), variables_.end()), variables_.end());
  }

  void choose_variables() {
    needed_.assign(nnf_.size(), false);
    need_parts(nnf_.root, 0);
    for (Id n = nnf_.root + 1; n-- > 0;)
      if (needed_[n]) {
        decided_[n] = decided_by(n);
        for (const Id input : nnf_.inputs(n))
          need_parts(input, decided_[n]);
      }
  }

  void need_parts(Id n, std::uint32_t without) {
    if (values_[n] != Value::open)
      return;
    parts_without(n, without);
    for (const Id part : parts_)
      if (!is_literal(part))
        needed_[part] = true;
  }

  /// Collects the parts of a conjunction but for the literal of one variable, if not 0;
  /// the sign of that literal.
  std::int8_t parts_without(Id n, std::uint32_t without) {
    for (const auto* names : {&same_, &bare_}) {
      collect_parts(n, *names, parts_);
      std::int8_t dropped = 0;
      std::erase_if(parts_, [&](Id part) {
        const bool is_it = is_literal(part) && variable(part) == without;
        dropped = is_it ? sign(part) : dropped;
        return is_it;
      });
      if (dropped != 0 || without == 0)
        return dropped;
    }
    return 0;
  }

  /// The literals and disjunctions that a node conjoins, through nested conjunctions.
  void collect_parts(Id n, const std::vector<Id>& names, std::vector<Id>& parts) {
    parts.clear();
    todo_.assign(1, n);
    while (!todo_.empty()) {
      builder_.budget().tick();
      const Id next = names[todo_.back()];
      todo_.pop_back();
      if (nnf_.kinds[next] == NnfKind::conjunction) {
        const auto inputs = nnf_.inputs(next);
        todo_.insert(todo_.end(), inputs.rbegin(), inputs.rend());
      } else if (values_[next] != Value::always)
        parts.push_back(next);
    }
  }

  /// The two inputs of a disjunction between which it decides. An input that is never true
  /// is one of them if there is no other, so that a decision with an arm of 0 stays one.
  [[nodiscard]] std::vector<Id> alternatives(Id n) const {
    std::vector<Id> open, never;
    for (const Id input : nnf_.inputs(n)) {
      auto& found = values_[input] == Value::never ? never : open;
      if (found.size() < 3 && std::find(found.begin(), found.end(), bare_[input]) == found.end())
        found.push_back(bare_[input]);
    }
    if (open.size() == 1 && !never.empty())
      open.push_back(never.front());
    return open;
  }

  /// A variable that one of two nodes conjoins and the other negates, or 0; the one that the
  /// file names if it is such a one. Decisions with an arm of 0 are opened only if it needs
  /// be: a chain of them would be walked from every link.
  std::uint32_t variable_between(Id one, Id other, std::uint32_t hint) {
    if (const auto found = variable_between(one, other, hint, same_))
      return found;
    return variable_between(one, other, hint, bare_);
  }

  std::uint32_t variable_between(Id one, Id other, std::uint32_t hint,
                                 const std::vector<Id>& names) {
    collect_parts(one, names, parts_);
    for (const Id part : parts_)
      if (is_literal(part))
        sign_[variable(part)] = sign(part);
    std::uint32_t found = 0;
    collect_parts(other, names, others_);
    for (const Id part : others_)
      if (is_literal(part) && sign_[variable(part)] == -sign(part) &&
          (found == 0 || variable(part) == hint))
        found = variable(part);
    for (const Id part : parts_)
      if (is_literal(part))
        sign_[variable(part)] = 0;
    return found;
  }

  std::uint32_t variable_of(Id n) {
    const auto inputs = alternatives(n);
    return inputs.size() != 2 ? 0
                              : variable_between(inputs[0], inputs[1],
                                                 static_cast<std::uint32_t>(nnf_.literals[n]));
  }

  std::uint32_t decided_by(Id n) {
    const std::uint32_t found = variable_of(n);
    if (found == 0)
      refuse_disjunction(n);
    return found;
  }

  NodeId decision(Id n) {
    NodeId arms[2] = {builder_.leaf(0), builder_.leaf(0)};
    for (const Id input : nnf_.inputs(n))
      if (values_[input] == Value::open) {
        const bool side = parts_without(input, decided_[n]) > 0;
        arms[side] = all_parts();
      }
    return builder_.decide(decided_[n] - 1, arms);
  }

  NodeId all_parts() {
    nodes_.clear();
    for (const Id part : parts_)
      nodes_.push_back(is_literal(part) ? literal_node(part) : made_[part]);
    return builder_.all_of(nodes_);
  }

  NodeId literal_node(Id n) {
    if (made_[n] == Builder::no_node) {
      const NodeId no = builder_.leaf(0), yes = builder_.leaf(1);
      const bool positive = nnf_.literals[n] > 0;
      const NodeId arms[2] = {positive ? no : yes, positive ? yes : no};
      made_[n] = builder_.decide(variable(n) - 1, arms);
    }
    return made_[n];
  }

  [[nodiscard]] bool is_literal(Id n) const { return nnf_.kinds[n] == NnfKind::literal; }
  [[nodiscard]] std::uint32_t variable(Id n) const {
    return static_cast<std::uint32_t>(nnf_.literals[n] < 0 ? -nnf_.literals[n] : nnf_.literals[n]);
  }
  [[nodiscard]] std::int8_t sign(Id n) const { return nnf_.literals[n] > 0 ? 1 : -1; }
  [[nodiscard]] std::string named(Id n) const {
    return "node " + std::to_string(nnf_.names[n]) + " (line " + std::to_string(nnf_.lines[n]) +
           ")";
  }

  [[noreturn]] void refuse_sharing(Id n, std::uint32_t shared) const {
    throw PropertyError(
        "the conjunction at " + named(n) + " has inputs that share variable " +
        std::to_string(shared) +
        ", so that its parts cannot be counted or explained one by one; recompile=True compiles "
        "the function anew");
  }

  [[noreturn]] void refuse_disjunction(Id n) const {
    const bool many = alternatives(n).size() > 2;
    throw PropertyError("the disjunction at " + named(n) + " is not a decision: " +
                        (many ? "it has more than two inputs"
                              : "no variable is conjoined by one input and negated by the other") +
                        ". Its inputs may still exclude each other, which is enough to count, but "
                        "reasons in linear time need decisions; recompile=True compiles the "
                        "function anew");
  }

  const Nnf& nnf_;
  Builder builder_;
  std::vector<bool> used_, needed_;
  std::vector<Value> values_;
  std::vector<Id> same_;               // the node that a node is, after constants are dropped
  std::vector<Id> bare_;               // the same, without the form of decisions with an arm of 0
  std::vector<std::uint32_t> decided_; // variable of a disjunction that is needed
  std::vector<NodeId> made_;           // of literals and decisions
  std::vector<std::int8_t> sign_;      // of a variable among the parts of an input
  std::vector<std::uint32_t> variables_;
  std::vector<Id> todo_, parts_, others_;
  std::vector<NodeId> nodes_;
};

} // namespace

Circuit decision_circuit(const Nnf& nnf, Budget budget) {
  return Converter(nnf, std::move(budget)).convert();
}

} // namespace reasons
