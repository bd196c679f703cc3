// reduce_db.cpp: deletion of learned clauses by their glue (LBD, Audemard and Simon 2009).
#include "cnf/solver/solver.hpp"

#include <algorithm>

namespace reasons::cnf {
namespace {

constexpr std::uint32_t kept_glue = 2;
constexpr std::uint64_t more_each_time = 200;

} // namespace

/// Drops the half of the learned clauses that spans most levels.
void Solver::reduce_db() {
  const std::vector<ClauseRef> dropped = superfluous();
  if (dropped.size() * 4 < learned_clauses_.size())
    most_learned_ += most_learned_ / 2;
  most_learned_ += more_each_time;
  if (dropped.empty())
    return;
  const Moves moves = close_gaps(dropped);
  renumber([&, first = dropped.front()](ClauseRef c) {
    if (c == no_clause || c < first)
      return c;
    const auto found = std::ranges::lower_bound(moves, c, {}, &Moves::value_type::first);
    return found != moves.end() && found->first == c ? found->second : no_clause;
  });
}

/// In ascending order, without those that are the reason of something on the trail.
std::vector<Solver::ClauseRef> Solver::superfluous() const {
  std::vector<ClauseRef> sorted = learned_clauses_, reasons, result;
  std::ranges::stable_sort(sorted, {}, [&](ClauseRef c) { return arena_[c + 1]; });
  for (const Lit l : trail_)
    if (reason_[variable_of(l)] != no_clause)
      reasons.push_back(reason_[variable_of(l)]);
  std::ranges::sort(reasons);
  for (std::size_t i = sorted.size() / 2; i < sorted.size(); ++i)
    if (arena_[sorted[i] + 1] > kept_glue && !std::ranges::binary_search(reasons, sorted[i]))
      result.push_back(sorted[i]);
  std::ranges::sort(result);
  return result;
}

/// Moves what stays down over the gaps; from where to where, of clauses after the first gap.
Solver::Moves Solver::close_gaps(const std::vector<ClauseRef>& dropped) {
  Moves moves;
  std::uint32_t to = dropped.front();
  std::size_t gap = 0;
  for (std::uint32_t from = to, length = 0; from < arena_.size(); from += length) {
    length = arena_[from] + header;
    if (gap < dropped.size() && dropped[gap] == from) {
      ++gap;
      continue;
    }
    std::copy_n(arena_.begin() + from, length, arena_.begin() + to);
    moves.emplace_back(from, to);
    to += length;
  }
  arena_.resize(to);
  return moves;
}

/// Follows every reference to a clause; those to dropped ones go.
template <class Place> void Solver::renumber(const Place& place) {
  for (auto& list : watches_) {
    for (Watch& watch : list)
      watch.clause = place(watch.clause);
    std::erase_if(list, [](const Watch& watch) { return watch.clause == no_clause; });
  }
  for (const Lit l : trail_)
    reason_[variable_of(l)] = place(reason_[variable_of(l)]);
  for (LateUnit& late : late_)
    late.clause = place(late.clause);
  std::erase_if(late_, [](const LateUnit& l) { return l.clause == no_clause && l.level != 0; });
  for (ClauseRef& c : learned_clauses_)
    c = place(c);
  std::erase(learned_clauses_, no_clause);
}

} // namespace reasons::cnf
