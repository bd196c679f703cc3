// greedy_reason.hpp: sufficient reasons of a tree ensemble by deletion, feature by feature.
#pragma once

#include "forest/search/branch_and_bound.hpp"

namespace reasons::forest {

/// A subset-minimal set of features whose values force the label: what is left when features
/// are dropped one by one in the given order, which lists every feature once (InputError otherwise,
/// and where the instance does not have the label). Budgeted.
[[nodiscard]] std::vector<FeatureId> sufficient(const BranchAndBound& search,
                                                std::span<const Cell> instance, LabelId label,
                                                std::span<const FeatureId> drop_order,
                                                Budget& budget);

/// The features some change of which, alone, changes the label. Time O(turns * trees * depth),
/// where turns are the tests of a feature within reach of the instance. Budgeted.
[[nodiscard]] std::vector<FeatureId> necessary(const BranchAndBound& search,
                                               std::span<const Cell> instance, LabelId label,
                                               Budget& budget);

/// The box of the instances that agree with one on all features but the loose ones.
[[nodiscard]] Box box_around(const Ensemble& ensemble, std::span<const Cell> instance,
                             const std::vector<bool>& loose);

/// Moves an instance with another label towards a given one while that label stays different:
/// first the features listed first.
void move_back(const Ensemble& ensemble, std::vector<Cell>& other, std::span<const Cell> instance,
               LabelId label, std::span<const FeatureId> order);

} // namespace reasons::forest
