#include "guide.hpp"

namespace reasons {

Guide::Guide(const Components& components, const Solver& solver, std::uint32_t inputs,
             std::vector<double> rank)
    : components_(components), solver_(solver), inputs_(inputs), rank_(std::move(rank)),
      score_(solver.variables(), 0) {}

Var Guide::choose(const Component& component) {
  const auto variables = components_.variables(component);
  for (const Var v : variables)
    score_[v] = rank_[v] + solver_.activity(v);
  for (const std::uint32_t c : components_.clauses(component))
    for (const Lit l : components_.literals(c))
      if (solver_.value(l) == 0)
        score_[variable_of(l)] += 1;
  Var best = none;
  for (const Var v : variables) {
    if (v >= inputs_)
      continue;
    for (const Lit l : {2 * v, 2 * v + 1})
      for (const Lit other : components_.partners(l))
        score_[v] += solver_.is_open(variable_of(other)) ? 1 : 0;
    if (best == none || score_[v] > score_[best])
      best = v;
  }
  return best;
}

} // namespace reasons
