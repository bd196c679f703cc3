// transform.hpp: conditioning, existential quantification and renumbering of circuits.
#pragma once

#include "base/budget.hpp"
#include "circuit/circuit.hpp"

#include <span>
#include <vector>

namespace reasons::circuit {

inline constexpr Cell any_cell = 0xFFFF;

/// The circuit after some features are fixed, `any_cell` for the others. It tests the fixed
/// ones no more, and decides as if they had these values. Time O(size).
[[nodiscard]] Circuit conditioned(const Circuit& circuit, std::span<const Cell> fixed,
                                  Budget budget);

/// The circuit that is 1 where some values of the forgotten features make it 1; otherwise 0
/// where some make it 0, and impossible where all are. Labels 0 and 1 only. On ordered
/// circuits exponential at worst, within the budget; on others PropertyError if a test's
/// arms would have to be united although neither is 0, 1 or the other.
[[nodiscard]] Circuit forgotten(const Circuit& circuit, const std::vector<bool>& forget,
                                Budget budget);

/// The circuit with one label more, `circuit.labels()`, that forgets features: a label where
/// their values lead to that one alone, the new label where they lead to several, impossible where
/// all are. Ordered circuits only (PropertyError); exponential at worst, within the budget.
[[nodiscard]] Circuit merged(const Circuit& circuit, const std::vector<bool>& forget,
                             Budget budget);

/// The circuit with features and labels renumbered: `feature[f]` and `label[l]` are the new
/// numbers. Time O(size).
[[nodiscard]] Circuit renumbered(const Circuit& circuit, std::span<const FeatureId> feature,
                                 std::span<const LabelId> label);

} // namespace reasons::circuit
