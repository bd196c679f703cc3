// test_compile_trees.cpp: compiled sums of trees, beside the sums on every instance.
#include "base/error.hpp"
#include "circuit/validator.hpp"
#include "forest/compile/compile_trees.hpp"
#include "forest/compile/planted/compile_trees.hpp"
#include "forest/compile/size_estimate.hpp"
#include "tests/forest/random_forest.hpp"
#include "tests/support/harness.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>

using namespace reasons;
using namespace reasons::circuit;
using namespace reasons::forest;
using namespace reasons::testing;

namespace {

Circuit compiled(const Ensemble& ensemble, const std::vector<FeatureId>& order = {},
                 CompileTreesStats* stats = nullptr) {
  Budget budget;
  return compile_trees(ensemble, order, budget, stats);
}

/// Settled states are shared like certain ones: a bug that planted.cmake puts in.
Circuit compiled_wrongly(const Ensemble& ensemble, const std::vector<FeatureId>& order) {
  Budget budget;
  return forest::planted::compile_trees(ensemble, order, budget);
}

/// Instances on which the circuit and the sums differ.
std::size_t differences(const Ensemble& ensemble, const Circuit& circuit) {
  std::size_t found = 0;
  for (const Instance& instance : all_instances(ensemble.forest().domains))
    found += label_of(circuit, instance) != ensemble.decide(instance);
  return found;
}

bool is_sound(const Circuit& circuit) {
  Budget budget;
  return !first_violation(circuit, budget);
}

bool is_right(const Ensemble& ensemble, const Circuit& circuit) {
  return differences(ensemble, circuit) == 0 && is_sound(circuit);
}

std::vector<FeatureId> shuffled_order(const Ensemble& ensemble, std::uint32_t seed) {
  std::vector<FeatureId> order(ensemble.features());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), Rng(seed));
  return order;
}

/// Trees that each add `first` to the score where their own feature is 0, otherwise `second`.
Forest stumps(const std::vector<std::pair<double, double>>& rows) {
  Forest forest;
  forest.rule = Rule::cut;
  forest.start = {0};
  forest.single = true;
  forest.cut = 1;
  for (std::uint32_t t = 0; t < rows.size(); ++t) {
    forest.domains.push_back(2);
    add_test(forest, t, {true, false});
    const std::uint32_t root = 3 * t;
    forest.tree_first.push_back(root);
    forest.tree_score.push_back(0);
    forest.tree_width.push_back(1);
    forest.node_test.insert(forest.node_test.end(), {static_cast<std::int32_t>(t), -1, -1});
    forest.node_left.insert(forest.node_left.end(), {root + 1, 2 * t, 2 * t + 1});
    forest.node_right.insert(forest.node_right.end(), {root + 2, 0, 0});
    forest.row_first.insert(forest.row_first.end(), {2ul * t, 2ul * t + 1});
    forest.values.insert(forest.values.end(), {rows[t].first, rows[t].second});
  }
  return forest;
}

/// In float32, 1 + 2^-24 is 1, twice over; but 2^-24 + 2^-24 + 1 is more than 1. So sums that
/// are equal as numbers are decided differently, by the order in which they are added.
Forest order_of_additions() {
  Forest forest = stumps({{1, 0}, {0x1p-24, 0}, {0x1p-24, 0}, {0, 1}});
  forest.cut = 1 + 0x1p-23;
  return forest;
}

} // namespace

TEST(sums_of_many_small_trees_under_guards_are_right) {
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    ForestShape shape;
    shape.domains = {3, 2, 3, 2, 3, 2};
    shape.trees = 8;
    shape.depth = 1 + seed % 2;
    shape.guards = 1 + seed % 3;
    shape.rule = seed % 4 == 3 ? Rule::largest : Rule::cut;
    const Ensemble ensemble(random_forest(shape, seed));
    CHECK(is_right(ensemble, compiled(ensemble)));
    CHECK(is_right(ensemble, compiled(ensemble, shuffled_order(ensemble, seed))));
  }
}

TEST(compiled_trees_decide_every_instance_as_their_sum_does) {
  std::uint64_t settled = 0, ordered = 0, impossible = 0;
  for (std::uint32_t seed = 0; seed < 4000; ++seed) {
    const Ensemble ensemble(random_forest(random_shape(seed), seed));
    CompileTreesStats stats;
    const Circuit circuit = compiled(ensemble, {}, &stats);
    const bool right = is_right(ensemble, circuit);
    if (!right)
      std::printf("seed %u\n", seed);
    CHECK(right);
    CHECK(stats.order.empty() || circuit.is_ordered());
    CHECK(ensemble.exact() ? stats.settled == 0 : true);
    settled += stats.settled;
    ordered += !stats.order.empty();
    impossible += circuit.has_impossible();
  }
  CHECK(settled > 100 && ordered > 1000 && impossible > 100); // the shapes are what they should be
}

TEST(any_order_of_features_gives_a_right_and_ordered_circuit) {
  for (std::uint32_t seed = 0; seed < 1500; ++seed) {
    const Ensemble ensemble(random_forest(random_shape(seed), seed));
    const auto order = shuffled_order(ensemble, seed);
    const Circuit circuit = compiled(ensemble, order);
    const bool right = is_right(ensemble, circuit) && circuit.is_ordered();
    if (!right)
      std::printf("seed %u\n", seed);
    CHECK(right);
    std::vector<std::size_t> places;
    for (const FeatureId feature : circuit.order())
      places.push_back(static_cast<std::size_t>(std::ranges::find(order, feature) - order.begin()));
    CHECK(std::ranges::is_sorted(places));
  }
}

TEST(what_is_settled_elsewhere_is_asked_there) {
  std::uint64_t settled = 0, contradicted = 0;
  for (std::uint32_t seed = 0; seed < 1500; ++seed) {
    ForestShape shape = random_shape(seed);
    shape.trees = std::max(shape.trees, 1u);
    Forest forest = random_forest(shape, seed);
    const Ensemble plain(forest), ensemble(settled_elsewhere(std::move(forest)));
    CompileTreesStats stats;
    const Circuit circuit = compiled(ensemble, {}, &stats);
    const bool right = is_right(ensemble, circuit);
    if (!right)
      std::printf("seed %u\n", seed);
    CHECK(right);
    settled += stats.settled;
    contradicted += differences(plain, circuit) > 0;
  }

  CHECK(settled > 500 && contradicted > 100);
}

TEST(a_sum_whose_rounding_depends_on_the_order_of_additions_is_settled) {
  const Ensemble ensemble(order_of_additions());
  CompileTreesStats stats;
  const std::vector<FeatureId> order{0, 1, 2, 3};
  CHECK(is_right(ensemble, compiled(ensemble, order, &stats)));
  CHECK(stats.settled > 0);
  CHECK(ensemble.decide(std::vector<Cell>{0, 0, 0, 0}) == 0);
  CHECK(ensemble.decide(std::vector<Cell>{1, 0, 0, 1}) == 1);
}

TEST(sharing_settled_states_by_their_sums_is_seen) {
  const Ensemble ensemble(order_of_additions());
  std::size_t found = 0;
  for (const std::vector<FeatureId>& order :
       {std::vector<FeatureId>{0, 3, 1, 2}, std::vector<FeatureId>{0, 1, 2, 3}})
    found += differences(ensemble, compiled_wrongly(ensemble, order));
  CHECK(found > 0);
  std::size_t random = 0;
  for (std::uint32_t seed = 0; seed < 2000; ++seed) {
    const ForestShape shape{.domains = std::vector<std::uint32_t>(7, 2),
                            .trees = 7,
                            .depth = 1,
                            .rule = Rule::cut,
                            .values = Values::rounding,
                            .single = true};
    const Ensemble other(random_forest(shape, seed));
    random += differences(other, compiled_wrongly(other, shuffled_order(other, 0))) > 0;
  }

  CHECK(random > 0);
}

TEST(one_tree_is_its_own_circuit_and_tests_again_what_it_tests_again) {
  std::uint64_t again = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    ForestShape shape = random_shape(seed);
    shape.trees = 1;
    shape.guards = 0;
    shape.depth = 5;
    const Ensemble ensemble(random_forest(shape, seed));
    const Circuit circuit = compiled(ensemble);
    CHECK(is_right(ensemble, circuit));
    CHECK(circuit.size() <= ensemble.forest().node_test.size());
    again += circuit.has_retests();
  }
  CHECK(again > 50);
}

TEST(a_deep_tree_needs_no_deep_stack) {
  Forest forest;
  constexpr std::uint32_t depth = 20'000;
  forest.domains = {60'000, 2};
  forest.start = {0, 0};
  forest.tree_first = forest.tree_score = {0};
  forest.tree_width = {2};
  for (int test = 0; test < 2; ++test) // of the second feature
    add_test(forest, 1, {true, false});
  for (std::uint32_t level = 0; level < depth; ++level) {
    forest.node_test.insert(forest.node_test.end(), {static_cast<std::int32_t>(level % 2), -1});
    forest.node_left.insert(forest.node_left.end(), {2 * level + 1, level % 2});
    forest.node_right.insert(forest.node_right.end(), {2 * level + 2, 0});
  }
  forest.node_test.push_back(-1);
  forest.node_left.push_back(2);
  forest.node_right.push_back(0);
  forest.row_first = {0, 2, 4};
  forest.values = {1, 0, 1, 0, 0, 1};
  const Ensemble one(forest);
  CHECK(compiled(one).size() == 3);
  const std::vector<FeatureId> order{1, 0};
  CHECK(compiled(one, order).size() == 3);
}

TEST(a_sum_without_trees_and_one_of_constants_are_leaves) {
  Forest forest;
  forest.domains = {2, 3};
  forest.start = {0.25, 0.5, 0.5};
  forest.labels = 3;
  const Ensemble none(forest);
  const Circuit circuit = compiled(none);
  CHECK(circuit.size() == 1 && circuit.payload(0) == 1);
  ForestShape shape{.domains = {2, 3}, .labels = 4, .trees = 3, .depth = 0};
  CHECK(compiled(Ensemble(random_forest(shape, 3))).size() == 1);
}

TEST(orders_that_do_not_name_every_feature_once_are_refused) {
  const Ensemble ensemble(order_of_additions());
  CHECK_THROWS(InputError, compiled(ensemble, {0, 1, 2}));
  CHECK_THROWS(InputError, compiled(ensemble, {0, 1, 2, 2}));
  CHECK_THROWS(InputError, compiled(ensemble, {0, 1, 2, 4}));
}

TEST(compilation_of_trees_stays_within_its_budget) {
  const ForestShape shape{
      .domains = std::vector<std::uint32_t>(12, 4), .trees = 30, .depth = 4, .values = Values::any};
  const Ensemble ensemble(random_forest(shape, 1));
  const auto within = [&](Budget budget) { return compile_trees(ensemble, {}, budget); };
  CHECK_THROWS(BudgetExceeded, within(Budget(1000, Budget::unlimited, 1e9)));
  CHECK_THROWS(BudgetExceeded, within(Budget(Budget::unlimited, 1 << 20, 1e9)));
  CHECK_THROWS(BudgetExceeded, within(Budget(Budget::unlimited, Budget::unlimited, 0.05)));
}

TEST(the_same_trees_give_the_same_order_and_circuit) {
  const ForestShape shape{
      .domains = std::vector<std::uint32_t>(8, 3), .trees = 8, .depth = 3, .values = Values::any};
  for (std::uint32_t seed = 0; seed < 3; ++seed) {
    const Ensemble ensemble(random_forest(shape, seed));
    CompileTreesStats first, second;
    const auto a = compiled(ensemble, {}, &first), b = compiled(ensemble, {}, &second);
    CHECK(first.order == second.order && first.states == second.states);
    CHECK(std::ranges::equal(a.arrays().edges, b.arrays().edges));
  }
}

TEST(an_estimate_tells_small_ensembles_from_hopeless_ones) {
  const ForestShape small{.domains = {3, 3, 3, 3}, .trees = 4, .depth = 3};
  const ForestShape large{.domains = std::vector<std::uint32_t>(40, 20),
                          .trees = 100,
                          .depth = 7,
                          .rule = Rule::cut,
                          .values = Values::any};
  CHECK(explored_share(Ensemble(random_forest(small, 1)), 10'000, Budget()) == 1);
  Forest forest = random_forest(large, 1);
  forest.cut = 0;
  const double share = explored_share(Ensemble(forest), 10'000, Budget());
  CHECK(share >= 0 && share < 1e-9);
  ForestShape single = large; // one tree, however large, is compiled as it is
  single.trees = 1;
  single.depth = 14;
  CHECK(explored_share(Ensemble(random_forest(single, 1)), 10, Budget()) == 1);
  Budget none(Budget::unlimited, Budget::unlimited, 0);
  CHECK_THROWS(BudgetExceeded, explored_share(Ensemble(forest), 10'000, none));
}
