// minimal_models.hpp: minimal models (primes) of a monotone circuit, as a ZDD.
#pragma once

#include "base/budget.hpp"
#include "circuit/circuit.hpp"
#include "reason/reason_circuit.hpp"
#include "zdd/family.hpp"

#include <vector>

namespace reasons::zdd {

enum class Minimal { implicants, implicates };

/// The minimal sets of variables that make the circuit true (implicants), or whose
/// absence makes it false (implicates). A literal is true when all of its variables
/// are; variables are numbered in the order of the diagram. Can explode: budgeted.
[[nodiscard]] Family minimal_sets(const reason::Reason& reason,
                                  const std::vector<std::vector<Variable>>& literal_variables,
                                  std::uint32_t variables, Minimal which, Budget& budget);

/// The variables that the circuit depends on. Can explode: budgeted.
[[nodiscard]] std::vector<Variable>
support(const reason::Reason& reason, const std::vector<std::vector<Variable>>& literal_variables,
        std::uint32_t variables, Budget& budget);

/// The monotone circuit over literals "feature has value" (one a value of a feature, in
/// order) that is true of the terms which force the label. Its minimal models that fix
/// no feature twice are the prime implicants of the classifier. Time O(size * values).
[[nodiscard]] reason::Reason implicant_circuit(const Circuit& circuit, LabelId label);

} // namespace reasons::zdd
