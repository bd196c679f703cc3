// simplify.hpp: clauses made fewer and shorter, with exactly the same models.
#pragma once

#include "cnf.hpp"
#include "literal.hpp"

#include <vector>

namespace reasons {

struct Simplified {
  bool contradictory = false;
  std::vector<Lit> units;
  std::vector<std::vector<Lit>> clauses; ///< of two or more literals, without the units' variables
};

/// Sorted clauses without tautologies, repeated literals, repeated or contained clauses.
[[nodiscard]] Simplified tidied(const Cnf& cnf);

} // namespace reasons
