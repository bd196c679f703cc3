#include "forest/pair/pair_search.hpp"

#include "forest/pair/random_walk.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace reasons::forest {

PairSearch::PairSearch(const Ensemble& ensemble, std::span<const FeatureId> protected_features,
                       Budget& budget)
    : ensemble_(ensemble), budget_(budget), ticker_(budget), one_(identity_mapping(ensemble)) {
  for (const FeatureId f : protected_features)
    one_.domains.push_back(ensemble.domain(f));
  other_ = one_;
  FeatureId next = ensemble.features();
  for (const FeatureId f : protected_features)
    other_.of[f] = next++;
}

std::vector<PairSearch::Part> PairSearch::parts_of(LabelId one, LabelId other) {
  std::vector<Part> parts;
  Box all;
  for (const std::uint32_t cells : one_.domains)
    all.emplace_back(cells, true);
  const std::vector<Cell> like(all.size(), 0);
  const auto add = [&](const Lead& lead) {
    budget_.check();
    parts.push_back({Relaxation(lead.table, like), lead.limit});
  };
  add(joint_lead_of(ensemble_, other, one, one_, other_, all, budget_));
  for (LabelId third = 0; third < ensemble_.labels(); ++third) {
    if (third != one)
      add(lead_of(ensemble_, third, one, one_, all, budget_));
    if (third != other)
      add(lead_of(ensemble_, third, other, other_, all, budget_));
  }
  return parts;
}

PairSearch::Open PairSearch::narrowed(const Open& open, Box box) {
  Open next{std::move(box), {}};
  for (const Part& part : open.parts) {
    ticker_.add(part.relaxation.size());
    next.parts.push_back({part.relaxation.within(next.box), part.limit});
  }
  return next;
}

/// Sweeps all parts; cells that one of them closes are out of the box.
bool PairSearch::is_refuted(Open& at) {
  for (Part& part : at.parts) {
    if (refuted(part.relaxation, part.limit, ticker_))
      return true;
    part.relaxation.close(at.box);
  }
  return std::any_of(at.box.begin(), at.box.end(), [](const std::vector<bool>& cells) {
    return std::find(cells.begin(), cells.end(), true) == cells.end();
  });
}

std::optional<query::InstancePair> PairSearch::checked(const std::vector<Cell>& cells) const {
  query::InstancePair pair;
  for (FeatureId f = 0; f < ensemble_.features(); ++f) {
    pair.first.push_back(cells[one_.of[f]]);
    pair.second.push_back(cells[other_.of[f]]);
  }
  return differ(ensemble_, pair) ? std::optional(std::move(pair)) : std::nullopt;
}

/// Looks where the sums are low; where no part has features left, at the only pair there is.
std::optional<query::InstancePair> PairSearch::low_pair(const Open& at) const {
  std::vector<Cell> first;
  for (const std::vector<bool>& cells : at.box)
    first.push_back(static_cast<Cell>(std::find(cells.begin(), cells.end(), true) - cells.begin()));
  if (auto found = checked(first))
    return found;
  std::vector<std::uint32_t> choice;
  for (const Part& part : at.parts) {
    part.relaxation.descend(choice);
    std::vector<Cell> cells = first;
    for (std::size_t f = 0; f < choice.size(); ++f) {
      const FeatureId id = part.relaxation.feature(f);
      const std::vector<bool>& allowed = at.box[id];
      const std::size_t end = part.relaxation.end_cell(f, choice[f], allowed.size());
      for (std::size_t c = part.relaxation.first_cell(f, choice[f]); c < end; ++c)
        if (allowed[c])
          cells[id] = static_cast<Cell>(c);
    }
    if (auto found = checked(cells))
      return found;
  }
  return std::nullopt;
}

/// Halves the box where the bound of some part rises most, of what it is short of. False where
/// all pairs in the box have the same leaves.
bool PairSearch::split(Open at, std::vector<Open>& open) {
  at = narrowed(at, at.box);
  FeatureId feature = 0;
  std::size_t cut = 0;
  bool lower_first = false;
  double most = -1;
  for (Part& part : at.parts) {
    const BoxSplit best = best_split(part.relaxation);
    if (best.value == 0)
      continue;
    const auto missing = static_cast<double>(part.limit - part.relaxation.bound());
    const double gain = std::sqrt(best.gain) / (std::max(missing, 0.0) + 1);
    if (gain > most) {
      most = gain;
      feature = part.relaxation.feature(best.feature);
      cut = part.relaxation.first_cell(best.feature, best.value);
      lower_first = best.lower_first;
    }
  }
  if (most < 0)
    return false;
  Box lower = at.box, upper = at.box;
  for (std::size_t c = 0; c < lower[feature].size(); ++c)
    (c < cut ? upper : lower)[feature][c] = false;
  if (lower_first)
    std::swap(lower, upper);
  open.push_back(narrowed(at, std::move(lower)));
  open.push_back(narrowed(at, std::move(upper)));
  return true;
}

std::optional<query::InstancePair> PairSearch::with_labels(LabelId one, LabelId other) {
  Box all;
  for (const std::uint32_t cells : one_.domains)
    all.emplace_back(cells, true);
  std::vector<Open> open;
  open.push_back(narrowed({all, parts_of(one, other)}, all));
  while (!open.empty()) {
    Open at = std::move(open.back());
    open.pop_back();
    if (is_refuted(at))
      continue;
    if (auto found = low_pair(at))
      return found;
    (void)split(std::move(at), open);
  }
  return std::nullopt;
}

} // namespace reasons::forest
