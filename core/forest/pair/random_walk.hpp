// random_walk.hpp: random search for two instances that differ on protected features only.
#pragma once

#include "base/budget.hpp"
#include "forest/ensemble.hpp"
#include "query/differing_pair.hpp"

namespace reasons::forest {

/// Whether two instances are possible and have different labels.
[[nodiscard]] bool differ(const Ensemble& ensemble, const query::InstancePair& pair);

/// Random instances, and those at which the label turns on the way between two of them, each
/// beside others with the same shared features. Nothing found says nothing.
[[nodiscard]] std::optional<query::InstancePair>
pair_by_random_walk(const Ensemble& ensemble, std::span<const FeatureId> protected_features,
                    Budget& budget);

} // namespace reasons::forest
