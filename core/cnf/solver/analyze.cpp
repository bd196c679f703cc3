// analyze.cpp: conflict analysis to the first unique implication point, with minimization.
#include "cnf/solver/solver.hpp"

#include <algorithm>
#include <cassert>

namespace reasons::cnf {
namespace {

constexpr double decay = 0.95, most_activity = 1e100;
constexpr std::size_t most_late = 256;

} // namespace

bool Solver::learn(ClauseRef found, std::uint32_t floor) {
  ++conflicts_;
  std::uint32_t at = 0;
  for (const Lit l : literals(found))
    at = std::max(at, level_of(l));
  if (at == 0)
    return false;
  analyze(found, at);
  increment_ /= decay;
  std::uint32_t back = 0;
  for (std::size_t i = 1; i < learned_.size(); ++i)
    if (level_of(learned_[i]) > back) {
      back = level_of(learned_[i]);
      std::swap(learned_[1], learned_[i]);
    }
  const ClauseRef made = learned_.size() > 1 ? add(learned_, glue_of(learned_)) : no_clause;
  if (at <= floor) {
    if (back < at && late_.size() < most_late)
      late_.push_back({learned_[0], made, back});
    return false;
  }
  undo_to(std::max(back, floor));
  set(learned_[0], made, back);
  if (back < floor && late_.size() < most_late)
    late_.push_back({learned_[0], made, back});
  if (learned_clauses_.size() > most_learned_)
    reduce_db();
  return true;
}

void Solver::analyze(ClauseRef found, std::uint32_t at) {
  learned_.assign(1, no_literal);
  std::size_t next = trail_.size();
  std::uint32_t open = 0;
  Lit l = no_literal;
  for (ClauseRef c = found;; c = reason_[variable_of(l)]) {
    for (const Lit other : literals(c)) {
      const Var v = variable_of(other);
      if (other == l || seen_[v] || level_[v] == 0)
        continue;
      seen_[v] = 1;
      to_clear_.push_back(v);
      bump(v);
      if (level_[v] >= at)
        ++open;
      else
        learned_.push_back(other);
    }
    do
      l = trail_[--next];
    while (!seen_[variable_of(l)] || level_of(l) < at);
    if (--open == 0)
      break;
  }
  learned_[0] = negated(l);
  std::erase_if(learned_, [&](Lit other) { return other != learned_[0] && is_implied(other); });
  for (const Var v : to_clear_)
    seen_[v] = 0;
  to_clear_.clear();
}

/// Whether the other learned literals make this one superfluous.
bool Solver::is_implied(Lit l) const {
  const ClauseRef c = reason_[variable_of(l)];
  if (c == no_clause)
    return false;
  return std::ranges::all_of(literals(c), [&](Lit other) {
    const Var v = variable_of(other);
    return v == variable_of(l) || seen_[v] || level_[v] == 0;
  });
}

std::uint32_t Solver::glue_of(std::span<const Lit> clause) {
  std::uint32_t glue = 0;
  ++stamp_;
  for (const Lit l : clause)
    if (level_stamp_[level_of(l)] != stamp_) {
      level_stamp_[level_of(l)] = stamp_;
      ++glue;
    }
  return glue;
}

void Solver::bump(Var v) {
  activity_[v] += increment_;
  if (activity_[v] > most_activity) {
    for (double& a : activity_)
      a /= most_activity;
    increment_ /= most_activity;
  }
  if (by_activity_ && heap_.place[v] != Heap::absent)
    heap_.sift_up(heap_.place[v], activity_);
}

void Solver::set_late() {
  for (const LateUnit& late : late_) {
    // A late literal may rest on another that was not set again: then it does not follow yet.
    const auto is_false = [&](Lit l) { return l == late.literal || value(l) < 0; };
    if (value(late.literal) == 0 &&
        (late.clause == no_clause || std::ranges::all_of(literals(late.clause), is_false)))
      set(late.literal, late.clause, late.level);
  }
}

} // namespace reasons::cnf
