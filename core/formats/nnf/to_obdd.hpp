// to_obdd.hpp: recompilation of any graph in NNF to an ordered circuit (OBDD), by apply.
//
// Nothing is asked of the graph: its disjunctions need not be decisions, nor its conjunctions
// decomposable. That costs a recompilation, from the leaves up, which can explode. With the
// leaves of an SDD's vtree as the order it mostly does not: primes are above subs, so that a
// conjunction of the two replaces one terminal of the prime's diagram, and a decomposition
// that is a decision costs nothing.
#pragma once

#include "base/budget.hpp"
#include "formats/nnf/nnf.hpp"

#include <cstdint>
#include <span>

namespace reasons::formats {

/// The circuit over as many Boolean features as the graph has variables (variable v is feature
/// v - 1); `order` lists every feature, the top one first. Budgeted: can explode.
[[nodiscard]] Circuit ordered_circuit(const Nnf& nnf, std::span<const std::uint32_t> order,
                                      Budget budget);

} // namespace reasons::formats
