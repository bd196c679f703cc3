// modular_sum.hpp: weighted model counting modulo a prime in one pass, with derivatives.
//
// With weights that sum to 1 for each feature, equal functions have equal sums
// however their circuits look; with uniform weights the sum counts. An arm's
// weight is divided by that of the values still possible at its node, without
// which a second test of a feature would be weighed twice.
#pragma once

#include "circuit/circuit.hpp"
#include "counting/montgomery.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace reasons::counting {

class ModularSums {
public:
  /// `weights`: one for each value of each feature, in order, those of a feature summing
  /// to 1; all below `prime`, which is odd and below 2^62.
  ModularSums(const Circuit& circuit, std::span<const std::uint64_t> weights, std::uint64_t prime);

  /// Features with a test whose values weigh something each and nothing together: there
  /// the division above fails, and the sums are wrong. Values that weigh nothing each are
  /// out of reach and do no harm.
  [[nodiscard]] const std::vector<FeatureId>& cancelling() const { return cancelling_; }

  /// `leaf_values`: one for each label (0 and 1 under conjunctions). Time O(size).
  void upward(std::span<const std::uint64_t> leaf_values, std::uint64_t impossible_value);

  /// The sum over the instances of a node, once `upward` was called.
  [[nodiscard]] std::uint64_t at(NodeId n) const { return field_.out(sum_[n]); }

  /// For each value of each feature, the sum over the instances that have it: the value's
  /// weight times the derivative by it, all from one pass downward. Time O(size).
  [[nodiscard]] std::vector<std::uint64_t> by_value() const;

private:
  void add_split(SplitId s);
  [[nodiscard]] std::uint64_t summed(NodeId n) const;
  [[nodiscard]] std::vector<std::uint64_t> flow() const;
  void pass_down(NodeId n, std::vector<std::uint64_t>& reach) const;

  const Circuit& circuit_;
  Montgomery field_;
  std::vector<std::uint64_t> weights_;
  std::vector<std::size_t> weights_from_, arms_from_;
  std::vector<std::uint64_t> arm_weight_; // of each arm of each split, divided by its total
  std::vector<std::uint64_t> divisor_;    // of each split, 1 / total
  std::vector<FeatureId> cancelling_;
  std::vector<std::uint64_t> leaf_values_, sum_;
  std::uint64_t impossible_value_ = 0;
};

/// The sum at the root; a test that cancels counts nothing. Time O(size).
[[nodiscard]] std::uint64_t weighted_sum(const Circuit& circuit,
                                         std::span<const std::uint64_t> weights,
                                         std::span<const std::uint64_t> leaf_values,
                                         std::uint64_t impossible_value, std::uint64_t prime);

} // namespace reasons::counting
