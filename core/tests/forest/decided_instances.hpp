// decided_instances.hpp: every instance of a small ensemble with its label, and random ones.
#pragma once

#include "forest/search/branch_and_bound.hpp"
#include "tests/forest/leaf_tables.hpp"
#include "tests/forest/random_forest.hpp"

#include <algorithm>

namespace reasons::testing {

using forest::Box;
using forest::Ensemble;

inline Instance random_instance(const Ensemble& ensemble, Rng& rng) {
  Instance instance;
  for (FeatureId f = 0; f < ensemble.features(); ++f)
    instance.push_back(static_cast<Cell>(rng() % ensemble.domain(f)));
  return instance;
}

/// Every instance with its label.
class Decided {
public:
  explicit Decided(const Ensemble& ensemble) {
    for (Instance& instance : all_instances(ensemble.forest().domains)) {
      const LabelId label = ensemble.decide(instance);
      if (label != impossible_label)
        all_.emplace_back(std::move(instance), label);
    }
  }
  [[nodiscard]] bool any_other(const Box& box, LabelId label) const {
    return std::ranges::any_of(
        all_, [&](const auto& each) { return each.second != label && contains(box, each.first); });
  }

private:
  std::vector<std::pair<Instance, LabelId>> all_;
};

} // namespace reasons::testing
