#include "cnf/compile/branching.hpp"

namespace reasons::cnf {

Var BranchingHeuristic::choose(const Component& component) {
  const auto variables = components_.variables(component);
  for (const Var v : variables)
    score_[v] = ranking_.rank[v] + ranking_.activity * solver_.activity(v);
  for (const std::uint32_t c : components_.clauses(component))
    for (const Lit l : components_.literals(c))
      score_[variable_of(l)] += 1; // that of a closed variable does no harm
  Var best = variables.front();
  for (const Var v : variables) {
    if (v >= inputs_)
      break; // the inputs come first
    for (const Lit l : {2 * v, 2 * v + 1})
      for (const Lit other : components_.partners(l))
        score_[v] += solver_.is_open(variable_of(other)) ? 1 : 0;
    if (score_[v] > score_[best])
      best = v;
  }
  return best;
}

} // namespace reasons::cnf
