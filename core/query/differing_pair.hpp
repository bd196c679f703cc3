// differing_pair.hpp: product walks over ordered circuits: bias, and difference of circuits.
#pragma once

#include "base/budget.hpp"
#include "circuit/circuit.hpp"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace reasons::query {

using InstancePair = std::pair<std::vector<Cell>, std::vector<Cell>>;

/// Two allowed instances with different labels that differ on `loose` features
/// only, or nothing. Requires an ordered circuit (PropertyError). Time O(depth) on a
/// reduced circuit without impossible leaves that tests a loose feature; with
/// impossible leaves up to O(size^2), within the budget.
[[nodiscard]] std::optional<InstancePair>
differing_pair(const Circuit& circuit, const std::vector<bool>& loose, Budget& budget);

/// An instance that two circuits over the same features and labels decide differently, or
/// nothing; to be impossible is one of the decisions. Both must follow `order`, which lists
/// every tested feature. Time O(size) on reduced circuits: below a pair of unequal
/// functions is another, and a node has one equal at most.
[[nodiscard]] std::optional<std::vector<Cell>> differing_instance(const Circuit& one,
                                                                  const Circuit& other,
                                                                  std::span<const FeatureId> order,
                                                                  Budget& budget);

} // namespace reasons::query
