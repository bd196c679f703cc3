#include "forest/compile/interval_cache.hpp"

#include <algorithm>

namespace reasons::forest {
namespace {

// With two labels the pairs are (0, 1) and (1, 0).
constexpr std::size_t zero_leads = 0, one_leads = 1;
constexpr Units lowest = INT64_MIN, highest = INT64_MAX;

std::uint64_t priority(std::uint32_t id) {
  std::uint64_t mixed = (id + 1) * 0x9E3779B97F4A7C15ull;
  return (mixed ^ (mixed >> 29)) * 0xBF58476D1CE4E5B9ull;
}

} // namespace

/// The interval that begins last at or below a lead, or first above it.
std::uint32_t IntervalCache::neighbour(std::uint32_t tuple, Units lead, bool below) const {
  std::uint32_t found = none;
  for (std::uint32_t at = first_[tuple]; at != none;) {
    const bool is_below = intervals_[at].low <= lead;
    if (is_below == below)
      found = at;
    at = is_below ? intervals_[at].after : intervals_[at].before;
  }
  return found;
}

std::optional<NodeId> IntervalCache::find(std::uint32_t tuple, std::span<const Units> floor,
                                          std::span<Units> slack) {
  if (tuple >= first_.size())
    return std::nullopt;
  if (pairs_ != 2)
    return find_entry(tuple, floor, slack);
  const Units lead = floor[one_leads];
  const std::uint32_t at = neighbour(tuple, lead, true);
  if (at == none || intervals_[at].high < lead)
    return std::nullopt;
  const Interval& interval = intervals_[at];
  slack[one_leads] = interval.low == lowest ? no_bound : lead - interval.low;
  slack[zero_leads] = interval.high == highest ? no_bound : interval.high - lead;
  return interval.node;
}

void IntervalCache::keep(std::uint32_t tuple, std::span<const Units> floor,
                         std::span<const Units> slack, NodeId node) {
  if (tuple >= first_.size())
    first_.resize(tuple + std::size_t{1}, none);
  if (pairs_ != 2) {
    for (std::size_t p = 0; p < pairs_; ++p)
      least_.push_back(slack[p] == no_bound ? lowest : floor[p] - slack[p]);
    entries_.push_back({node, first_[tuple]});
    first_[tuple] = static_cast<std::uint32_t>(entries_.size() - 1);
    return;
  }
  const Units lead = floor[one_leads];
  Units low = slack[one_leads] == no_bound ? lowest : lead - slack[one_leads];
  Units high = slack[zero_leads] == no_bound ? highest : lead + slack[zero_leads];
  const std::uint32_t below = neighbour(tuple, lead, true), above = neighbour(tuple, lead, false);
  if (above != none)
    high = std::min(high, intervals_[above].low - 1);
  if (below != none)
    low = std::max(low, intervals_[below].high + 1);
  // What is 1 only grows with the lead: a node that is right for two leads is right between.
  if (below != none && intervals_[below].node == node)
    intervals_[below].high = high;
  else if (above != none && intervals_[above].node == node)
    intervals_[above].low = low;
  else
    insert(tuple, {low, high, node, none, none});
}

void IntervalCache::insert(std::uint32_t tuple, Interval made) {
  const auto id = static_cast<std::uint32_t>(intervals_.size());
  intervals_.push_back(made);
  std::uint32_t* link = &first_[tuple];
  while (*link != none && priority(*link) >= priority(id))
    link = made.low < intervals_[*link].low ? &intervals_[*link].before : &intervals_[*link].after;
  std::uint32_t rest = *link;
  *link = id;
  std::uint32_t *before = &intervals_[id].before, *after = &intervals_[id].after;
  while (rest != none) {
    Interval& at = intervals_[rest];
    if (at.low < made.low) {
      *before = rest;
      before = &at.after;
      rest = at.after;
    } else {
      *after = rest;
      after = &at.before;
      rest = at.before;
    }
  }
  *before = *after = none;
}

/// Moves what it finds to the front: sums of neighbouring states are close.
std::optional<NodeId> IntervalCache::find_entry(std::uint32_t tuple, std::span<const Units> floor,
                                                std::span<Units> slack) {
  std::uint32_t* link = &first_[tuple];
  for (; *link != none; link = &entries_[*link].next) {
    const std::uint32_t at = *link;
    const Units* least = least_.data() + at * pairs_;
    std::size_t p = 0;
    while (p < pairs_ && floor[p] >= least[p])
      ++p;
    if (p < pairs_)
      continue;
    for (p = 0; p < pairs_; ++p)
      slack[p] = least[p] == lowest ? no_bound : floor[p] - least[p];
    *link = entries_[at].next;
    entries_[at].next = first_[tuple];
    first_[tuple] = at;
    return entries_[at].node;
  }
  return std::nullopt;
}

std::uint64_t IntervalCache::bytes() const {
  return first_.capacity() * 4 + intervals_.capacity() * sizeof(Interval) +
         entries_.capacity() * sizeof(Entry) + least_.capacity() * 8;
}

} // namespace reasons::forest
