// preprocess.hpp: preprocessing that keeps equivalence: units, subsumption, equivalent literals.
//
// Every step keeps equivalence, not only satisfiability: nothing is eliminated, and a
// variable that equals another stays, tied to it by two clauses of its own. Fewer
// clauses and fewer shared variables make better decompositions, which is what pays.
#pragma once

#include "base/budget.hpp"
#include "cnf/cnf.hpp"
#include "cnf/literal.hpp"

#include <vector>

namespace reasons::cnf {

using Clause = std::vector<Lit>;

struct PreprocessedCnf {
  bool contradictory = false;
  std::vector<Lit> units;
  std::vector<Clause> clauses;   ///< two or more literals each, none over the units' variables
  std::vector<Clause> redundant; ///< implied by the clauses; good for propagation only
};

[[nodiscard]] PreprocessedCnf preprocess(const Cnf& cnf, Budget& budget);

/// Drops clauses that contain another and literals that a resolution on them removes.
void subsume(std::vector<Clause>& clauses, Var variables, Budget& budget);

/// Replaces literals that imply each other by one of them in all but two clauses each;
/// false if a literal implies its own negation and the other way round.
[[nodiscard]] bool merge_equivalent(std::vector<Clause>& clauses, Var variables);

} // namespace reasons::cnf
