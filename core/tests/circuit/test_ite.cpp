// test_ite.cpp: functions put together are what choosing row by row makes of them.
#include "base/error.hpp"
#include "circuit/ite.hpp"
#include "circuit/validator.hpp"
#include "tests/support/harness.hpp"
#include "tests/support/random_circuit.hpp"

#include <numeric>

using namespace reasons;
using namespace reasons::circuit;
using namespace reasons::testing;

namespace {

using Labels = std::vector<LabelId>;
const std::vector<std::uint32_t> domains{3, 2, 4};
const std::vector<FeatureId> natural{0, 1, 2};

Labels table_of(const Circuit& circuit) {
  Labels labels;
  for (const auto& instance : all_instances(domains))
    labels.push_back(label_of(circuit, instance));
  return labels;
}

bool is_sound(const Circuit& circuit) {
  Budget budget;
  return !first_violation(circuit, budget);
}

} // namespace

TEST(choosing_is_choosing_row_by_row) {
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    const Circuit condition = random_graph({domains, 2}, seed);
    const Circuit one = random_graph({domains, 3, false, seed % 2 == 0}, seed + 1000);
    const Circuit other = random_graph({domains, 3, false, seed % 3 == 0}, seed + 2000);
    Composer composer(domains, 3, natural, {});
    const NodeId made =
        composer.choose(composer.copy(condition), composer.copy(one), composer.copy(other));
    const Circuit found = composer.build(made);
    Labels wanted = table_of(one);
    const Labels chosen = table_of(condition), otherwise = table_of(other);
    for (std::size_t i = 0; i < wanted.size(); ++i)
      wanted[i] = chosen[i] == 1 ? wanted[i] : otherwise[i];
    CHECK(table_of(found) == wanted && is_sound(found));
  }
}

TEST(constraining_makes_what_is_not_allowed_impossible) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    const Circuit circuit = random_graph({domains, 3, false, seed % 2 == 0}, seed);
    const Circuit allowed = random_graph({domains, 2}, seed + 1000);
    Labels wanted = table_of(circuit);
    const Labels may = table_of(allowed);
    for (std::size_t i = 0; i < wanted.size(); ++i)
      wanted[i] = may[i] == 1 ? wanted[i] : impossible_label;
    CHECK(table_of(constrain(circuit, allowed, natural, {})) == wanted);
  }
}

TEST(labels_are_exchanged_everywhere) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    const Circuit circuit = random_graph({domains, 3, false, seed % 2 == 0}, seed);
    Composer composer(domains, 5, natural, {});
    const Labels to{seed % 2 == 0 ? 4u : 1u, 3, 1};
    const Circuit found = composer.build(composer.relabelled(composer.copy(circuit), to));
    Labels wanted = table_of(circuit);
    for (LabelId& label : wanted)
      label = label == impossible_label ? label : to[label];
    CHECK(table_of(found) == wanted && is_sound(found));
  }
}

TEST(what_is_impossible_can_be_given_a_label) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    const Circuit circuit = random_graph({domains, 3, false, true}, seed);
    Composer composer(domains, 3, natural, {});
    const Labels ones(3, 1);
    const Circuit found = composer.build(composer.relabelled(composer.copy(circuit), ones, 0));
    Labels wanted = table_of(circuit);
    for (LabelId& label : wanted)
      label = label != impossible_label;
    CHECK(table_of(found) == wanted && is_sound(found));
  }
}

TEST(a_test_is_true_of_its_values) {
  Composer composer(domains, 2, natural, {});
  const std::vector<std::uint8_t> values{1, 0, 0, 1};
  const Circuit found = composer.build(composer.test(2, values));
  for (const auto& instance : all_instances(domains))
    CHECK(label_of(found, instance) == values[instance[2]]);
  const std::vector<std::uint8_t> too_few{1, 0};
  CHECK_THROWS(InputError, composer.test(2, too_few));
}

TEST(what_does_not_fit_together_is_not_composed) {
  const std::vector<FeatureId> twice{0, 0, 2}, few{0, 1}, back{2, 1, 0};
  CHECK_THROWS(InputError, Composer(domains, 2, twice, {}));
  CHECK_THROWS(InputError, Composer(domains, 2, few, {}));
  Composer composer(domains, 3, back, {});
  CHECK_THROWS(PropertyError, composer.copy(random_graph({domains, 3}, 1)));
  const NodeId third = composer.leaf(2), first = composer.leaf(0);
  CHECK_THROWS(PropertyError, composer.choose(third, first, third));
  CHECK_THROWS(InputError, composer.choose(first, first, 99));
}

TEST(composing_heeds_its_budget) {
  std::vector<FeatureId> order(20);
  std::iota(order.begin(), order.end(), 0u);
  const std::vector<std::uint8_t> yes{0, 1};
  const auto compose = [&](Budget budget) {
    Composer composer(std::vector<std::uint32_t>(20, 2), 2, order, std::move(budget));
    NodeId any = composer.leaf(0);
    for (FeatureId f = 0; f < 10; ++f) {
      const NodeId both =
          composer.choose(composer.test(f, yes), composer.test(f + 10, yes), composer.leaf(0));
      any = composer.choose(both, composer.leaf(1), any);
    }
    return composer.build(any).size();
  };
  CHECK(compose({}) > 1000);
  CHECK_THROWS(BudgetExceeded, compose(Budget(500, Budget::unlimited, 1e9)));
  CHECK_THROWS(BudgetExceeded, compose(Budget(Budget::unlimited, 20'000, 1e9)));
}
