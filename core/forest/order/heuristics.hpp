// heuristics.hpp: feature orders for the compilation of a tree ensemble.
//
// Orders differ by factors of 10 to 1000 in the size of the graph, and no simple measure tells
// which is best, so a few are tried (trials.hpp) and the best is improved by moving
// single features. Where the whole ensemble is too much for that, a part of it stands for it.
#pragma once

#include "base/budget.hpp"
#include "forest/compile/interval_cache.hpp"
#include "forest/ensemble.hpp"
#include "forest/order/mean_values.hpp"

#include <vector>

namespace reasons::forest {

/// The leads of the scores before the first tree, for each pair of labels.
[[nodiscard]] std::vector<Units> start_leads(const Ensemble& ensemble);

/// Orders by simple measures: most tests near the roots, most tests, most of the scores
/// explained, and those that finish trees soon.
[[nodiscard]] std::vector<std::vector<FeatureId>>
simple_orders(const Ensemble& ensemble, const MeanValues& means, Budget& budget);

/// Whether no tree tests more than one feature.
[[nodiscard]] bool is_additive(const Ensemble& ensemble, const MeanValues& means);

/// An order that keeps the graph small, the same for the same ensemble. Adds to `trials`
/// the states that were looked at, a few million at most.
[[nodiscard]] std::vector<FeatureId> chosen_order(const Ensemble& ensemble, Budget& budget,
                                                  std::uint64_t& trials);

} // namespace reasons::forest
