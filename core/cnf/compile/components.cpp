#include "cnf/compile/components.hpp"

#include <algorithm>
#include <numeric>

namespace reasons::cnf {

Components::Components(Var variables, const std::vector<std::vector<Lit>>& clauses)
    : first_partner_(2 * std::size_t{variables} + 1, 0), parent_(variables), size_(variables, 0),
      index_(variables, 0) {
  std::vector<std::pair<Lit, Lit>> pairs;
  for (const auto& clause : clauses) {
    if (clause.size() == 2) {
      pairs.emplace_back(clause[0], clause[1]);
      pairs.emplace_back(clause[1], clause[0]);
      continue;
    }
    literals_.insert(literals_.end(), clause.begin(), clause.end());
    std::sort(literals_.begin() + first_.back(), literals_.end());
    clauses_.push_back(static_cast<std::uint32_t>(first_.size()) - 1);
    first_.push_back(static_cast<std::uint32_t>(literals_.size()));
  }
  std::ranges::sort(pairs);
  for (const auto& [one, other] : pairs) {
    partners_.push_back(other);
    ++first_partner_[one + 1];
  }
  std::partial_sum(first_partner_.begin(), first_partner_.end(), first_partner_.begin());
  variables_.resize(variables);
  std::iota(variables_.begin(), variables_.end(), 0);
}

Component Components::whole() const {
  return {0, static_cast<std::uint32_t>(parent_.size()), 0,
          static_cast<std::uint32_t>(first_.size()) - 1};
}

void Components::shrink_to(const Mark& mark) {
  variables_.resize(mark.variables);
  clauses_.resize(mark.clauses);
}

Var Components::root(Var v) {
  while (parent_[v] != v) {
    parent_[v] = parent_[parent_[v]];
    v = parent_[v];
  }
  return v;
}

void Components::join(Var a, Var b) {
  a = root(a);
  b = root(b);
  if (a == b)
    return;
  if (size_[a] < size_[b])
    std::swap(a, b);
  parent_[b] = a;
  size_[a] += size_[b];
}

void Components::join_clauses(const Component& parent, const Solver& solver) {
  active_.clear();
  for (const std::uint32_t c : clauses(parent)) {
    const auto all = literals(c);
    Var one = no_literal;
    const bool satisfied = std::ranges::any_of(all, [&](Lit l) { return solver.value(l) > 0; });
    if (satisfied)
      continue;
    for (const Lit l : all) {
      if (solver.value(l) != 0)
        continue;
      if (one == no_literal)
        one = variable_of(l);
      else
        join(one, variable_of(l));
    }
    active_.emplace_back(c, one);
  }
}

void Components::join_partners(const Component& parent, const Solver& solver) {
  for (const Var v : variables(parent)) {
    if (!solver.is_open(v))
      continue;
    for (const Lit l : {2 * v, 2 * v + 1})
      for (const Lit other : partners(l))
        if (variable_of(other) > v && solver.is_open(variable_of(other)))
          join(v, variable_of(other));
  }
}

void Components::split(const Component& parent, const Solver& solver,
                       std::vector<Component>& found) {
  for (const Var v : variables(parent)) {
    parent_[v] = v;
    size_[v] = 1;
  }
  join_clauses(parent, solver);
  join_partners(parent, solver);
  const std::size_t before = found.size();
  auto variables_end = static_cast<std::uint32_t>(variables_.size());
  for (const Var v : variables(parent)) {
    if (!solver.is_open(v) || root(v) != v || size_[v] == 1)
      continue;
    index_[v] = static_cast<std::uint32_t>(found.size());
    found.push_back({variables_end, variables_end, 0, 0});
    variables_end += size_[v];
  }
  variables_.resize(variables_end);
  for (std::uint32_t i = parent.first_variable; i < parent.end_variable; ++i) {
    const Var v = variables_[i];
    if (solver.is_open(v) && size_[root(v)] > 1)
      variables_[found[index_[root(v)]].end_variable++] = v;
  }
  for (const auto& [clause, v] : active_)
    ++found[index_[root(v)]].end_clause;
  auto clauses_end = static_cast<std::uint32_t>(clauses_.size());
  for (std::size_t i = before; i < found.size(); ++i) {
    found[i].first_clause = clauses_end;
    clauses_end += found[i].end_clause;
    found[i].end_clause = found[i].first_clause;
  }
  clauses_.resize(clauses_end);
  for (const auto& [clause, v] : active_)
    clauses_[found[index_[root(v)]].end_clause++] = clause;
}

} // namespace reasons::cnf
