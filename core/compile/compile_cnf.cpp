#include "compile_cnf.hpp"

#include "build.hpp"
#include "eliminate.hpp"
#include "error.hpp"
#include "search.hpp"
#include "simplify.hpp"

#include <cmath>
#include <cstdlib>

namespace reasons {
namespace {

double env(const char* n, double d) {
  const char* s = std::getenv(n);
  return s ? std::atof(s) : d;
}

constexpr std::uint32_t most_vertices = 20'000;

std::vector<double> rank(Var variables, const std::vector<std::vector<Lit>>& clauses,
                         const Solver& solver, Budget& budget, CnfStatistics& statistics) {
  std::vector<Var> open;
  std::vector<std::uint8_t> occurs(variables, 0);
  for (const auto& clause : clauses)
    for (const Lit l : clause)
      occurs[variable_of(l)] = 1;
  for (Var v = 0; v < variables; ++v)
    if (occurs[v] && solver.is_open(v))
      open.push_back(v);
  if (open.empty() || open.size() > most_vertices)
    return std::vector<double>(variables, 0);
  const Elimination elimination(variables, open, clauses);
  Decomposition best = elimination.by_least_fill(0, budget);
  const int tries = static_cast<int>(env("TRIES", 1));
  for (int i = 1; i < tries; ++i) {
    Decomposition other = elimination.by_least_fill(static_cast<std::uint64_t>(i), budget);
    if (other.width < best.width)
      best = std::move(other);
  }
  statistics.width = best.width;
  std::vector<double> result = depths(best, variables);
  const double ratio = static_cast<double>(open.size()) / (best.width + 1);
  const double weight = std::min(1e7, env("W", 100) * std::exp(ratio * env("E", 1)) / static_cast<double>(open.size()));
  for (double& d : result)
    d = weight * (1 - d);
  return result;
}

} // namespace

Circuit compile_cnf(const Cnf& cnf, const CnfOptions& options, Budget budget,
                    CnfStatistics* statistics) {
  CnfStatistics unused;
  CnfStatistics& counts = statistics == nullptr ? unused : *statistics;
  const Var features = std::min(cnf.variables, options.inputs);
  Builder builder(std::vector<std::uint32_t>(features, 2), 2, budget);
  Simplified formula = tidied(cnf);
  Solver solver(cnf.variables, formula.clauses, builder.budget());
  bool possible = !formula.contradictory;
  for (const Lit l : formula.units)
    possible = possible && solver.assert_literal(l);
  std::vector<Var> all(cnf.variables);
  for (Var v = 0; v < cnf.variables; ++v)
    all[v] = v;
  if (!possible || !solver.propagate() || !solver.satisfiable(all))
    return builder.build(builder.leaf(0));
  Components components(cnf.variables, formula.clauses);
  Guide guide(components, solver, options.inputs,
              rank(cnf.variables, formula.clauses, solver, builder.budget(), counts));
  Search search(builder, solver, components, guide, options, counts);
  const NodeId root = search.run();
  counts.conflicts = solver.conflicts();
  return builder.build(root);
}

} // namespace reasons
