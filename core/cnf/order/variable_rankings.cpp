// variable_rankings.cpp: rankings of the variables by tree decompositions of the whole formula.
#include "cnf/compile/branching.hpp"
#include "cnf/order/elimination.hpp"
#include "cnf/order/sparse_elimination.hpp"

#include <algorithm>
#include <cmath>

namespace reasons::cnf {
namespace {

constexpr std::size_t most_vertices = 10'000; // with bit sets
constexpr std::size_t groups = 2, most_tries = 30;
constexpr std::uint64_t most_work = 1'000'000;
constexpr std::size_t longest_clique = 60;
constexpr double always = 1e9; // a weight above any number of clauses
constexpr double strong = 100; // one above most: little would change

/// The logarithm of how many rows tables over all bags would have.
double price(const Decomposition& d) {
  double sum = 0;
  for (const auto& bag : d.bags)
    sum += std::exp2(static_cast<double>(bag.size()) - d.width);
  return std::log2(sum) + d.width;
}

/// Variables that share a clause are neighbours; those of a long clause only in a row.
template <class Graph>
Graph graph_of(const Components& components, const Solver& solver, std::span<const Var> variables,
               std::vector<std::uint32_t>& index) {
  Graph result(variables, index);
  for (const std::uint32_t c : components.clauses(components.whole())) {
    const auto clause = components.literals(c);
    const std::size_t reach = clause.size() > longest_clique ? 1 : clause.size();
    for (std::size_t i = 0; i < clause.size(); ++i)
      for (std::size_t j = i + 1; j < clause.size() && j <= i + reach; ++j)
        result.connect(variable_of(clause[i]), variable_of(clause[j]));
  }
  for (const Var v : variables)
    for (const Lit l : {2 * v, 2 * v + 1})
      for (const Lit other : components.partners(l))
        if (variable_of(other) > v && solver.is_open(variable_of(other)))
          result.connect(v, variable_of(other));
  return result;
}

/// The best of each of some groups of decompositions, found with bounded work.
std::vector<Decomposition> narrow(const Elimination& elimination, Budget& budget) {
  std::vector<Decomposition> result;
  std::uint64_t seed = 0;
  for (std::size_t group = 0; group < groups; ++group) {
    std::uint64_t work = 0;
    for (std::size_t i = 0; i < most_tries && (i == 0 || work < most_work); ++i) {
      Decomposition made = elimination.by_least_fill(seed++, budget);
      work += made.work;
      if (result.size() == group)
        result.push_back(std::move(made));
      else if (price(made) < price(result.back()))
        result.back() = std::move(made);
    }
  }
  std::ranges::stable_sort(result, {}, price);
  return result;
}

VariableRanking ranked(std::span<const Var> open, const std::vector<double>& place, double weight,
                       std::uint32_t width, double activity) {
  VariableRanking ranking{std::vector<double>(place.size(), 0), width, activity};
  for (const Var v : open)
    ranking.rank[v] = weight * (1 - place[v]);
  return ranking;
}

std::vector<Decomposition> decompositions(const Components& components, const Solver& solver,
                                          std::span<const Var> open, Budget& budget) {
  std::vector<std::uint32_t> index(solver.variables(), 0);
  if (open.size() <= most_vertices)
    return narrow(graph_of<Elimination>(components, solver, open, index), budget);
  std::vector<Decomposition> result;
  result.push_back(
      graph_of<SparseElimination>(components, solver, open, index).by_least_degree(budget));
  return result;
}

} // namespace

std::vector<VariableRanking> variable_rankings(const Components& components, const Solver& solver,
                                               Budget& budget) {
  std::vector<Var> open;
  for (const Var v : components.variables(components.whole()))
    if (solver.is_open(v))
      open.push_back(v);
  std::vector<VariableRanking> result;
  const VariableRanking none{std::vector<double>(solver.variables(), 0), 0, 1};
  if (open.empty())
    return {none};
  const auto n = static_cast<double>(open.size());
  const bool is_graph = components.clauses(components.whole()).empty();
  for (Decomposition& d : decompositions(components, solver, open, budget)) {
    std::vector<double> place = none.rank;
    write_places(d, open.size() > most_vertices ? TreeWalk::halves : TreeWalk::branches, place);
    // Where the bags are large beside the whole, clauses count too; sharpSAT-TD's formula.
    const double weight = std::exp(n / (d.width + 1)) / n;
    if (weight < always && result.empty() && is_graph)
      return {ranked(open, place, weight, d.width, 1)};
    result.push_back(ranked(open, place, always, d.width, 0));
    if (result.size() > 1)
      continue;
    result.push_back(ranked(open, place, always, d.width, 1));
    if (weight < strong)
      result.push_back(ranked(open, place, weight, d.width, 1));
  }
  return result;
}

} // namespace reasons::cnf
