// test_models.cpp: sums by value, shares, cheapest instances, and circuits made from circuits.
#include "base/error.hpp"
#include "circuit/transform.hpp"
#include "circuit/validator.hpp"
#include "counting/label_share.hpp"
#include "counting/modular_sum.hpp"
#include "counting/sampler.hpp"
#include "query/differing_pair.hpp"
#include "query/min_cost.hpp"
#include "tests/support/harness.hpp"
#include "tests/support/random_circuit.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

using namespace reasons;
using namespace reasons::circuit;
using namespace reasons::counting;
using namespace reasons::query;
using namespace reasons::testing;

namespace {

constexpr std::uint64_t prime = (1ull << 61) - 1;

void for_random_circuits(const std::function<void(const Circuit&, std::uint32_t)>& run) {
  for (const Shape& shape : shapes())
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
      run(random_circuit(shape, seed), seed);
      if (!shape.conjunctions)
        run(random_graph(shape, seed), seed);
    }
}

std::vector<Instance> models(const Circuit& circuit, LabelId label) {
  std::vector<Instance> found;
  for (const auto& instance : all_instances(circuit.arrays().domains))
    if (label_of(circuit, instance) == label)
      found.push_back(instance);
  return found;
}

std::size_t from(const Circuit& circuit, FeatureId feature) {
  std::size_t cells = 0;
  for (FeatureId f = 0; f < feature; ++f)
    cells += circuit.domain(f);
  return cells;
}

std::vector<std::uint64_t> uniform(const Circuit& circuit, const Montgomery& field) {
  std::vector<std::uint64_t> weights;
  for (const auto domain : circuit.arrays().domains)
    weights.insert(weights.end(), domain, field.out(field.inverse(field.in(domain))));
  return weights;
}

bool is_sound(const Circuit& circuit) {
  Budget budget;
  return !first_violation(circuit, budget);
}

Price cost_of(const Circuit& circuit, const std::vector<Price>& costs, const Instance& instance) {
  Price total = 0;
  for (FeatureId f = 0; f < circuit.features(); ++f)
    total += costs[from(circuit, f) + instance[f]];
  return total;
}

/// For each feature what its cheapest value costs, all together, and the ways to take such.
std::pair<Price, std::uint64_t> cheapest_values(const Circuit& circuit,
                                                const std::vector<Price>& costs) {
  Price least = 0;
  std::uint64_t ways = 1;
  for (FeatureId f = 0; f < circuit.features(); ++f) {
    const auto own = std::span(costs).subspan(from(circuit, f), circuit.domain(f));
    least += *std::min_element(own.begin(), own.end());
    ways *= static_cast<std::uint64_t>(
        std::count(own.begin(), own.end(), *std::min_element(own.begin(), own.end())));
  }
  return {least, ways};
}

} // namespace

TEST(montgomery_products_are_products) {
  for (const std::uint64_t p : {prime, std::uint64_t{3}, std::uint64_t{1000003}}) {
    const Montgomery field(p);
    Rng rng(7);
    for (int i = 0; i < 1000; ++i) {
      const std::uint64_t a = (std::uint64_t{rng()} << 32 ^ rng()) % p, b = rng() % p;
      const auto product = static_cast<std::uint64_t>(Wide{a} * b % p);
      CHECK(field.out(field.times(field.in(a), field.in(b))) == product);
      CHECK(field.out(field.plus(field.in(a), field.in(b))) == (a + b) % p);
      CHECK(field.out(field.minus(field.in(a), field.in(b))) == (a + p - b) % p);
      if (a != 0)
        CHECK(field.times(field.in(a), field.inverse(field.in(a))) == field.one());
    }
  }
}

TEST(sums_by_value_count_the_instances_with_each_value) {
  for_random_circuits([](const Circuit& circuit, std::uint32_t) {
    const Montgomery field(prime);
    std::vector<std::uint64_t> leaves(circuit.labels(), 0);
    leaves[1] = 1;
    ModularSums sums(circuit, uniform(circuit, field), prime);
    CHECK(sums.cancelling().empty());
    sums.upward(leaves, 0);
    const auto found = sums.by_value();
    const auto total = all_instances(circuit.arrays().domains).size();
    std::vector<std::uint64_t> wanted(found.size(), 0);
    for (const auto& instance : models(circuit, 1))
      for (FeatureId f = 0; f < circuit.features(); ++f)
        ++wanted[from(circuit, f) + instance[f]];
    for (std::size_t i = 0; i < found.size(); ++i)
      CHECK(field.out(field.times(field.in(found[i]), field.in(total))) == wanted[i]);
  });
}

TEST(weights_that_cancel_are_told) {
  Builder builder({3, 2}, 2);
  const NodeId no = builder.leaf(0), yes = builder.leaf(1), none = Builder::no_node;
  const NodeId again = builder.decide(0, std::vector<NodeId>{none, yes, no});
  const Circuit circuit = builder.build(builder.decide(0, std::vector<NodeId>{no, again, again}));
  // 1 + 5 - 5 is 1, but what reaches the second test weighs 5 - 5.
  const ModularSums bad(circuit, std::vector<std::uint64_t>{1, 5, prime - 5, 1, 0}, prime);
  CHECK(bad.cancelling() == std::vector<FeatureId>{0});
  const ModularSums good(circuit, std::vector<std::uint64_t>{1, 0, 0, 1, 0}, prime);
  CHECK(good.cancelling().empty());
}

TEST(shares_are_of_the_whole_domain_and_zero_only_for_nothing) {
  for_random_circuits([](const Circuit& circuit, std::uint32_t) {
    const double total = static_cast<double>(all_instances(circuit.arrays().domains).size());
    const std::vector<double> weights(from(circuit, circuit.features()), 1.0);
    for (LabelId label = 0; label < circuit.labels(); ++label) {
      const LabelShares shares(circuit, weights, label);
      const double wanted = static_cast<double>(models(circuit, label).size()) / total;
      CHECK(std::abs(shares.values()[circuit.root()] - wanted) <= 1e-12 * wanted);
    }
  });
}

TEST(shares_of_long_conjunctions_do_not_underflow) {
  constexpr std::uint32_t length = 5000;
  Builder builder(std::vector<std::uint32_t>(length, 2), 2);
  NodeId chain = builder.leaf(1);
  for (FeatureId f = 0; f < length; ++f)
    chain = builder.decide(f, std::vector<NodeId>{builder.leaf(0), chain});
  const Circuit circuit = builder.build(chain);
  const LabelShares shares(circuit, std::vector<double>(2 * length, 1.0), 1);
  const double value = shares.values()[circuit.root()];
  const auto blocks = static_cast<double>(shares.blocks()[circuit.root()]);
  CHECK(std::log2(value) + 256 * blocks == -5000.0);
  CHECK(shares.roundings() < 100 * length);
}

TEST(drawn_ways_lead_to_the_label) {
  int needs_exact = 0;
  for_random_circuits([&](const Circuit& circuit, std::uint32_t seed) {
    Rng rng(seed);
    const std::vector<double> allowed(from(circuit, circuit.features()), 1.0);
    for (LabelId label = 0; label < circuit.labels(); ++label) {
      if (models(circuit, label).empty())
        continue;
      Sampler drawing(circuit, allowed, label, seed % 2 == 0 ? 64 : 0x1p50);
      std::vector<std::uint64_t> numbers(40);
      for (auto& number : numbers)
        number = std::uint64_t{rng()} << 32 | rng();
      std::vector<std::pair<SplitId, std::uint32_t>> taken;
      const Sampler::End end = drawing.walk(numbers, taken);
      CHECK(end != Sampler::End::out_of_numbers);
      needs_exact += end == Sampler::End::needs_exact;
      if (end != Sampler::End::done)
        continue;
      Instance instance(circuit.features(), 0);
      for (const auto& [split, arm] : taken) {
        const auto arm_of = circuit.arm_of(split);
        instance[circuit.tested(split)] =
            static_cast<Cell>(std::find(arm_of.begin(), arm_of.end(), arm) - arm_of.begin());
      }
      CHECK(label_of(circuit, instance) == label);
    }
  });
  CHECK(needs_exact > 10);
}

TEST(cheapest_instances_are_cheapest_and_counted) {
  for_random_circuits([](const Circuit& circuit, std::uint32_t seed) {
    Rng rng(seed);
    std::vector<Price> costs;
    for (std::size_t i = 0; i < from(circuit, circuit.features()); ++i)
      costs.push_back(static_cast<Price>(rng() % 4) - 1);
    for (LabelId label = 0; label < circuit.labels(); ++label) {
      const MinCostSearch search(circuit, costs, label);
      const auto found = models(circuit, label);
      CHECK(search.extra().has_value() == !found.empty());
      if (found.empty())
        continue;
      const auto [least, ways] = cheapest_values(circuit, costs);
      std::vector<Price> all;
      for (const auto& instance : found)
        all.push_back(cost_of(circuit, costs, instance));
      const Price cheapest = *std::min_element(all.begin(), all.end());
      CHECK(least + *search.extra() == cheapest);
      CHECK(label_of(circuit, search.instance()) == label);
      CHECK(cost_of(circuit, costs, search.instance()) == cheapest);
      const Montgomery field(prime);
      const auto count = field.times(field.in(search.share(prime)), field.in(ways));
      CHECK(field.out(count) ==
            static_cast<std::uint64_t>(std::count(all.begin(), all.end(), cheapest)));
    }
  });
}

TEST(conditioning_decides_as_if) {
  for_random_circuits([](const Circuit& circuit, std::uint32_t seed) {
    Rng rng(seed);
    std::vector<Cell> fixed(circuit.features(), any_cell);
    for (FeatureId f = 0; f < circuit.features(); ++f)
      if (rng() % 2 == 0)
        fixed[f] = static_cast<Cell>(rng() % circuit.domain(f));
    const Circuit made = conditioned(circuit, fixed, {});
    CHECK(is_sound(made));
    for (auto instance : all_instances(circuit.arrays().domains)) {
      const LabelId got = label_of(made, instance);
      for (FeatureId f = 0; f < circuit.features(); ++f)
        if (fixed[f] != any_cell)
          instance[f] = fixed[f];
      CHECK(got == label_of(circuit, instance));
    }
  });
}

TEST(forgetting_is_some_value_or_a_refusal) {
  int refused = 0, done = 0;
  for_random_circuits([&](const Circuit& circuit, std::uint32_t seed) {
    if (circuit.labels() != 2)
      return;
    std::vector<bool> forget(circuit.features(), false);
    forget[seed % circuit.features()] = true;
    try {
      const Circuit made = forgotten(circuit, forget, {});
      ++done;
      CHECK(is_sound(made));
      for (auto instance : all_instances(circuit.arrays().domains)) {
        const LabelId got = label_of(made, instance);
        bool zero = false, one = false;
        const FeatureId f = seed % circuit.features();
        for (Cell v = 0; v < circuit.domain(f); ++v) {
          instance[f] = v;
          zero |= label_of(circuit, instance) == 0;
          one |= label_of(circuit, instance) == 1;
        }
        CHECK(got == (one ? 1 : zero ? 0 : impossible_label));
      }
    } catch (const PropertyError&) {
      ++refused;
      CHECK(!circuit.is_ordered());
    }
  });
  CHECK(refused > 0);
  CHECK(done > refused);
}

TEST(merging_keeps_the_one_label_that_can_be_met) {
  int several = 0;
  for_random_circuits([&](const Circuit& circuit, std::uint32_t seed) {
    std::vector<bool> forget(circuit.features(), false);
    forget[seed % circuit.features()] = forget[seed / 7 % circuit.features()] = true;
    if (!circuit.is_ordered()) {
      CHECK_THROWS(PropertyError, merged(circuit, forget, {}));
      return;
    }
    const Circuit made = merged(circuit, forget, {});
    CHECK(is_sound(made));
    const auto instances = all_instances(circuit.arrays().domains);
    for (const auto& instance : instances) {
      std::set<LabelId> met;
      for (const auto& other : instances) {
        bool alike = true;
        for (FeatureId f = 0; f < circuit.features(); ++f)
          alike &= forget[f] || instance[f] == other[f];
        if (alike)
          met.insert(label_of(circuit, other));
      }
      met.erase(impossible_label);
      several += met.size() > 1;
      const LabelId wanted = met.empty() ? impossible_label : *met.begin();
      CHECK(label_of(made, instance) == (met.size() > 1 ? circuit.labels() : wanted));
    }
  });
  CHECK(several > 0);
}

TEST(merging_heeds_its_budget) {
  const Circuit circuit = random_graph({{3, 3, 3, 3}, 3}, 1);
  const std::vector<bool> forget{true, false, false, false};
  CHECK_THROWS(BudgetExceeded, merged(circuit, forget, Budget(2, Budget::unlimited, 1e9)));
}

TEST(renumbered_circuits_decide_renumbered_instances) {
  for_random_circuits([](const Circuit& circuit, std::uint32_t) {
    std::vector<FeatureId> feature(circuit.features());
    for (FeatureId f = 0; f < circuit.features(); ++f)
      feature[f] = circuit.features() - 1 - f;
    std::vector<LabelId> label(circuit.labels());
    for (LabelId l = 0; l < circuit.labels(); ++l)
      label[l] = circuit.has_conjunctions() ? l : circuit.labels() - 1 - l;
    const Circuit made = renumbered(circuit, feature, label);
    for (const auto& instance : all_instances(circuit.arrays().domains)) {
      const Instance turned(instance.rbegin(), instance.rend());
      const LabelId before = label_of(circuit, instance), after = label_of(made, turned);
      CHECK(after == (before == impossible_label ? before : label[before]));
    }
  });
}

TEST(a_differing_instance_is_found_iff_there_is_one) {
  for (const Shape& shape : shapes()) {
    if (shape.conjunctions)
      continue;
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
      const Circuit one = random_graph(shape, seed), other = random_graph(shape, seed / 2 * 2);
      const std::vector<FeatureId>& longer =
          one.order().size() >= other.order().size() ? one.order() : other.order();
      if (longer.size() != shape.domains.size())
        continue;
      Budget budget;
      bool differ = false;
      for (const auto& instance : all_instances(shape.domains))
        differ |= label_of(one, instance) != label_of(other, instance);
      const auto found = differing_instance(one, other, longer, budget);
      CHECK(found.has_value() == differ);
      if (found)
        CHECK(label_of(one, *found) != label_of(other, *found));
    }
  }
}
