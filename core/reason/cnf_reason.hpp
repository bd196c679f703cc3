// cnf_reason.hpp: complete and sufficient reasons of the positive decisions of a CNF.
//
// An instance that satisfies every clause is decided positively for as long as each clause
// keeps one of the literals that the instance satisfies. So the complete reason is the
// clauses without the literals that the instance violates, and each question is one pass
// over the literals. Tautologies are left out: nothing breaks them, but without the literal
// that the instance violates they would look as if something did.
#pragma once

#include "base/budget.hpp"
#include "circuit/circuit.hpp"
#include "cnf/cnf.hpp"
#include "query/counterfactual.hpp"
#include "reason/reason_circuit.hpp"

#include <compare>
#include <optional>
#include <span>
#include <vector>

namespace reasons::reason {

/// "The feature has this value", of a feature with the values 0 and 1.
class BooleanLiteral {
public:
  BooleanLiteral(FeatureId feature, Cell cell) : code_(2 * feature + cell) {}
  [[nodiscard]] FeatureId feature() const { return code_ >> 1; }
  [[nodiscard]] Cell cell() const { return static_cast<Cell>(code_ & 1); }
  [[nodiscard]] bool holds(std::span<const Cell> instance) const {
    return instance[feature()] == cell();
  }
  auto operator<=>(const BooleanLiteral&) const = default;

private:
  std::uint32_t code_;
};

/// Clauses over features 0, 1, ..., each sorted and without repetition; no tautologies.
class Clauses {
public:
  /// Time O(literals), and sorting each clause.
  explicit Clauses(const cnf::Cnf& cnf);

  [[nodiscard]] FeatureId features() const { return features_; }
  [[nodiscard]] std::size_t size() const { return first_.size() - 1; }
  [[nodiscard]] std::span<const BooleanLiteral> clause(std::size_t c) const {
    return std::span(literals_).subspan(first_[c], first_[c + 1] - first_[c]);
  }
  /// The features in the order in which the clauses mention them.
  [[nodiscard]] std::vector<FeatureId> feature_order_from_root() const;

private:
  FeatureId features_;
  std::vector<BooleanLiteral> literals_;
  std::vector<std::uint64_t> first_{0};
};

/// 1 if the instance satisfies every clause, otherwise 0. Time O(literals).
[[nodiscard]] LabelId decide(const Clauses& clauses, std::span<const Cell> instance);

/// The labels of rows of cells, row after row, 64 at a time. Time O(rows * literals / 64).
void decide_rows(const Clauses& clauses, std::span<const Cell> cells, std::span<LabelId> labels);

// What follows is about instances whose label is 1: see `require_satisfied`.

/// Throws InputError unless the label is 1 and the instance satisfies every clause.
void require_satisfied(const Clauses& clauses, std::span<const Cell> instance, LabelId label);

/// The complete reason: what is necessary, and the clauses that this leaves open. Simple
/// and general reasons are the same, since each feature has two values. Time O(literals).
[[nodiscard]] Reason complete_reason(const Clauses& clauses, std::span<const Cell> instance);

/// The features that alone satisfy some clause. Time O(literals).
[[nodiscard]] std::vector<FeatureId> necessary(const Clauses& clauses,
                                               std::span<const Cell> instance);

/// A subset-minimal set of features whose values force the label, found by dropping
/// features one by one in the given order, which lists every feature once. Time O(literals).
[[nodiscard]] std::vector<FeatureId> sufficient(const Clauses& clauses,
                                                std::span<const Cell> instance,
                                                std::span<const FeatureId> drop_order);

/// The cheapest way to break a clause by changing loose features only, with the fewest
/// changes among equals and the first clause among those. Time O(literals).
[[nodiscard]] std::optional<query::Counterfactual>
cheapest_counterfactual(const Clauses& clauses, const std::vector<bool>& loose,
                        std::span<const Cell> instance, std::span<const double> costs);

/// An instance that breaks a clause by changing the fewest loose features, or nothing.
/// Time O(literals).
[[nodiscard]] std::optional<std::vector<Cell>> counterexample(const Clauses& clauses,
                                                              const std::vector<bool>& loose,
                                                              std::span<const Cell> instance);

/// The features by which the instance satisfies each clause, where no other clause's are
/// among them; each set once. They are the contrastive sets: the prime implicates of the
/// complete reason. Time O(literals) where few clauses share a feature, quadratic at worst.
[[nodiscard]] std::vector<std::vector<FeatureId>>
minimal_clauses(const Clauses& clauses, std::span<const Cell> instance, Budget& budget);

} // namespace reasons::reason
