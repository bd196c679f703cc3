// test_branch_and_bound.cpp: what search says of an ensemble, beside a look at every instance.
#include "base/error.hpp"
#include "forest/search/greedy_reason.hpp"
#include "forest/search/probe.hpp"
#include "tests/forest/decided_instances.hpp"
#include "tests/forest/leaf_tables.hpp"
#include "tests/forest/random_forest.hpp"
#include "tests/support/harness.hpp"

#include <chrono>
#include <cstdio>
#include <numeric>

using namespace reasons;
using namespace reasons::forest;
using namespace reasons::testing;

namespace {

/// Random trees of every kind; every eighth with a feature of more than 64 cells.
std::shared_ptr<const Ensemble> random_ensemble(std::uint32_t seed) {
  ForestShape shape = random_shape(seed);
  if (seed % 8 == 3) {
    shape.domains = {70 + seed % 90, 2};
    shape.trees = 1 + seed % 3;
    shape.depth = 8;
  }
  Forest forest = random_forest(shape, seed);
  if (seed % 5 == 4 && shape.trees > 0)
    forest = settled_elsewhere(std::move(forest));
  return std::make_shared<const Ensemble>(std::move(forest));
}

/// A label that could be meant: the instance's, or any where there is none.
LabelId some_label(const Ensemble& ensemble, const Instance& instance, Rng& rng) {
  const LabelId label = ensemble.decide(instance);
  return label != impossible_label && rng() % 4 > 0 ? label : rng() % ensemble.labels();
}

/// Features dropped one by one, each if the label is still forced.
std::vector<FeatureId> dropped_one_by_one(const Ensemble& ensemble, const Instance& instance,
                                          LabelId label, const std::vector<FeatureId>& order) {
  const Decided decided(ensemble);
  std::vector<bool> loose(ensemble.features(), false);
  for (const FeatureId f : order) {
    loose[f] = true;
    if (decided.any_other(box_around(ensemble, instance, loose), label))
      loose[f] = false;
  }
  std::vector<FeatureId> kept;
  for (FeatureId f = 0; f < ensemble.features(); ++f)
    if (!loose[f])
      kept.push_back(f);
  return kept;
}

std::vector<FeatureId> shuffled_features(const Ensemble& ensemble, Rng& rng) {
  std::vector<FeatureId> order(ensemble.features());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::shuffle(order, rng);
  return order;
}

/// Trees that take long to search: the cut is a little below what their sum can be.
std::shared_ptr<const Ensemble> hard_ensemble(double cut) {
  const ForestShape shape{.domains = std::vector<std::uint32_t>(30, 6),
                          .trees = 100,
                          .depth = 6,
                          .rule = Rule::cut,
                          .values = Values::any};
  Forest forest = random_forest(shape, 1);
  forest.cut = cut;
  forest.divisor = 1;
  return std::make_shared<const Ensemble>(std::move(forest));
}

} // namespace

TEST(another_label_is_found_in_a_box_if_and_only_if_there_is_one) {
  std::size_t none = 0, some = 0, sure = 0, impossible = 0;
  for (std::uint32_t seed = 0; seed < 3000; ++seed) {
    Rng rng(seed);
    const BranchAndBound search(random_ensemble(seed));
    const Ensemble& ensemble = search.ensemble();
    const Decided decided(ensemble);
    sure += ensemble.exact();
    for (int i = 0; i < 3; ++i) {
      const Box box = random_part(whole_box(ensemble.forest().domains), rng);
      const Instance like = random_instance(ensemble, rng);
      const LabelId label = some_label(ensemble, like, rng);
      impossible += ensemble.decide(like) == impossible_label;
      Budget budget;
      const auto found = search.other(label, box, like, budget);
      const bool right = found.has_value() == decided.any_other(box, label) &&
                         (!found || (contains(box, *found) && ensemble.decide(*found) != label &&
                                     ensemble.decide(*found) != impossible_label));
      if (!right)
        std::printf("seed %u, box %d\n", seed, i);
      CHECK(right);
      ++(found ? some : none);
    }
  }
  CHECK(none > 500 && some > 500 && sure > 500 && sure < 2500 && impossible > 100);
}

TEST(a_sufficient_set_is_what_dropping_one_by_one_leaves) {
  std::size_t lengths = 0;
  for (std::uint32_t seed = 0; seed < 2000; ++seed) {
    Rng rng(seed + 77);
    const BranchAndBound search(random_ensemble(seed));
    const Ensemble& ensemble = search.ensemble();
    for (int i = 0; i < 2; ++i) {
      const Instance instance = random_instance(ensemble, rng);
      const LabelId label = ensemble.decide(instance);
      if (label == impossible_label)
        continue;
      const auto order = shuffled_features(ensemble, rng);
      Budget budget;
      const auto kept = sufficient(search, instance, label, order, budget);
      const bool right = kept == dropped_one_by_one(ensemble, instance, label, order);
      if (!right)
        std::printf("seed %u\n", seed);
      CHECK(right);
      lengths += kept.size();
    }
  }
  CHECK(lengths > 300);
}

TEST(necessary_features_are_those_a_change_of_which_alone_changes_the_label) {
  std::size_t lengths = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    Rng rng(seed + 99);
    const BranchAndBound search(random_ensemble(seed));
    const Ensemble& ensemble = search.ensemble();
    const Instance instance = random_instance(ensemble, rng);
    const LabelId label = ensemble.decide(instance);
    if (label == impossible_label)
      continue;
    const Decided decided(ensemble);
    std::vector<FeatureId> changing;
    for (FeatureId f = 0; f < ensemble.features(); ++f) {
      std::vector<bool> loose(ensemble.features(), false);
      loose[f] = true;
      if (decided.any_other(box_around(ensemble, instance, loose), label))
        changing.push_back(f);
    }
    Budget budget;
    CHECK(necessary(search, instance, label, budget) == changing);
    lengths += changing.size();
  }
  CHECK(lengths > 100);
}

TEST(where_no_tree_minds_a_found_instance_is_like_the_given_one) {
  ForestShape shape{.domains = {3, 3, 3, 3}, .trees = 3, .depth = 2};
  std::size_t alike = 0;
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    Rng rng(seed);
    Forest forest = random_forest(shape, seed);
    for (FeatureId& f : forest.test_feature)
      f = f % 2; // nothing tests the last two
    const BranchAndBound search(std::make_shared<const Ensemble>(std::move(forest)));
    const Instance like = random_instance(search.ensemble(), rng);
    Budget budget;
    const auto found =
        search.other(search.ensemble().decide(like), whole_box(shape.domains), like, budget);
    if (!found)
      continue;
    CHECK((*found)[2] == like[2] && (*found)[3] == like[3]);
    ++alike;
  }
  CHECK(alike > 100);
}

TEST(a_label_that_the_instance_does_not_have_and_a_wrong_order_are_refused) {
  const BranchAndBound search(random_ensemble(2));
  const Ensemble& ensemble = search.ensemble();
  Rng rng(1);
  Instance instance = random_instance(ensemble, rng);
  const LabelId label = ensemble.decide(instance);
  std::vector<FeatureId> order = shuffled_features(ensemble, rng);
  Budget budget;
  const Box all = whole_box(ensemble.forest().domains);
  CHECK_THROWS(InputError, search.other(ensemble.labels(), all, instance, budget));
  CHECK_THROWS(InputError, search.other(impossible_label, all, instance, budget));
  CHECK_THROWS(InputError, sufficient(search, instance, label + 1, order, budget));
  CHECK_THROWS(InputError, sufficient(search, instance, impossible_label, order, budget));
  order.push_back(order[0]);
  CHECK_THROWS(InputError, sufficient(search, instance, label, order, budget));
  order.pop_back();
  order.back() = ensemble.features();
  CHECK_THROWS(InputError, sufficient(search, instance, label, order, budget));
}

TEST(a_long_search_stops_soon_after_its_time_is_over) {
  std::size_t exceeded = 0;
  for (const double cut : {-10, -15, -20, -25, -30, -35, -40}) {
    const BranchAndBound search(hard_ensemble(cut));
    const Box all = whole_box(search.ensemble().forest().domains);
    const Instance like(search.ensemble().features(), 0);
    Budget none(Budget::unlimited, Budget::unlimited, 0);
    CHECK_THROWS(BudgetExceeded, search.other(1, all, like, none));
    const auto started = std::chrono::steady_clock::now();
    try {
      Budget little(Budget::unlimited, Budget::unlimited, 0.3);
      (void)search.other(1, all, like, little);
    } catch (const BudgetExceeded&) {
      ++exceeded;
    }
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - started;
    CHECK(spent.count() < 10); // with sanitizers, on a busy machine, relaxations included
  }
  CHECK(exceeded > 0);
}

TEST(a_probe_finds_most_counterexamples_and_no_false_ones) {
  std::size_t there = 0, found = 0, guarded = 0;
  for (std::uint32_t seed = 0; seed < 2000; ++seed) {
    Rng rng(seed);
    const auto ensemble = random_ensemble(seed);
    const Decided decided(*ensemble);
    const Box box = random_part(whole_box(ensemble->forest().domains), rng);
    const Instance like = random_instance(*ensemble, rng);
    const LabelId label = some_label(*ensemble, like, rng);
    Budget budget;
    const auto other = Probe(*ensemble, label, box, budget).descend(like);
    there += decided.any_other(box, label);
    if (!other)
      continue;
    ++found;
    guarded += !ensemble->forest().guard_first.empty();
    const LabelId now = ensemble->decide(*other);
    CHECK(contains(box, *other) && now != label && now != impossible_label);
  }
  CHECK(found <= there && 10 * found > 8 * there && guarded > 50);
}
