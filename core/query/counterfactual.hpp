// counterfactual.hpp: cheapest counterfactual: the least costly change to another decision.
#pragma once

#include "query/sweep.hpp"

#include <optional>
#include <span>
#include <vector>

namespace reasons::query {

struct Counterfactual {
  std::vector<Cell> instance;
  double cost;
};

/// The allowed instance of the region with another label (or with `wanted`) that costs
/// least, where changing a feature costs what `costs` says, and lies nearest among those.
/// The region must hold the instance. Exact in one pass: a feature is paid for at the test
/// where a path leaves the instance, later tests of it are free, and parts of a conjunction
/// share no feature. Time O(size).
[[nodiscard]] std::optional<Counterfactual>
cheapest_counterfactual(const Circuit& circuit, const Region& region,
                        std::span<const Cell> instance, LabelId label,
                        std::span<const double> costs, std::optional<LabelId> wanted);

} // namespace reasons::query
