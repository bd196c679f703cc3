// test_sift.cpp: another order, the same function, never more nodes.
#include "base/error.hpp"
#include "circuit/validator.hpp"
#include "reorder/level_graph.hpp"
#include "reorder/sift.hpp"
#include "tests/support/harness.hpp"
#include "tests/support/random_circuit.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <limits>

using namespace reasons;
using namespace reasons::circuit;
using namespace reasons::reorder;
using namespace reasons::testing;

namespace {

bool is_sound(const Circuit& circuit) {
  Budget budget;
  return !first_violation(circuit, budget);
}

bool decides_alike(const Circuit& one, const Circuit& other) {
  const auto every = all_instances(one.arrays().domains);
  return std::ranges::all_of(every, [&](const Instance& instance) {
    return label_of(one, instance) == label_of(other, instance);
  });
}

bool is_equal(const Circuit& one, const Circuit& other) {
  const CircuitArrays &a = one.arrays(), &b = other.arrays();
  return std::ranges::equal(a.heads, b.heads) && std::ranges::equal(a.edges, b.edges) &&
         std::ranges::equal(a.first, b.first) && std::ranges::equal(a.arm_of, b.arm_of) &&
         std::ranges::equal(a.split_of, b.split_of);
}

/// Ordered, of many values, with impossible leaves in every second shape.
Shape random_shape(std::uint32_t seed) {
  Rng rng(seed);
  Shape shape;
  std::size_t instances = 1;
  for (std::uint32_t f = 1 + rng() % 6; f > 0; --f) {
    shape.domains.push_back(1 + rng() % 5);
    instances *= shape.domains.back();
    if (instances > 400)
      break;
  }
  shape.labels = 1 + rng() % 4;
  shape.impossible = seed % 2 == 0;
  return shape;
}

/// The graph of a function of cells, the features in the order of their numbers.
Circuit graph_of(std::vector<std::uint32_t> domains, std::uint32_t labels,
                 const std::function<LabelId(const Instance&)>& label) {
  Builder builder(domains, labels);
  std::vector<NodeId> level;
  for (const auto& instance : all_instances(domains))
    level.push_back(builder.leaf(label(instance)));
  for (std::size_t f = domains.size(); f-- > 0;) {
    std::vector<NodeId> above;
    for (auto from = level.begin(); from != level.end(); from += domains[f])
      above.push_back(builder.decide(static_cast<FeatureId>(f), {from, from + domains[f]}));
    level = above;
  }
  return builder.build(level.front());
}

/// (a1 & b1) | (a2 & b2) | ... with all a before all b: exponential, linear in pairs.
Circuit pairs_apart(std::uint32_t pairs) {
  return graph_of(std::vector<std::uint32_t>(2 * pairs, 2), 2, [&](const Instance& instance) {
    for (std::uint32_t i = 0; i < pairs; ++i)
      if (instance[i] == 1 && instance[i + pairs] == 1)
        return 1u;
    return 0u;
  });
}

constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

} // namespace

TEST(sifting_keeps_every_decision_and_never_grows) {
  for (std::uint32_t seed = 0; seed < 600; ++seed) {
    const Shape shape = random_shape(seed);
    const Circuit before = random_graph(shape, seed);
    const Circuit after = sifted(before, {});
    const bool good = after.size() <= before.size() && after.is_ordered() && is_sound(after) &&
                      decides_alike(before, after);
    if (!good)
      std::printf("seed %u\n", seed);
    CHECK(good);
  }
}

TEST(every_exchange_keeps_every_decision_and_the_count_of_nodes) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const Circuit before = random_graph(random_shape(seed), seed);
    Budget budget;
    LevelGraph graph(before, budget);
    if (graph.order().size() < 2)
      continue;
    Rng rng(seed);
    for (int step = 0; step < 8; ++step) {
      CHECK(graph.exchange(rng() % (graph.order().size() - 1), no_limit));
      const Circuit now = graph.circuit();
      const auto leaves = std::ranges::count_if(
          now.arrays().heads, [](auto head) { return head >> payload_bits == 1; });
      CHECK(now.size() - static_cast<std::size_t>(leaves) == graph.size());
      CHECK(is_sound(now) && decides_alike(before, now));
    }
  }
}

TEST(an_exchange_that_is_given_up_changes_nothing) {
  int given_up = 0;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const Circuit before = random_graph(random_shape(seed), seed);
    Budget budget;
    LevelGraph graph(before, budget);
    for (std::size_t level = 0; level + 1 < graph.order().size(); ++level) {
      const auto order = graph.order();
      const std::size_t size = graph.size();
      if (graph.exchange(level, size))
        CHECK(graph.exchange(level, no_limit));
      else
        ++given_up;
      CHECK(graph.order() == order && graph.size() == size);
      CHECK(is_equal(graph.circuit(), before) || decides_alike(graph.circuit(), before));
    }
  }
  CHECK(given_up > 50);
}

TEST(a_spoiled_graph_is_seen) {
  // What the comparison above is worth: one exchange of cells of a feature, and it fails.
  const Circuit right = random_graph({{3, 3, 2}, 3}, 1);
  const Circuit wrong = graph_of({3, 3, 2}, 3, [&](const Instance& instance) {
    Instance other = instance;
    if (instance[0] > 0)
      other[0] = 3 - instance[0];
    return label_of(right, other);
  });
  CHECK(!decides_alike(right, sifted(wrong, {})));
}

TEST(pairs_that_stand_apart_come_together) {
  for (const std::uint32_t pairs : {2u, 5u, 8u}) {
    const Circuit after = sifted(pairs_apart(pairs), {});
    CHECK(after.size() == 2 * pairs + 2);
  }
}

TEST(the_carry_of_an_adder_becomes_linear) {
  const std::uint32_t bits = 8;
  const Circuit apart =
      graph_of(std::vector<std::uint32_t>(2 * bits, 2), 2, [&](const Instance& instance) {
        std::uint32_t a = 0, b = 0;
        for (std::uint32_t i = 0; i < bits; ++i) {
          a = 2 * a + instance[i];
          b = 2 * b + instance[i + bits];
        }
        return (a + b) >> bits;
      });
  CHECK(apart.size() > 500);
  CHECK(sifted(apart, {}).size() <= 3 * bits + 2);
}

TEST(many_valued_features_that_must_be_equal_come_together) {
  const std::uint32_t pairs = 3;
  const Circuit apart =
      graph_of(std::vector<std::uint32_t>(2 * pairs, 5), 2, [&](const Instance& instance) {
        for (std::uint32_t i = 0; i < pairs; ++i)
          if (instance[i] != instance[i + pairs])
            return 0u;
        return 1u;
      });
  CHECK(apart.size() > 100);
  CHECK(sifted(apart, {}).size() == 6 * pairs + 2);
}

TEST(the_same_circuit_is_sifted_the_same_way) {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    const Circuit before = random_graph(random_shape(seed), seed);
    CHECK(is_equal(sifted(before, {}), sifted(before, {})));
  }
}

TEST(constants_and_single_features_stay) {
  Builder builder({2, 3}, 2);
  CHECK(sifted(builder.build(builder.leaf(1)), {}).size() == 1);
  const NodeId test =
      builder.decide(1, std::vector<NodeId>{builder.leaf(0), builder.leaf(1), builder.leaf(0)});
  CHECK(sifted(builder.build(test), {}).size() == 3);
}

TEST(equal_and_unused_nodes_of_an_odd_table_are_left_out) {
  Arrays odd = sound_arrays();
  odd.heads.insert(odd.heads.begin(), head_of(Kind::leaf, 0)); // a second leaf of that label
  for (auto& edge : odd.edges)
    ++edge;
  odd.first.insert(odd.first.begin(), 0);
  const Circuit circuit = odd.circuit();
  const Circuit after = sifted(circuit, {});
  CHECK(after.size() == 4 && is_sound(after) && decides_alike(circuit, after));
}

TEST(what_has_no_order_is_refused) {
  Builder builder({2, 2, 3}, 2);
  const NodeId no = builder.leaf(0), yes = builder.leaf(1);
  const auto literal = [&](FeatureId f) { return builder.decide(f, std::vector{no, yes}); };
  const NodeId both[2] = {literal(0), literal(1)};
  CHECK_THROWS(PropertyError, sifted(builder.build(builder.all_of(both)), {}));
  const NodeId again = builder.decide(2, std::vector{Builder::no_node, yes, no});
  const NodeId top = builder.decide(2, std::vector{no, again, again});
  CHECK_THROWS(PropertyError, sifted(builder.build(top), {}));
}

TEST(sifting_heeds_its_budget) {
  const Circuit circuit = pairs_apart(8);
  CHECK_THROWS(BudgetExceeded, sifted(circuit, Budget(100, Budget::unlimited, 1e9)));
  CHECK_THROWS(BudgetExceeded, sifted(circuit, Budget(Budget::unlimited, 1000, 1e9)));
  CHECK_THROWS(BudgetExceeded,
               sifted(pairs_apart(9), Budget(Budget::unlimited, Budget::unlimited, 0)));
  const auto cancel = [](const std::string&, std::uint64_t) -> void { throw InputError("stop"); };
  CHECK_THROWS(InputError,
               sifted(pairs_apart(9), Budget(Budget::unlimited, Budget::unlimited, 1e9, cancel)));
}
