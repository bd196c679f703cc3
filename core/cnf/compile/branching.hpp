// branching.hpp: branching heuristic: which variable of a component to decide next.
//
// A ranking orders the variables once, by where a tree decomposition has them; deciding in
// that order lets the formula fall apart. On formulas without structure the number of
// open clauses counts as much, which the ranking's weight says. Which ranking suits a formula
// is not foreseen but tried: see compile_cnf.cpp. Activity in conflicts is for some rankings
// only: it changes as the search goes on, and with it the order, which costs cache hits.
#pragma once

#include "base/budget.hpp"
#include "cnf/compile/components.hpp"

#include <vector>

namespace reasons::cnf {

struct VariableRanking {
  std::vector<double> rank; ///< by variable, the highest first
  std::uint32_t width = 0;  ///< of the decomposition
  double activity = 0;      ///< how much conflicts count
};

/// Ranks from several decompositions and weights, the most promising first.
[[nodiscard]] std::vector<VariableRanking> variable_rankings(const Components& components,
                                                             const Solver& solver, Budget& budget);

class BranchingHeuristic {
public:
  BranchingHeuristic(const Components& components, const Solver& solver, std::uint32_t inputs,
                     VariableRanking ranking)
      : components_(components), solver_(solver), inputs_(inputs), ranking_(std::move(ranking)),
        score_(solver.variables(), 0) {}

  /// Whether there is anything to decide in this component.
  [[nodiscard]] bool has_input(const Component& component) const {
    return components_.variables(component).front() < inputs_;
  }
  /// The variable to decide in this component, which has an input.
  [[nodiscard]] Var choose(const Component& component);

private:
  const Components& components_;
  const Solver& solver_;
  std::uint32_t inputs_;
  VariableRanking ranking_;
  std::vector<double> score_;
};

} // namespace reasons::cnf
