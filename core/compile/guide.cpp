#include "guide.hpp"

#include "eliminate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace reasons {

static double env(const char* n, double d) {
  const char* s = std::getenv(n);
  return s ? std::atof(s) : d;
}

Guide::Guide(const Components& components, const Solver& solver, std::uint32_t inputs,
             Budget& budget)
    : components_(components), solver_(solver), inputs_(inputs), rank_(solver.variables(), 0),
      score_(solver.variables(), 0), index_(solver.variables(), 0), budget_(budget) {}

Guide::Before Guide::enter(const Component& component) {
  const auto variables = components_.variables(component);
  Before before{{}, ranked_};
  static const double shrink = env("SHRINK", 0.001);
  if (variables.size() > 20000 || static_cast<double>(variables.size()) > shrink * ranked_ ||
      variables.size() < 8)
    return before;
  for (const Var v : variables)
    before.rank.push_back(rank_[v]);
  rank(component);
  ranked_ = static_cast<std::uint32_t>(variables.size());
  return before;
}

void Guide::leave(const Component& component, const Before& before) {
  ranked_ = before.size;
  if (before.rank.empty())
    return;
  const auto variables = components_.variables(component);
  for (std::size_t i = 0; i < variables.size(); ++i)
    rank_[variables[i]] = before.rank[i];
}

void Guide::rank(const Component& component) {
  const auto variables = components_.variables(component);
  Elimination elimination(variables, index_);
  for (const std::uint32_t c : components_.clauses(component)) {
    clause_.clear();
    for (const Lit l : components_.literals(c))
      if (solver_.value(l) == 0)
        clause_.push_back(variable_of(l));
    elimination.connect(clause_);
  }
  for (const Var v : variables)
    for (const Lit l : {2 * v, 2 * v + 1})
      for (const Lit other : components_.partners(l))
        if (variable_of(other) > v && solver_.is_open(variable_of(other)))
          elimination.connect(std::array{v, variable_of(other)});
  static const int tries = static_cast<int>(env("TRIES", 1)),
                   cost = static_cast<int>(env("COST", 1));
  static const double base = env("BASE", 2);
  auto price = [&](const Decomposition& d) {
    if (cost == 0)
      return static_cast<double>(d.width);
    double sum = 0;
    for (auto& b : d.bags)
      sum += std::pow(base, static_cast<double>(b.size()));
    return std::log(sum);
  };
  Decomposition best =
      elimination.by_least_fill(static_cast<std::uint64_t>(env("SEED", 0)), budget_);
  for (int i = 1; i < tries; ++i) {
    Decomposition other = elimination.by_least_fill(static_cast<std::uint64_t>(i), budget_);
    if (price(other) < price(best))
      best = std::move(other);
  }
  if (getenv("SHOW"))
    fprintf(stderr, "n %zu width %u price %.2f\n", variables.size(), best.width, price(best));
  if (ranked_ == 0xFFFFFFFF)
    width = std::max(width, best.width);
  write_places(best, rank_);
  const auto n = static_cast<double>(variables.size());
  const double ratio = n / (best.width + 1);
  static const double W = env("W", 1e9), E = env("E", 1);
  const double weight = std::min(1e7, W * std::exp(ratio * E) / n);
  for (const Var v : variables)
    rank_[v] = weight * (1 - rank_[v]);
}

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
