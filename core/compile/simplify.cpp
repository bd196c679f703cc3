#include "simplify.hpp"

#include <algorithm>

namespace reasons {
namespace {

bool is_tautology(const std::vector<Lit>& sorted) {
  for (std::size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i] == negated(sorted[i - 1]))
      return true;
  return false;
}

} // namespace

Simplified tidied(const Cnf& cnf) {
  Simplified result;
  for (std::size_t c = 0; c < cnf.clauses(); ++c) {
    std::vector<Lit> clause;
    for (const std::int32_t l : cnf.clause(c))
      clause.push_back(from_dimacs(l));
    std::ranges::sort(clause);
    clause.erase(std::ranges::unique(clause).begin(), clause.end());
    if (clause.empty())
      result.contradictory = true;
    else if (clause.size() == 1)
      result.units.push_back(clause[0]);
    else if (!is_tautology(clause))
      result.clauses.push_back(std::move(clause));
  }
  std::ranges::sort(result.clauses);
  result.clauses.erase(std::ranges::unique(result.clauses).begin(), result.clauses.end());
  return result;
}

} // namespace reasons
