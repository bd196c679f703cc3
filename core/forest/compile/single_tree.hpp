// single_tree.hpp: a single decision tree as a circuit with the same tests.
#pragma once

#include "base/budget.hpp"
#include "circuit/circuit.hpp"
#include "forest/ensemble.hpp"

namespace reasons::forest {

/// The circuit of an ensemble of one tree without guards, which may test a feature again. Adds
/// to `settled` the leaves that the library's own arithmetic decided. Time O(nodes * cells).
[[nodiscard]] Circuit compile_tree(const Ensemble& ensemble, Budget budget, std::uint64_t& settled);

} // namespace reasons::forest
