// order_features.hpp: in which order to decide the features of a sum of trees.
#pragma once

#include "budget.hpp"
#include "compile_reuse.hpp"
#include "ensemble.hpp"

#include <vector>

namespace reasons {

/// The leads of the scores before the first tree, for each pair of labels.
[[nodiscard]] std::vector<Units> start_leads(const Ensemble& ensemble);

/// An order that keeps the graph small, the same for the same ensemble. Adds to `trials`
/// the states that were looked at.
[[nodiscard]] std::vector<FeatureId> chosen_order(const Ensemble& ensemble, const Budget& budget,
                                                  std::uint64_t& trials);

} // namespace reasons
