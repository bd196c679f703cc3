// validator.hpp: checker of the invariants of a circuit; it shares no code with the builder.
//
// Slow on purpose. Scopes and the values left on paths are recomputed from the
// node table alone, so that a bug in the builder cannot hide behind itself.
#pragma once

#include "base/budget.hpp"
#include "circuit/circuit.hpp"

#include <optional>
#include <string>

namespace reasons::circuit {

struct Violation {
  NodeId node;
  std::string what;
};

/// The first node that breaks an invariant, or nothing: equal nodes, a decision
/// whose arms agree, unused nodes, conjunctions whose inputs share a feature or that
/// stand above anything but 0/1, paths that leave different values to one test, and
/// tests whose arms are not exactly the values left. Time and memory
/// O(edges * features / 64) and O(nodes * features tested twice).
[[nodiscard]] std::optional<Violation> first_violation(const Circuit& circuit, Budget& budget);

} // namespace reasons::circuit
