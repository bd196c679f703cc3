// test_widen_reason.cpp: widened reasons, beside their definition and a look at every instance.
#include "base/error.hpp"
#include "forest/search/greedy_reason.hpp"
#include "forest/search/planted/widen_reason.hpp"
#include "forest/search/widen_reason.hpp"
#include "tests/forest/decided_instances.hpp"
#include "tests/support/harness.hpp"

#include <numeric>

using namespace reasons;
using namespace reasons::forest;
using namespace reasons::testing;

namespace {

using Widened = std::vector<std::vector<Cell>>;

std::shared_ptr<const Ensemble> random_ensemble(std::uint32_t seed) {
  ForestShape shape = random_shape(seed);
  if (seed % 3 == 0) {
    shape.domains = {8 + seed % 9, 6, 5, 3};
    shape.trees = 8;
    shape.depth = 4;
  }
  Forest forest = random_forest(shape, seed);
  if (seed % 5 == 4 && shape.trees > 0)
    forest = settled_elsewhere(std::move(forest));
  return std::make_shared<const Ensemble>(std::move(forest));
}

/// A reason in any order, of numbers (the last cell is missing, at times) and of categories.
std::vector<WidenedFeature> random_reason(const BranchAndBound& search, const Instance& instance,
                                          LabelId label, Rng& rng) {
  const Ensemble& ensemble = search.ensemble();
  std::vector<FeatureId> order(ensemble.features());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::shuffle(order, rng);
  Budget budget;
  std::vector<FeatureId> kept = sufficient(search, instance, label, order, budget);
  std::ranges::shuffle(kept, rng);
  std::vector<WidenedFeature> reason;
  for (const FeatureId f : kept) {
    const auto numbers = static_cast<std::uint32_t>(ensemble.domain(f) - rng() % 2);
    reason.push_back({f, rng() % 3 > 0 && instance[f] < numbers ? numbers : 0});
  }
  return reason;
}

/// Feature by feature: the cells with which no instance of the box has another label.
Widened widened_one_by_one(const Ensemble& ensemble, const Instance& instance, LabelId label,
                           const std::vector<WidenedFeature>& reason) {
  const Decided decided(ensemble);
  Box box = box_around(ensemble, instance, std::vector<bool>(ensemble.features(), true));
  for (const auto& [f, numbers] : reason) {
    box[f].assign(box[f].size(), false);
    box[f][instance[f]] = true;
  }
  Widened widened;
  for (const auto& [f, numbers] : reason) {
    std::vector<bool> good(ensemble.domain(f), false);
    for (std::uint32_t c = 0; c < good.size(); ++c) {
      Box one = box;
      one[f].assign(good.size(), false);
      one[f][c] = true;
      good[c] = !decided.any_other(one, label);
    }
    std::vector<Cell> cells;
    for (std::uint32_t c = 0; c < good.size(); ++c) {
      bool in = good[c];
      if (numbers > 0) // all between it and the instance's
        for (std::uint32_t b = std::min<std::uint32_t>(c, instance[f]);
             b <= std::max<std::uint32_t>(c, instance[f]); ++b)
          in = in && good[b] && c < numbers;
      if (in)
        cells.push_back(static_cast<Cell>(c));
    }
    for (const Cell c : cells)
      box[f][c] = true;
    widened.push_back(std::move(cells));
  }
  return widened;
}

} // namespace

TEST(a_widened_reason_is_that_of_its_definition) {
  std::size_t wider = 0, mistakes = 0;
  for (std::uint32_t seed = 0; seed < 1500; ++seed) {
    Rng rng(seed);
    const auto ensemble = random_ensemble(seed);
    const BranchAndBound search(ensemble);
    const Instance instance = random_instance(*ensemble, rng);
    const LabelId label = ensemble->decide(instance);
    if (label == impossible_label)
      continue;
    const auto reason = random_reason(search, instance, label, rng);
    const Widened expected = widened_one_by_one(*ensemble, instance, label, reason);
    Budget budget;
    const Widened found = widened(search, instance, label, reason, budget);
    CHECK(found == expected);
    wider += std::ranges::any_of(found, [](const auto& cells) { return cells.size() > 1; });
    std::vector<forest::planted::WidenedFeature> same;
    for (const auto& [f, numbers] : reason)
      same.push_back({f, numbers});
    mistakes += forest::planted::widened(search, instance, label, same, budget) != expected;
  }
  CHECK(wider > 200);
  CHECK(mistakes > 0); // counter-examples outside the box that cut it all the same are noticed
}

TEST(features_that_do_not_suffice_are_not_widened) {
  std::size_t refused = 0;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    Rng rng(seed);
    const auto ensemble = random_ensemble(seed);
    const BranchAndBound search(ensemble);
    const Instance instance = random_instance(*ensemble, rng);
    const LabelId label = ensemble->decide(instance);
    if (label == impossible_label)
      continue;
    std::vector<WidenedFeature> fewer = random_reason(search, instance, label, rng);
    if (fewer.empty())
      continue;
    fewer.pop_back();
    Budget budget;
    CHECK_THROWS(InputError, (void)widened(search, instance, label, fewer, budget));
    ++refused;
  }
  CHECK(refused > 50);
}
