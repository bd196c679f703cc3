// widen_reason.hpp: a sufficient reason of a tree ensemble with its values widened, all at once.
//
// Defined feature by feature: each takes, in the given order, the cells around the instance's with
// which no counter-example is left, the features after it keeping their cells. So each widening has
// one answer, whatever finds it. It is found the other way round: counter-examples (probes first,
// then searches) cut a box that is too wide, and one proof of the whole box ends it. A proof for
// each feature, as the definition reads, takes 5 to 40 times as long on boosters.
#pragma once

#include "forest/search/branch_and_bound.hpp"

namespace reasons::forest {

/// A feature of the reason. Its first `numbers` cells are in order, and it takes one interval of
/// them around its own cell; with 0 it takes any set of cells.
struct WidenedFeature {
  FeatureId feature;
  std::uint32_t numbers;
};

/// The cells of each feature of a sufficient reason, widened in the order given: a box all of whose
/// instances have the label, and to which no cell can be added (next to those it has, in an
/// interval). InputError where the features do not suffice. Budgeted.
[[nodiscard]] std::vector<std::vector<Cell>> widened(const BranchAndBound& search,
                                                     std::span<const Cell> instance, LabelId label,
                                                     std::span<const WidenedFeature> reason,
                                                     Budget& budget);

} // namespace reasons::forest
