// branching.hpp: which variable to decide next.
//
// A plan ranks the variables once, by where a tree decomposition has them; deciding in
// that order lets the formula fall apart. On formulas without structure the number of
// open clauses counts as much, which the plan's weight says. Which plan suits a formula
// is not foreseen but tried: see compile_cnf.cpp. Activity in conflicts is for some plans
// only: it changes as the search goes on, and with it the order, which costs cache hits.
#pragma once

#include "base/budget.hpp"
#include "cnf/components.hpp"

#include <vector>

namespace reasons {

struct Plan {
  std::vector<double> rank; ///< by variable, the highest first
  std::uint32_t width = 0;  ///< of the decomposition
  double activity = 0;      ///< how much conflicts count
};

/// Ranks from several decompositions and weights, the most promising first.
[[nodiscard]] std::vector<Plan> plans(const Components& components, const Solver& solver,
                                      Budget& budget);

class Guide {
public:
  Guide(const Components& components, const Solver& solver, std::uint32_t inputs, Plan plan)
      : components_(components), solver_(solver), inputs_(inputs), plan_(std::move(plan)),
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
  Plan plan_;
  std::vector<double> score_;
};

} // namespace reasons
