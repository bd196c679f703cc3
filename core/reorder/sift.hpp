// sift.hpp: dynamic reordering of an ordered circuit by sifting (Rudell 1993).
#pragma once

#include "base/budget.hpp"
#include "circuit/circuit.hpp"

namespace reasons::reorder {

/// A circuit of the same function with at most as many nodes, its features in an order that
/// sifting found. Throws PropertyError unless the circuit is ordered. The work is limited by
/// the circuit's size, so that the same circuit gives the same result everywhere; the budget
/// (nodes and bytes of the graph being sifted, seconds, the host) throws as ever.
[[nodiscard]] Circuit sifted(const Circuit& circuit, Budget budget);

} // namespace reasons::reorder
