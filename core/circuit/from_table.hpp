// from_table.hpp: circuits from truth tables and from the arrays of binary decision diagrams.
#pragma once

#include "base/budget.hpp"
#include "circuit/circuit.hpp"

#include <span>
#include <vector>

namespace reasons::circuit {

/// The reduced ordered graph of a function given by its label on every instance;
/// the last feature of the order varies fastest. Time O(cells).
[[nodiscard]] Circuit from_values(std::vector<std::uint32_t> domains, std::uint32_t labels,
                                  std::span<const FeatureId> order, std::span<const LabelId> values,
                                  Budget budget);

/// The graph of a binary decision diagram over features of two values: nodes 0 and 1
/// are the labels, node i + 2 tests variables[i] with the children low[i] and high[i].
[[nodiscard]] Circuit from_diagram(std::uint32_t features, std::span<const std::uint32_t> variables,
                                   std::span<const std::uint32_t> low,
                                   std::span<const std::uint32_t> high, std::uint32_t root,
                                   Budget budget);

} // namespace reasons::circuit
