// field.hpp: the weighted sum over all instances, modulo a prime, in one pass.
//
// With weights that sum to 1 for each feature, equal functions have equal sums
// however their circuits look; with uniform weights the sum counts. An arm's
// weight is divided by that of the values still possible at its node, without
// which a second test of a feature would be weighed twice.
#pragma once

#include "circuit.hpp"

#include <cstdint>
#include <span>

namespace reasons {

/// `weights`: one for each value of each feature, in order; `leaf_values`: one for
/// each label (0 and 1 under conjunctions); all below `prime`. A set of values that
/// weighs nothing is unreachable and counts nothing. Time O(size).
[[nodiscard]] std::uint64_t weighted_sum(const Circuit& circuit,
                                         std::span<const std::uint64_t> weights,
                                         std::span<const std::uint64_t> leaf_values,
                                         std::uint64_t impossible_value, std::uint64_t prime);

} // namespace reasons
