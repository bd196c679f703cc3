// size_estimate.hpp: whether a circuit of a tree ensemble can fit, judged by a short trial.
//
// A trial compilation goes through the instances in order, so the part of them that a little
// effort covers, and how that part grows with the effort, tell how much all would take.
#pragma once

#include "base/budget.hpp"
#include "forest/ensemble.hpp"

namespace reasons::forest {

/// Share of all instances that the best of a few orders covers within `effort` (and twice the
/// nodes of the trees, which are taken over first); 1 if compilation finished. Of large ensembles
/// only some trees are tried, which is easier than all. For a single tree, and where no tree tests
/// more than one feature, it is 1: there equal states meet, so that the share says nothing.
/// Budgeted.
[[nodiscard]] double explored_share(const Ensemble& ensemble, std::uint64_t effort, Budget budget);

} // namespace reasons::forest
