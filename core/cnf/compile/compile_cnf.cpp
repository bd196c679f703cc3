#include "cnf/compile/compile_cnf.hpp"

#include "circuit/builder.hpp"
#include "cnf/compile/dnnf_search.hpp"
#include "cnf/preprocess/preprocess.hpp"

#include <algorithm>
#include <memory>
#include <optional>

namespace reasons::cnf {
namespace {

constexpr std::uint64_t first_lap = 500, no_limit = 1ull << 50;
constexpr double enough = 16;

using Tries = std::vector<std::unique_ptr<DnnfSearch>>;

/// The node of the smallest circuit among the searches that are done, if one is.
std::optional<NodeId> smallest(const Tries& tries, const circuit::Builder& builder) {
  std::optional<NodeId> best;
  std::size_t least = 0;
  for (const auto& search : tries)
    if (search->is_done()) {
      const std::size_t edges = builder.build(search->node()).arrays().edges.size();
      if (!best || edges < least) {
        best = search->node();
        least = edges;
      }
    }
  return best;
}

/// Keeps the two rankings that seem to need least, or the one once it has done its share.
void drop_slow(Tries& tries, std::uint64_t decisions) {
  std::ranges::stable_sort(tries, {}, [](const auto& search) { return search->estimate(); });
  const bool was_tried = tries.front()->estimate() < enough * static_cast<double>(decisions);
  tries.resize(tries.size() == 2 && was_tried ? 1 : 2);
}

/// Lets all rankings make some decisions, then the better ones some more, and so on. How good
/// a ranking is shows only in the search: widths of decompositions say little.
NodeId race(Tries& tries, const circuit::Builder& builder) {
  for (std::uint64_t decisions = first_lap; tries.size() > 1; decisions *= 4) {
    for (const auto& search : tries)
      search->run(decisions);
    if (const auto found = smallest(tries, builder))
      return *found;
    if (decisions > first_lap)
      drop_slow(tries, decisions);
  }
  tries.front()->run(no_limit);
  return tries.front()->node();
}

} // namespace

Circuit compile_cnf(const Cnf& cnf, const CnfOptions& options, Budget budget,
                    CnfStatistics* statistics) {
  CnfStatistics unused;
  CnfStatistics& counts = statistics == nullptr ? unused : *statistics;
  const Var features = std::min(cnf.variables, options.inputs);
  circuit::Builder builder(std::vector<std::uint32_t>(features, 2), 2, budget);
  PreprocessedCnf formula = preprocess(cnf, builder.budget());
  Solver solver(cnf.variables, formula.clauses, builder.budget());
  for (const Clause& clause : formula.redundant)
    solver.attach(clause);
  bool possible = !formula.contradictory;
  for (const Lit l : formula.units)
    possible = possible && solver.assert_literal(l);
  std::vector<Var> all(cnf.variables);
  for (Var v = 0; v < cnf.variables; ++v)
    all[v] = v;
  if (!possible || !solver.propagate() || !solver.satisfiable(all))
    return builder.build(builder.leaf(0));
  Components components(cnf.variables, formula.clauses);
  Tries tries;
  for (VariableRanking& ranking : variable_rankings(components, solver, builder.budget())) {
    counts.width = ranking.width;
    tries.push_back(std::make_unique<DnnfSearch>(builder, solver, components, std::move(ranking),
                                                 options, counts));
  }
  const NodeId root = race(tries, builder);
  counts.conflicts = solver.conflicts();
  return builder.build(root);
}

} // namespace reasons::cnf
