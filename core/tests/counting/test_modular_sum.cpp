// test_modular_sum.cpp: sums over all instances, pairs of instances, tables, diagrams, constraints.
#include "base/error.hpp"
#include "circuit/from_table.hpp"
#include "counting/modular_sum.hpp"
#include "query/differing_pair.hpp"
#include "tests/support/harness.hpp"
#include "tests/support/random_circuit.hpp"

#include <algorithm>

using namespace reasons;
using namespace reasons::circuit;
using namespace reasons::counting;
using namespace reasons::query;
using namespace reasons::testing;

namespace {

constexpr std::uint64_t prime = (1ull << 61) - 1;

std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>(Wide{a} * b % prime);
}

/// Random weights that sum to 1 for each feature.
std::vector<std::uint64_t> random_weights(std::span<const std::uint32_t> domains, Rng& rng) {
  std::vector<std::uint64_t> weights;
  for (const auto domain : domains) {
    std::uint64_t rest = 1;
    for (std::uint32_t v = 0; v + 1 < domain; ++v) {
      weights.push_back((std::uint64_t{rng()} << 28 ^ rng()) % prime);
      rest = (rest + prime - weights.back()) % prime;
    }
    weights.push_back(rest);
  }
  return weights;
}

std::uint64_t slow_sum(const Circuit& circuit, const std::vector<std::uint64_t>& weights,
                       const std::vector<std::uint64_t>& leaves, std::uint64_t impossible) {
  std::uint64_t total = 0;
  for (const auto& instance : all_instances(circuit.arrays().domains)) {
    const LabelId label = label_of(circuit, instance);
    std::uint64_t product = label == impossible_label ? impossible : leaves[label];
    std::size_t from = 0;
    for (FeatureId f = 0; f < circuit.features(); from += circuit.domain(f++))
      product = times(product, weights[from + instance[f]]);
    total = (total + product) % prime;
  }
  return total;
}

bool differs_on(const std::vector<bool>& loose, const Instance& one, const Instance& other) {
  for (std::size_t f = 0; f < one.size(); ++f)
    if (one[f] != other[f] && !loose[f])
      return false;
  return true;
}

bool is_biased(const Circuit& circuit, const std::vector<bool>& loose) {
  const auto instances = all_instances(circuit.arrays().domains);
  for (const auto& one : instances)
    for (const auto& other : instances) {
      const LabelId a = label_of(circuit, one), b = label_of(circuit, other);
      if (a != b && a != impossible_label && b != impossible_label && differs_on(loose, one, other))
        return true;
    }
  return false;
}

std::vector<LabelId> table_of(const Circuit& circuit) {
  std::vector<LabelId> labels;
  for (const auto& instance : all_instances(circuit.arrays().domains))
    labels.push_back(label_of(circuit, instance));
  return labels;
}

std::vector<FeatureId> natural(const Circuit& circuit) {
  std::vector<FeatureId> order;
  for (FeatureId f = 0; f < circuit.features(); ++f)
    order.push_back(f);
  return order;
}

Budget budget;

} // namespace

TEST(the_weighted_sum_is_the_sum_over_all_instances) {
  for (const auto& shape : shapes())
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
      const Circuit circuit = random_circuit(shape, seed);
      Rng rng(seed);
      const auto weights = random_weights(shape.domains, rng);
      const auto leaves = shape.conjunctions ? std::vector<std::uint64_t>{0, 1}
                                             : std::vector<std::uint64_t>{7, 11, prime - 1};
      const std::vector<std::uint64_t> given(leaves.begin(), leaves.begin() + shape.labels);
      CHECK(weighted_sum(circuit, weights, given, 5, prime) ==
            slow_sum(circuit, weights, given, 5));
    }
}

TEST(a_weight_that_fixes_a_feature_leaves_out_its_other_values) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const Shape shape{{3, 2, 4}, 3};
    const Circuit circuit = random_circuit(shape, seed);
    const std::vector<std::uint64_t> weights{0, 1, 0, 1, 0, 0, 0, 0, 1}, leaves{3, 4, 5};
    CHECK(weighted_sum(circuit, weights, leaves, 0, prime) == 3 + label_of(circuit, {1, 0, 3}));
  }
}

TEST(a_differing_pair_is_found_when_there_is_one) {
  for (const auto& shape : shapes())
    for (std::uint32_t seed = 0; seed < 25; ++seed) {
      const Circuit circuit = random_graph(shape, seed);
      Rng rng(seed);
      std::vector<bool> loose;
      for (std::size_t f = 0; f < shape.domains.size(); ++f)
        loose.push_back(rng() % 2);
      const auto pair = differing_pair(circuit, loose, budget);
      CHECK(pair.has_value() == is_biased(circuit, loose));
      if (!pair)
        continue;
      const LabelId a = label_of(circuit, pair->first), b = label_of(circuit, pair->second);
      CHECK(a != b && a != impossible_label && b != impossible_label);
      CHECK(differs_on(loose, pair->first, pair->second));
    }
}

TEST(no_pair_is_searched_where_there_is_no_order) {
  Arrays arrays = sound_arrays();
  arrays.heads[3] = head_of(Kind::conjunction, 0);
  CHECK_THROWS(PropertyError, differing_pair(arrays.circuit(), {true, true}, budget));
}

TEST(a_table_becomes_the_graph_that_has_it) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    const Circuit wanted = random_graph({{3, 2, 4}, 3, false, true}, seed);
    const auto values = table_of(wanted);
    const Circuit found = from_values({3, 2, 4}, 3, natural(wanted), values, {});
    CHECK(table_of(found) == values && found.size() == wanted.size() && found.is_ordered());
  }
}

TEST(a_table_in_another_order_has_its_values_in_that_order) {
  const std::vector<FeatureId> order{1, 0};
  const std::vector<LabelId> values{0, 1, 1, 1, 0, 0}; // B = 0: A = 0, 1; B = 1: ...
  const Circuit circuit = from_values({2, 3}, 2, order, values, {});
  CHECK(label_of(circuit, {0, 0}) == 0 && label_of(circuit, {1, 0}) == 1);
  CHECK(label_of(circuit, {0, 1}) == 1 && label_of(circuit, {0, 2}) == 0);
}

TEST(a_table_that_does_not_list_every_instance_is_refused) {
  const std::vector<FeatureId> order{0, 1};
  for (const std::size_t rows : {0u, 1u, 3u, 5u, 7u, 8u, 12u})
    CHECK_THROWS(InputError, from_values({2, 3}, 2, order, std::vector<LabelId>(rows, 0), {}));
  const std::vector<FeatureId> unknown{0, 2};
  CHECK_THROWS(InputError, from_values({2, 3}, 2, unknown, std::vector<LabelId>(6, 0), {}));
  CHECK_THROWS(InputError, from_values({2, 3}, 2, order, std::vector<LabelId>(6, 2), {}));
}

TEST(a_diagram_becomes_a_graph) {
  // Node 2 tests 1 (0: no, 1: yes), node 3 tests 0 (0: no, 1: node 2).
  const std::vector<std::uint32_t> variables{1, 0}, low{0, 0}, high{1, 2};
  const Circuit circuit = from_diagram(2, variables, low, high, 3, {});
  CHECK(table_of(circuit) == std::vector<LabelId>({0, 0, 0, 1}));
  CHECK(table_of(from_diagram(2, variables, low, high, 1, {})) == std::vector<LabelId>(4, 1));
}

TEST(a_diagram_that_is_not_one_is_refused) {
  const std::vector<std::uint32_t> variable{0}, zero{0}, one{1}, ahead{2}, unknown{2};
  CHECK_THROWS(InputError, from_diagram(2, variable, ahead, one, 2, {}));
  CHECK_THROWS(InputError, from_diagram(2, variable, zero, ahead, 2, {}));
  CHECK_THROWS(InputError, from_diagram(2, unknown, zero, one, 2, {}));
  CHECK_THROWS(InputError, from_diagram(2, variable, zero, one, 3, {}));
}
