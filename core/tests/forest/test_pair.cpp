// test_pair.cpp: pairs that differ on protected features, beside a look at every pair.
#include "base/error.hpp"
#include "forest/pair/differing_pair.hpp"
#include "forest/pair/pair_search.hpp"
#include "forest/pair/random_walk.hpp"
#include "tests/forest/random_forest.hpp"
#include "tests/support/harness.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

using namespace reasons;
using namespace reasons::forest;
using namespace reasons::query;
using namespace reasons::testing;

namespace {

std::shared_ptr<const Ensemble> random_ensemble(std::uint32_t seed) {
  ForestShape shape = random_shape(seed);
  if (shape.domains.size() > 1 && seed % 3 == 0) // a rare test of a protected feature
    shape.trees += 3;
  Forest forest = random_forest(shape, seed);
  // with more labels the settled one could be a label that is certainly beaten
  if (seed % 5 == 4 && shape.trees > 0 && shape.labels <= 2)
    forest = settled_elsewhere(std::move(forest));
  return std::make_shared<const Ensemble>(std::move(forest));
}

std::vector<FeatureId> random_features(const Ensemble& ensemble, Rng& rng) {
  std::vector<FeatureId> features;
  for (FeatureId f = 0; f < ensemble.features(); ++f)
    if (rng() % 3 == 0)
      features.push_back(f);
  return features;
}

/// The pairs of labels that instances have which differ on the features only.
std::set<std::pair<LabelId, LabelId>> label_pairs(const Ensemble& ensemble,
                                                  const std::vector<FeatureId>& features) {
  std::map<Instance, std::set<LabelId>> labels;
  for (const Instance& instance : all_instances(ensemble.forest().domains)) {
    Instance shared = instance;
    for (const FeatureId f : features)
      shared[f] = 0;
    if (const LabelId label = ensemble.decide(instance); label != impossible_label)
      labels[shared].insert(label);
  }
  std::set<std::pair<LabelId, LabelId>> found;
  for (const auto& [shared, there] : labels)
    for (const LabelId one : there)
      for (const LabelId other : there)
        if (one != other)
          found.emplace(one, other);
  return found;
}

bool is_witness(const Ensemble& ensemble, const std::vector<FeatureId>& features,
                const InstancePair& pair) {
  for (FeatureId f = 0; f < ensemble.features(); ++f)
    if (pair.first[f] != pair.second[f] && std::ranges::find(features, f) == features.end())
      return false;
  return ensemble.decide(pair.first) != ensemble.decide(pair.second) &&
         ensemble.decide(pair.first) != impossible_label &&
         ensemble.decide(pair.second) != impossible_label;
}

} // namespace

TEST(a_differing_pair_of_an_ensemble_is_found_if_and_only_if_there_is_one) {
  std::size_t some = 0, none = 0;
  for (std::uint32_t seed = 0; seed < 3000; ++seed) {
    Rng rng(seed);
    const BranchAndBound search(random_ensemble(seed));
    const auto features = random_features(search.ensemble(), rng);
    Budget budget;
    const auto pair = differing_pair(search, features, budget);
    const bool right = pair ? is_witness(search.ensemble(), features, *pair)
                            : label_pairs(search.ensemble(), features).empty();
    if (!right)
      std::printf("seed %u\n", seed);
    CHECK(right);
    ++(pair ? some : none);
  }
  CHECK(some > 100 && none > 100);
}

TEST(branch_and_bound_alone_finds_a_pair_for_any_two_labels_that_have_one) {
  std::size_t some = 0, none = 0;
  for (std::uint32_t seed = 0; seed < 3000; ++seed) {
    Rng rng(seed + 5);
    const auto ensemble = random_ensemble(seed);
    const auto features = random_features(*ensemble, rng);
    const auto there = label_pairs(*ensemble, features);
    Budget budget;
    PairSearch pairs(*ensemble, features, budget);
    for (LabelId one = 0; one < ensemble->labels(); ++one)
      for (LabelId other = 0; other < ensemble->labels(); ++other) {
        if (one == other)
          continue;
        const auto pair = pairs.with_labels(one, other);
        const bool right =
            pair ? is_witness(*ensemble, features, *pair) : !there.contains({one, other});
        if (!right)
          std::printf("seed %u\n", seed);
        CHECK(right);
        ++(pair ? some : none);
      }
  }
  CHECK(some > 200 && none > 200);
}

TEST(features_that_no_tree_tests_cannot_make_a_difference) {
  Forest forest = random_forest({.domains = {3, 3, 3}, .trees = 4}, 1);
  for (FeatureId& f : forest.test_feature)
    f %= 2;
  const BranchAndBound search(std::make_shared<const Ensemble>(std::move(forest)));
  Budget none(Budget::unlimited, Budget::unlimited, 0);
  CHECK(!differing_pair(search, std::vector<FeatureId>{2, 2}, none)); // needs no time
  CHECK_THROWS(InputError, differing_pair(search, std::vector<FeatureId>{3}, none));
  CHECK_THROWS(BudgetExceeded, differing_pair(search, std::vector<FeatureId>{0}, none));
}
