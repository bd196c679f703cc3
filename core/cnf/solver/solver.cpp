#include "cnf/solver/solver.hpp"

#include <algorithm>
#include <cassert>

namespace reasons::cnf {
namespace {

constexpr std::uint64_t first_restart = 64;

/// 1 1 2 1 1 2 4 ...: how long to go on before the next restart.
std::uint64_t luby(std::uint64_t i) {
  std::uint64_t size = 1, result = 1;
  for (; size < i + 1; size = 2 * size + 1)
    result *= 2;
  for (; size - 1 != i; i %= size) {
    size /= 2;
    result /= 2;
  }
  return result;
}

} // namespace

Solver::Solver(Var variables, const std::vector<std::vector<Lit>>& clauses, Budget& budget)
    : budget_(budget), watches_(2 * std::size_t{variables}), value_(2 * std::size_t{variables}, 0),
      level_(variables, 0), reason_(variables, no_clause), seen_(variables, 0),
      level_stamp_(std::size_t{variables} + 1, 0), activity_(variables, 0), phase_(variables, 0),
      model_(variables, 0), scope_stamp_(variables, 0), heap_(variables) {
  for (const auto& clause : clauses)
    (void)add(clause, 0);
}

Solver::ClauseRef Solver::add(std::span<const Lit> clause, std::uint32_t glue) {
  assert(clause.size() >= 2);
  const auto made = static_cast<ClauseRef>(arena_.size());
  arena_.push_back(static_cast<std::uint32_t>(clause.size()));
  arena_.push_back(glue);
  arena_.insert(arena_.end(), clause.begin(), clause.end());
  watches_[negated(clause[0])].push_back({made, clause[1]});
  watches_[negated(clause[1])].push_back({made, clause[0]});
  if (glue != 0)
    learned_clauses_.push_back(made);
  return made;
}

std::vector<Solver::ClauseRef> Solver::clauses() const {
  std::vector<ClauseRef> result;
  for (std::uint32_t at = 0; at < arena_.size(); at += arena_[at] + header)
    result.push_back(at);
  return result;
}

void Solver::detach(ClauseRef c) {
  for (const std::uint32_t i : {0u, 1u})
    std::erase_if(watches_[negated(arena_[c + header + i])],
                  [&](const Watch& watch) { return watch.clause == c; });
  arena_[c + 1] = detached;
}

void Solver::set(Lit l, ClauseRef reason, std::uint32_t level) {
  value_[l] = 1;
  value_[negated(l)] = -1;
  level_[variable_of(l)] = level;
  reason_[variable_of(l)] = reason;
  trail_.push_back(l);
}

void Solver::decide(Lit l) {
  starts_.push_back(static_cast<std::uint32_t>(trail_.size()));
  set(l, no_clause, level());
}

bool Solver::assert_literal(Lit l) {
  assert(level() == 0);
  if (value(l) != 0)
    return value(l) > 0;
  set(l, no_clause, level());
  return true;
}

void Solver::undo_to(std::uint32_t level) {
  if (this->level() <= level)
    return;
  const std::uint32_t keep = starts_[level];
  for (std::size_t i = trail_.size(); i-- > keep;) {
    const Var v = variable_of(trail_[i]);
    value_[trail_[i]] = value_[negated(trail_[i])] = 0;
    phase_[v] = is_positive(trail_[i]);
    if (by_activity_ && scope_stamp_[v] == scope_ && heap_.place[v] == Heap::absent)
      heap_.insert(v, activity_);
  }
  trail_.resize(keep);
  starts_.resize(level);
  propagated_ = keep;
  std::erase_if(late_, [&](const LateUnit& l) { return l.level > level; });
}

Solver::ClauseRef Solver::conflict() {
  while (propagated_ < trail_.size()) {
    const Lit l = trail_[propagated_++];
    budget_.tick();
    auto& list = watches_[l]; // clauses that watch the negation of l
    std::size_t kept = 0, i = 0;
    for (; i < list.size(); ++i) {
      const Watch watch = list[i];
      if (value_[watch.blocker] > 0) {
        list[kept++] = watch;
        continue;
      }
      Lit* c = &arena_[watch.clause + header];
      const std::uint32_t size = arena_[watch.clause];
      if (c[0] == negated(l))
        std::swap(c[0], c[1]);
      if (c[0] != watch.blocker && value_[c[0]] > 0) {
        list[kept++] = {watch.clause, c[0]};
        continue;
      }
      std::uint32_t k = 2;
      while (k < size && value_[c[k]] < 0)
        ++k;
      if (k < size) {
        std::swap(c[1], c[k]);
        watches_[negated(c[1])].push_back({watch.clause, c[0]});
        continue;
      }
      list[kept++] = {watch.clause, c[0]};
      if (value_[c[0]] < 0) {
        for (++i; i < list.size(); ++i)
          list[kept++] = list[i];
        list.resize(kept);
        return watch.clause;
      }
      set(c[0], watch.clause, level());
    }
    list.resize(kept);
  }
  return no_clause;
}

bool Solver::propagate() {
  const ClauseRef found = conflict();
  if (found == no_clause)
    return true;
  (void)learn(found, level());
  return false;
}

bool Solver::satisfiable(std::span<const Var> variables) {
  const std::uint32_t floor = level();
  std::size_t scanned = 0;
  std::uint64_t restarts = 0, until_restart = first_restart;
  bool result = true;
  ++scope_;
  while (result) {
    if (const ClauseRef found = conflict(); found != no_clause) {
      choose_by_activity(variables);
      result = learn(found, floor);
      if (--until_restart == 0 && result) {
        undo_to(floor);
        until_restart = first_restart * luby(++restarts);
      }
    } else if (const Lit l = next_decision(variables, scanned); l != no_literal) {
      decide(l);
    } else {
      break;
    }
  }
  if (result)
    for (const Var v : variables)
      model_[v] = value_[2 * v] > 0;
  by_activity_ = false;
  undo_to(floor);
  return result;
}

/// Most questions are answered without a conflict; only then is the heap worth filling.
void Solver::choose_by_activity(std::span<const Var> variables) {
  if (by_activity_)
    return;
  by_activity_ = true;
  heap_.clear();
  for (const Var v : variables) {
    scope_stamp_[v] = scope_;
    if (is_open(v))
      heap_.insert(v, activity_);
  }
}

Lit Solver::next_decision(std::span<const Var> variables, std::size_t& scanned) {
  if (by_activity_) {
    while (!heap_.items.empty())
      if (const Var v = heap_.take_top(activity_); is_open(v))
        return literal_of(v, phase_[v] != 0);
    return no_literal;
  }
  for (; scanned < variables.size(); ++scanned)
    if (is_open(variables[scanned]))
      return literal_of(variables[scanned], phase_[variables[scanned]] != 0);
  return no_literal;
}

} // namespace reasons::cnf
