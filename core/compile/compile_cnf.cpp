#include "compile_cnf.hpp"

#include "build.hpp"
#include "eliminate.hpp"
#include "error.hpp"
#include "search.hpp"
#include "simplify.hpp"

#include <cmath>
#include <cstdlib>

namespace reasons {
namespace {} // namespace

Circuit compile_cnf(const Cnf& cnf, const CnfOptions& options, Budget budget,
                    CnfStatistics* statistics) {
  CnfStatistics unused;
  CnfStatistics& counts = statistics == nullptr ? unused : *statistics;
  const Var features = std::min(cnf.variables, options.inputs);
  Builder builder(std::vector<std::uint32_t>(features, 2), 2, budget);
  Simplified formula = simplified(cnf, builder.budget());
  Solver solver(cnf.variables, formula.clauses, builder.budget());
  for (const Clause& clause : formula.redundant)
    solver.attach_implied(clause);
  bool possible = !formula.contradictory;
  for (const Lit l : formula.units)
    possible = possible && solver.assert_literal(l);
  std::vector<Var> all(cnf.variables);
  for (Var v = 0; v < cnf.variables; ++v)
    all[v] = v;
  if (!possible || !solver.propagate() || !solver.satisfiable(all))
    return builder.build(builder.leaf(0));
  Components components(cnf.variables, formula.clauses);
  Guide guide(components, solver, options.inputs, builder.budget());
  Search search(builder, solver, components, guide, options, counts);
  const NodeId root = search.run();
  counts.width = guide.width;
  counts.conflicts = solver.conflicts();
  return builder.build(root);
}

} // namespace reasons
