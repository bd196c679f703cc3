#include "forest/search/all_reasons.hpp"

#include "base/error.hpp"
#include "forest/search/greedy_reason.hpp"

#include <algorithm>
#include <numeric>

namespace reasons::forest {

AllReasons::AllReasons(BranchAndBound search, std::vector<Cell> instance, LabelId label)
    : search_(std::move(search)), instance_(std::move(instance)), label_(label),
      all_(search_.ensemble().features()), sets_(search_.ensemble().features()) {
  std::iota(all_.begin(), all_.end(), FeatureId{0});
  if (label == impossible_label || search_.ensemble().decide(instance_) != label)
    throw InputError("the instance does not have the label that is to be explained");
}

std::optional<AllReasons::Found> AllReasons::next(Budget& budget) {
  if (!is_started_) {
    necessary_ = necessary(search_, instance_, label_, budget);
    std::ranges::reverse(necessary_);
    for (const FeatureId f : necessary_)
      sets_.add_edge({f});
    is_started_ = true;
  }
  if (!necessary_.empty()) {
    const FeatureId f = necessary_.back();
    necessary_.pop_back();
    return Found{false, {f}};
  }
  if (!open_)
    open_ = sets_.next(budget);
  if (!open_)
    return std::nullopt;
  auto changed = changed_without(*open_, budget);
  if (changed)
    changed = shrunk(std::move(*changed), budget);
  std::vector<FeatureId> proposed = std::move(*open_);
  open_.reset();
  if (!changed) {
    sets_.accept();
    return Found{true, std::move(proposed)};
  }
  sets_.add_edge(*changed);
  return Found{false, std::move(*changed)};
}

/// What a counter-example that keeps these features changes; none if they suffice.
std::optional<std::vector<FeatureId>> AllReasons::changed_without(std::span<const FeatureId> kept,
                                                                  Budget& budget) const {
  std::vector<bool> loose(all_.size(), true);
  for (const FeatureId f : kept)
    loose[f] = false;
  return changed_within(loose, budget);
}

std::optional<std::vector<FeatureId>> AllReasons::changed_within(const std::vector<bool>& loose,
                                                                 Budget& budget) const {
  auto other =
      search_.other(label_, box_around(search_.ensemble(), instance_, loose), instance_, budget);
  if (!other)
    return std::nullopt;
  move_back(search_.ensemble(), *other, instance_, label_, all_);
  std::vector<FeatureId> changed;
  for (const FeatureId f : all_)
    if ((*other)[f] != instance_[f])
      changed.push_back(f);
  return changed;
}

/// A minimal part of features whose change can change the label. A feature stays if a reason
/// meets the others nowhere, which saves the proof. Features that change the label alone are
/// known, so that two features that are left are needed both.
std::vector<FeatureId> AllReasons::shrunk(std::vector<FeatureId> changed, Budget& budget) const {
  std::vector<bool> needed(all_.size(), false);
  for (const FeatureId f : sets_.sole_hits(changed))
    needed[f] = true;
  for (;;) {
    const auto tried = std::ranges::find_if(changed, [&](FeatureId f) { return !needed[f]; });
    if (changed.size() <= 2 || tried == changed.end())
      return changed;
    std::vector<bool> loose(all_.size(), false);
    for (const FeatureId f : changed)
      loose[f] = f != *tried;
    if (auto fewer = changed_within(loose, budget))
      changed = std::move(*fewer);
    else
      needed[*tried] = true;
  }
}

} // namespace reasons::forest
