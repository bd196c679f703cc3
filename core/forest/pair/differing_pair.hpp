// differing_pair.hpp: bias of a tree ensemble: two instances that differ on protected features.
//
// Branch and bound over boxes of the shared features and of the protected ones twice. For two
// labels, relaxations bound what would have to be: that no third label leads the first one in the
// one copy, nor the second one in the other, and that between the copies the lead turns. The
// last is one sum over both copies, to which only trees that test a protected feature add.
#pragma once

#include "forest/search/branch_and_bound.hpp"
#include "query/differing_pair.hpp"

namespace reasons::forest {

/// Two possible instances that differ on protected features only and have different labels, or
/// none if that is proved. Of the features that need not differ, none does. Can take exponential
/// time: budgeted.
[[nodiscard]] std::optional<query::InstancePair>
differing_pair(const BranchAndBound& search, std::span<const FeatureId> protected_features,
               Budget& budget);

} // namespace reasons::forest
