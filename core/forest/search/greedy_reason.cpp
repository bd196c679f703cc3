#include "forest/search/greedy_reason.hpp"

#include "base/error.hpp"
#include "forest/search/probe.hpp"

#include <algorithm>
#include <utility>

namespace reasons::forest {
namespace {

void require_order(const Ensemble& ensemble, std::span<const FeatureId> order) {
  std::vector<bool> met(ensemble.features(), false);
  for (const FeatureId f : order) {
    if (f >= met.size() || met[f])
      throw InputError("the order in which features are dropped does not list each once");
    met[f] = true;
  }
  if (order.size() != met.size())
    throw InputError("the order in which features are dropped does not list all");
}

} // namespace

Box box_around(const Ensemble& ensemble, std::span<const Cell> instance,
               const std::vector<bool>& loose) {
  Box box(ensemble.features());
  for (FeatureId f = 0; f < ensemble.features(); ++f) {
    box[f].assign(ensemble.domain(f), loose[f]);
    box[f][instance[f]] = true;
  }
  return box;
}

void move_back(const Ensemble& ensemble, std::vector<Cell>& other, std::span<const Cell> instance,
               LabelId label, std::span<const FeatureId> order) {
  for (const FeatureId f : order)
    if (other[f] != instance[f]) {
      const Cell was = std::exchange(other[f], instance[f]);
      const LabelId now = ensemble.decide(other);
      if (now == label || now == impossible_label)
        other[f] = was;
    }
}

std::vector<FeatureId> sufficient(const BranchAndBound& search, std::span<const Cell> instance,
                                  LabelId label, std::span<const FeatureId> drop_order,
                                  Budget& budget) {
  // What dropping one by one keeps is found the other way round: of the features not yet
  // settled, the first one that cannot be dropped together with all before it. Counter-examples
  // show where it is at the latest, and one proof that it is not earlier.
  const Ensemble& ensemble = search.ensemble();
  require_order(ensemble, drop_order);
  if (label == impossible_label || ensemble.decide(instance) != label)
    throw InputError("the instance does not have the label that is to be explained");
  const std::vector<FeatureId> last_first(drop_order.rbegin(), drop_order.rend());
  std::vector<bool> loose(ensemble.features(), false);
  std::vector<std::vector<Cell>> examples;
  std::vector<FeatureId> kept;
  const std::size_t all = drop_order.size();
  const auto last_changed = [&](const std::vector<Cell>& example) {
    std::size_t last = all;
    while (example[drop_order[last - 1]] == instance[drop_order[last - 1]])
      --last;
    return last - 1;
  };
  const auto keeps = [&](const std::vector<Cell>& example, std::span<const FeatureId> features) {
    return std::all_of(features.begin(), features.end(),
                       [&](FeatureId f) { return example[f] == instance[f]; });
  };
  for (std::size_t settled = 0; settled < all;) {
    std::size_t end = all; // it is among drop_order[settled, end), or there is none
    for (const auto& example : examples)
      if (keeps(example, kept))
        end = std::min(end, last_changed(example));
    bool found = end < all;
    for (;;) {
      std::vector<bool> now = loose;
      for (std::size_t i = settled; i < end; ++i)
        now[drop_order[i]] = true;
      if (end == settled) // nothing new is loose
        break;
      auto example = search.other(label, box_around(ensemble, instance, now), instance, budget);
      if (!example) {
        loose = std::move(now);
        break;
      }
      move_back(ensemble, *example, instance, label, last_first);
      end = last_changed(*example);
      found = true;
      examples.push_back(std::move(*example));
    }
    if (!found)
      break;
    kept.push_back(drop_order[end]);
    settled = end + 1;
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

std::vector<FeatureId> necessary(const BranchAndBound& search, std::span<const Cell> instance,
                                 LabelId label, Budget& budget) {
  const Ensemble& ensemble = search.ensemble();
  budget.check();
  Probe probe(ensemble, label,
              box_around(ensemble, instance, std::vector<bool>(ensemble.features(), true)), budget);
  std::vector<Cell> changed(instance.begin(), instance.end());
  std::vector<FeatureId> found;
  for (FeatureId f = 0; f < ensemble.features(); ++f) {
    for (const std::uint32_t cell : probe.turns(f, changed)) {
      budget.check();
      changed[f] = static_cast<Cell>(cell);
      const LabelId now = ensemble.decide(changed);
      if (now != label && now != impossible_label) {
        found.push_back(f);
        break;
      }
    }
    changed[f] = instance[f];
  }
  return found;
}

} // namespace reasons::forest
