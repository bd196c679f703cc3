// compile_trees.hpp: compilation of a tree ensemble to a circuit.
//
// One tree is its own circuit. Several become an ordered graph (state_search.hpp), whose
// size depends on the order of the features above all (order/heuristics.hpp).
#pragma once

#include "base/budget.hpp"
#include "circuit/circuit.hpp"
#include "forest/ensemble.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace reasons::forest {

struct CompileTreesStats {
  /// How many combinations of leaves the library's own arithmetic decided, since rounding matters.
  std::uint64_t settled = 0;
  std::uint64_t states = 0;     // that were looked at with the order that was taken
  std::uint64_t trials = 0;     // states that were looked at to choose the order
  std::vector<FeatureId> order; // empty where the circuit is a tree as it is
};

/// The circuit whose label is `ensemble.decide` on every instance. Several trees, or guards,
/// make an ordered circuit: in the order given, which names every feature once, or a chosen one.
/// Where the forest has `settle`, it must depend on the leaves reached only. Can explode:
/// budgeted.
[[nodiscard]] Circuit compile_trees(const Ensemble& ensemble, std::span<const FeatureId> order,
                                    Budget& budget, CompileTreesStats* stats = nullptr);

} // namespace reasons::forest
