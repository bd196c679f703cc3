// gates.hpp: simplified view of an NNF: constants propagated, nested conjunctions flattened.
#pragma once

#include "base/budget.hpp"
#include "formats/nnf/nnf.hpp"

#include <cstdint>
#include <vector>

namespace reasons::formats {

/// The nodes that the root uses.
[[nodiscard]] std::vector<bool> used_nodes(const Nnf& nnf);

class NnfGates {
public:
  using Id = std::uint32_t;
  enum class Value : std::uint8_t { open, never, always };

  NnfGates(const Nnf& nnf, Budget& budget);

  [[nodiscard]] Value value(Id n) const { return values_[n]; }
  /// Whether a node is used, can be true and can be false.
  [[nodiscard]] bool is_open(Id n) const { return used_[n] && values_[n] == Value::open; }
  /// The node that a node is: that of its one input that matters, if there is one such.
  /// A disjunction that is written as a decision with an arm of 0 stays itself.
  [[nodiscard]] Id same(Id n) const { return same_[n]; }

  [[nodiscard]] bool is_literal(Id n) const { return nnf_.kinds[n] == NnfKind::literal; }
  [[nodiscard]] std::uint32_t variable(Id n) const {
    return static_cast<std::uint32_t>(nnf_.literals[n] < 0 ? -nnf_.literals[n] : nnf_.literals[n]);
  }

  /// Collects the literals and disjunctions that an open node conjoins, through nested
  /// conjunctions, into `parts`, but for the literal of one variable, if not 0; its sign.
  std::int8_t collect(Id n, std::uint32_t without, std::vector<Id>& parts);

  /// The two inputs between which a disjunction decides, or as many as it has up to three.
  [[nodiscard]] std::vector<Id> alternatives(Id n) const;
  /// The variable that a disjunction decides: one input conjoins it and the other conjoins
  /// it negated. The one that the file names if it is such a one; 0 if there is none.
  [[nodiscard]] std::uint32_t decided(Id n);

private:
  void simplify();
  void simplify_gate(Id n, Value absorbing, Value neutral);
  [[nodiscard]] std::uint32_t between(Id one, Id other, std::uint32_t hint,
                                      const std::vector<Id>& names);
  void walk(Id n, const std::vector<Id>& names, std::vector<Id>& parts);
  [[nodiscard]] std::int8_t sign(Id n) const { return nnf_.literals[n] > 0 ? 1 : -1; }

  const Nnf& nnf_;
  Budget& budget_;
  std::vector<bool> used_;
  std::vector<Value> values_;
  std::vector<Id> same_;
  std::vector<Id> bare_;          // the same, also of decisions with an arm of 0
  std::vector<std::int8_t> sign_; // of a variable among the parts of an input
  std::vector<bool> met_;         // conjunctions, in the walk that goes on
  std::vector<Id> todo_, parts_, others_, walked_;
};

} // namespace reasons::formats
