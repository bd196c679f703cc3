// test_compile_network.cpp: compiled networks, beside their units on every input.
#include "base/error.hpp"
#include "bnn/compile_network.hpp"
#include "circuit/validator.hpp"
#include "tests/support/harness.hpp"
#include "tests/support/random_circuit.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>

using namespace reasons;
using namespace reasons::bnn;
using namespace reasons::circuit;
using namespace reasons::testing;

namespace {

std::int64_t drawn(Rng& rng, std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution<std::int64_t>(low, high)(rng);
}

std::uint32_t some(Rng& rng, std::uint32_t low, std::uint32_t high) {
  return static_cast<std::uint32_t>(drawn(rng, low, high));
}

/// Weights up to `most`, thresholds that are often reached, ties of scores; no doubt.
Network random_network(Rng& rng, std::int64_t most) {
  Network network;
  std::uint32_t before = some(rng, 1, 7);
  for (std::uint32_t layers = some(rng, 1, 3); layers > 0; --layers) {
    ThresholdLayer layer{.inputs = before, .weights = {}, .true_from = {}, .false_below = {}};
    const std::uint32_t units = some(rng, 1, 40 / layers);
    for (std::uint32_t i = 0; i < units * before; ++i)
      layer.weights.push_back(drawn(rng, -most, most));
    for (std::uint32_t unit = 0; unit < units; ++unit)
      layer.true_from.push_back(drawn(rng, -2 * most, 2 * most));
    layer.false_below = layer.true_from;
    before = units;
    network.layers.push_back(std::move(layer));
  }
  network.labels = some(rng, 2, 4);
  for (std::uint32_t i = 0; i < network.labels * before; ++i)
    network.scores.push_back(drawn(rng, -2, 2));
  for (LabelId a = 0; a < network.labels; ++a)
    for (LabelId b = 0; b < network.labels; ++b)
      network.least_lead.push_back(a > b);
  return network;
}

InputRegion random_region(Rng& rng, std::size_t inputs) {
  InputRegion region{
      .fixed = std::vector<std::uint8_t>(inputs, InputRegion::free), .flips = {}, .centre = {}};
  for (std::size_t i = 0; i < inputs; ++i)
    region.centre.push_back(static_cast<std::uint8_t>(drawn(rng, 0, 1)));
  if (drawn(rng, 0, 2) == 0)
    for (std::size_t i = 0; i < inputs; ++i)
      if (drawn(rng, 0, 3) == 0)
        region.fixed[i] = region.centre[i];
  if (drawn(rng, 0, 1) == 0)
    region.flips = some(rng, 0, static_cast<std::uint32_t>(inputs));
  return region;
}

LabelId wanted(const Network& network, const InputRegion& region, const Instance& input) {
  std::uint32_t flips = 0;
  for (std::size_t i = 0; i < input.size(); ++i) {
    flips += input[i] != region.centre[i];
    if (region.fixed[i] != InputRegion::free && region.fixed[i] != input[i])
      return impossible_label;
  }
  if (region.flips && flips > *region.flips)
    return impossible_label;
  std::vector<std::int64_t> values(input.begin(), input.end());
  const auto sum = [&](const std::vector<std::int64_t>& weights, std::size_t row) {
    return std::inner_product(values.begin(), values.end(),
                              weights.begin() + static_cast<std::ptrdiff_t>(row * values.size()),
                              std::int64_t{0});
  };
  for (const ThresholdLayer& layer : network.layers) {
    std::vector<std::int64_t> next;
    for (std::size_t unit = 0; unit < layer.units(); ++unit)
      next.push_back(sum(layer.weights, unit) >= layer.true_from[unit]);
    values = next;
  }
  LabelId best = 0;
  for (LabelId label = 1; label < network.labels; ++label)
    if (sum(network.scores, label) > sum(network.scores, best))
      best = label;
  return best;
}

std::vector<FeatureId> random_order(Rng& rng, const InputRegion& region) {
  std::vector<FeatureId> order(region.fixed.size());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), rng);
  std::stable_partition(order.begin(), order.end(),
                        [&](FeatureId f) { return region.fixed[f] != InputRegion::free; });
  return order;
}

Circuit compiled(const Network& network, const InputRegion& region,
                 std::span<const FeatureId> order, CompileNetworkStats* stats = nullptr) {
  Budget budget;
  return compile_network(network, region, order, budget, stats);
}

std::size_t differences(const Network& network, const InputRegion& region, const Circuit& circuit) {
  const std::vector<std::uint32_t> domains(network.inputs(), 2);
  const auto inputs = all_instances(domains);
  return static_cast<std::size_t>(std::ranges::count_if(inputs, [&](const Instance& input) {
    return label_of(circuit, input) != wanted(network, region, input);
  }));
}

InputRegion everywhere(std::size_t inputs) {
  return {.fixed = std::vector<std::uint8_t>(inputs, InputRegion::free),
          .flips = {},
          .centre = std::vector<std::uint8_t>(inputs, 0)};
}

/// One unit of two inputs, true where both are, in doubt where one is; its value is the label.
Network needs_exact() {
  return {.layers = {{.inputs = 2, .weights = {1, 1}, .true_from = {2}, .false_below = {1}}},
          .labels = 2,
          .scores = {0, 1},
          .least_lead = {0, 0, 1, 0},
          .settle = {}};
}

} // namespace

TEST(compiled_networks_decide_every_input_as_their_units_do) {
  std::uint64_t impossible = 0, states = 0;
  for (std::uint32_t seed = 0; seed < 3000; ++seed) {
    Rng rng(seed);
    const std::int64_t sizes[] = {1, 3, 100, 40'000, std::int64_t{1} << 40};
    const Network network = random_network(rng, sizes[seed % 5]);
    const InputRegion region = random_region(rng, network.inputs());
    CompileNetworkStats stats;
    const Circuit circuit = compiled(network, region, random_order(rng, region), &stats);
    Budget budget;
    const bool right =
        differences(network, region, circuit) == 0 && !first_violation(circuit, budget);
    if (!right)
      std::printf("seed %u\n", seed);
    CHECK(right);
    CHECK(circuit.is_ordered());
    impossible += circuit.has_impossible();
    states += stats.states;
  }
  CHECK(impossible > 500 && states > 10'000);
}

TEST(a_network_with_another_threshold_is_told_apart) {
  std::size_t found = 0;
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    Rng rng(seed);
    Network network = random_network(rng, 3);
    const InputRegion region = everywhere(network.inputs());
    const Circuit circuit = compiled(network, region, random_order(rng, region));
    network.layers[0].true_from[0] += 1;
    found += differences(network, region, circuit) > 0;
  }
  CHECK(found > 5);
}

TEST(a_unit_in_doubt_is_refused_and_only_where_it_is_met) {
  const Network network = needs_exact();
  const std::vector<FeatureId> order{0, 1};
  CHECK_THROWS(PropertyError, compiled(network, everywhere(2), order));
  InputRegion near = everywhere(2);
  near.flips = 0;
  CHECK(compiled(network, near, order).size() > 1);
}

TEST(scores_in_doubt_are_settled_once_for_each_row_of_units) {
  Network network = needs_exact();
  network.layers[0].false_below = {2};
  network.least_lead = {0, 5, 5, 0};
  const std::vector<FeatureId> order{0, 1};
  CHECK_THROWS(PropertyError, compiled(network, everywhere(2), order));
  network.settle = [](const std::vector<std::uint8_t>& units) { return LabelId{units[0]}; };
  CompileNetworkStats stats;
  const Circuit circuit = compiled(network, everywhere(2), order, &stats);
  CHECK(differences(network, everywhere(2), circuit) == 0);
  CHECK(stats.settled >= 2);
  network.settle = [](const std::vector<std::uint8_t>&) { return LabelId{7}; };
  CHECK_THROWS(PropertyError, compiled(network, everywhere(2), order));
}

TEST(networks_and_regions_that_do_not_fit_are_refused) {
  const std::vector<FeatureId> order{0, 1}, odd{0, 0};
  Network network = needs_exact();
  network.layers[0].false_below = {2};
  CHECK_THROWS(InputError, compiled(network, everywhere(2), odd));
  CHECK_THROWS(InputError, compiled(network, everywhere(3), order));
  InputRegion region = everywhere(2);
  region.fixed[0] = 3;
  CHECK_THROWS(InputError, compiled(network, region, order));
  const auto broken = [&](auto change) {
    Network other = network;
    change(other);
    CHECK_THROWS(InputError, compiled(other, everywhere(2), order));
  };
  broken([](Network& n) { n.layers.clear(); });
  broken([](Network& n) { n.layers[0].weights.pop_back(); });
  broken([](Network& n) { n.layers[0].weights[0] = std::int64_t{1} << 62; });
  broken([](Network& n) { n.layers[0].weights = {std::int64_t{1} << 61, 1}; });
  broken([](Network& n) { n.layers[0].false_below = {3}; });
  broken([](Network& n) { n.layers[0].false_below.clear(); });
  broken([](Network& n) { n.scores.pop_back(); });
  broken([](Network& n) { n.least_lead.pop_back(); });
  broken([](Network& n) { n.layers.push_back(n.layers[0]); });
}

TEST(a_network_is_compiled_within_its_budget_or_not_at_all) {
  Rng rng(1);
  ThresholdLayer wide{.inputs = 60, .weights = {}, .true_from = {}, .false_below = {}};
  wide.true_from.assign(20, 0);
  wide.false_below = wide.true_from;
  Network network{.layers = {wide}, .labels = 3, .scores = {}, .least_lead = {}, .settle = {}};
  network.least_lead = {0, 0, 0, 1, 0, 0, 1, 1, 0};
  for (std::size_t i = 0; i < 60 * 20; ++i)
    network.layers[0].weights.push_back(drawn(rng, 0, 1) * 2 - 1);
  for (std::size_t i = 0; i < 20 * 3; ++i)
    network.scores.push_back(drawn(rng, 0, 1) * 2 - 1);
  std::vector<FeatureId> order(60);
  std::iota(order.begin(), order.end(), 0);
  Budget few_nodes(1000, Budget::unlimited, 1e9), few_bytes(Budget::unlimited, 1 << 20, 1e9),
      little_time(Budget::unlimited, Budget::unlimited, 0.01);
  for (Budget* budget : {&few_nodes, &few_bytes, &little_time})
    CHECK_THROWS(BudgetExceeded, compile_network(network, everywhere(60), order, *budget));
}
