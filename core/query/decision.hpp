// decision.hpp: decision, necessary features and one sufficient reason (AXp, by deletion).
#pragma once

#include "base/budget.hpp"
#include "circuit/circuit.hpp"

#include <span>
#include <vector>

namespace reasons::query {

/// The label of an instance, or `impossible_label`. Time O(depth).
[[nodiscard]] LabelId decide(const Circuit& circuit, std::span<const Cell> instance);

/// The features some change of which, alone, changes the decision. Time O(size).
[[nodiscard]] std::vector<FeatureId> necessary(const Circuit& circuit,
                                               std::span<const Cell> instance, LabelId label);

/// A subset-minimal set of features whose values force the label, found by dropping
/// features one by one in the given order, which lists every feature once.
/// Time O(size * features), mostly far less: a feature that is not tested within
/// reach of those kept is dropped unasked.
[[nodiscard]] std::vector<FeatureId> sufficient(const Circuit& circuit,
                                                std::span<const Cell> instance, LabelId label,
                                                std::span<const FeatureId> drop_order,
                                                Budget& budget);

} // namespace reasons::query
