// test_builder.cpp: the builder keeps what it makes reduced.
#include "base/budget.hpp"
#include "base/error.hpp"
#include "circuit/builder.hpp"
#include "circuit/validator.hpp"
#include "tests/support/harness.hpp"
#include "tests/support/random_circuit.hpp"

#include <array>

using namespace reasons;
using namespace reasons::circuit;
using namespace reasons::testing;

namespace {

NodeId test(Builder& builder, FeatureId feature, std::vector<NodeId> child_of) {
  return builder.decide(feature, child_of);
}

NodeId all(Builder& builder, std::vector<NodeId> inputs) {
  return builder.all_of(inputs);
}

bool is_sound(const Circuit& circuit) {
  Budget budget;
  return !first_violation(circuit, budget);
}

} // namespace

TEST(equal_nodes_are_one_node) {
  Builder builder({2, 3}, 3);
  CHECK(builder.leaf(2) == builder.leaf(2) && builder.leaf(1) != builder.leaf(2));
  CHECK(builder.impossible() == builder.impossible());
  const NodeId a = builder.leaf(0), b = builder.leaf(1);
  CHECK(test(builder, 0, {a, b}) == test(builder, 0, {a, b}));
  CHECK(test(builder, 0, {a, b}) != test(builder, 0, {b, a}));
  CHECK(test(builder, 0, {a, b}) != test(builder, 1, {a, b, b}));
}

TEST(a_test_whose_arms_agree_is_its_arm) {
  Builder builder({2, 3}, 2);
  const NodeId yes = builder.leaf(1);
  CHECK(test(builder, 0, {yes, yes}) == yes);
  CHECK(test(builder, 1, {Builder::no_node, yes, Builder::no_node}) == yes);
  CHECK(builder.size() == 1);
}

TEST(arms_that_agree_are_one_arm) {
  Builder builder({4}, 3);
  const NodeId x = builder.leaf(0), y = builder.leaf(1);
  const Circuit circuit = builder.build(test(builder, 0, {y, x, y, Builder::no_node}));
  const SplitId s = circuit.payload(circuit.root());
  CHECK(circuit.arms(s) == 2 && circuit.inputs(circuit.root()).size() == 2);
  CHECK(circuit.arm_of(s)[0] == circuit.arm_of(s)[2]);
  CHECK(circuit.arm_of(s)[0] != circuit.arm_of(s)[1]);
  CHECK(circuit.arm_of(s)[3] == no_arm && circuit.has_retests());
}

TEST(conjunctions_are_flattened_and_constants_absorbed) {
  Builder builder({2, 2, 2}, 2);
  const NodeId no = builder.leaf(0), yes = builder.leaf(1);
  std::vector<NodeId> x;
  for (FeatureId f = 0; f < 3; ++f)
    x.push_back(test(builder, f, {no, yes}));
  CHECK(all(builder, {}) == yes && all(builder, {yes, yes}) == yes);
  CHECK(all(builder, {x[0]}) == x[0] && all(builder, {yes, x[0], yes}) == x[0]);
  CHECK(all(builder, {x[0], no, x[1]}) == no);
  const NodeId flat = all(builder, {x[0], x[1], x[2]});
  CHECK(all(builder, {x[2], all(builder, {x[1], x[0]})}) == flat);
  CHECK(all(builder, {all(builder, {x[0], x[2]}), yes, x[1]}) == flat);
  const Circuit circuit = builder.build(flat);
  CHECK(circuit.inputs(circuit.root()).size() == 3 && is_sound(circuit));
}

TEST(conjunctions_need_two_labels_and_possible_inputs) {
  Builder three({2}, 3);
  CHECK_THROWS(InputError, all(three, {three.leaf(0)}));
  Builder two({2}, 2);
  CHECK_THROWS(InputError, all(two, {two.impossible(), two.leaf(1)}));
}

TEST(what_does_not_exist_is_refused) {
  using Domains = std::vector<std::uint32_t>;
  CHECK_THROWS(InputError, Builder(Domains{2, 0}, 2));
  CHECK_THROWS(InputError, Builder(Domains{most_cells}, 2));
  CHECK_THROWS(InputError, Builder(Domains{2}, 0));
  CHECK_THROWS(InputError, Builder(Domains{2}, impossible_label));
  Builder builder({2}, 2);
  const NodeId yes = builder.leaf(1);
  CHECK_THROWS(InputError, builder.leaf(2));
  CHECK_THROWS(InputError, builder.leaf(impossible_label));
  CHECK_THROWS(InputError, builder.domain(1));
  CHECK_THROWS(InputError, test(builder, 1, {yes, yes}));
  CHECK_THROWS(InputError, test(builder, 0, {yes}));
  CHECK_THROWS(InputError, test(builder, 0, {yes, yes, yes}));
  CHECK_THROWS(InputError, test(builder, 0, {yes, yes + 1}));
  CHECK_THROWS(InputError, test(builder, 0, {Builder::no_node, Builder::no_node}));
  CHECK_THROWS(InputError, all(builder, {yes, yes + 1}));
  CHECK_THROWS(InputError, builder.build(yes + 1));
  CHECK_THROWS(InputError, builder.build(Builder::no_node));
  CHECK(builder.size() == 1);
}

TEST(the_unique_table_finds_every_node_after_it_has_grown) {
  constexpr std::uint32_t many = 20'000;
  Builder builder(std::vector<std::uint32_t>(many, 2), 2);
  const auto chain = [&] {
    std::vector<NodeId> made{test(builder, 0, {builder.leaf(0), builder.leaf(1)})};
    for (FeatureId f = 1; f < many; ++f)
      made.push_back(test(builder, f, {builder.leaf(f % 2), made.back()}));
    return made;
  };
  const auto first = chain();
  const NodeId size = builder.size();
  CHECK(size == many + 2);
  CHECK(chain() == first && builder.size() == size);
}

TEST(the_table_of_splits_finds_every_split_after_it_has_grown) {
  Builder builder({10}, 2);
  std::vector<NodeId> made;
  for (int round = 0; round < 2; ++round)
    for (std::uint32_t set = 1; set < 1023; ++set) {
      std::vector<NodeId> child_of;
      for (std::uint32_t v = 0; v < 10; ++v)
        child_of.push_back(builder.leaf(set >> v & 1));
      const NodeId node = builder.decide(0, child_of);
      if (round == 0)
        made.push_back(node);
      else
        CHECK(node == made[set - 1]);
    }
  CHECK(builder.size() == 1022 + 2);
}

TEST(building_leaves_out_what_the_root_does_not_use) {
  Builder builder({2, 2}, 3);
  const NodeId unused = test(builder, 1, {builder.leaf(2), builder.leaf(1)});
  const NodeId used = test(builder, 0, {builder.leaf(1), builder.leaf(0)});
  const Circuit circuit = builder.build(used);
  CHECK(circuit.size() == 3 && circuit.splits() == 1 && is_sound(circuit));
  CHECK(builder.build(unused).size() == 3);
  CHECK(label_of(circuit, {0, 0}) == 1 && label_of(circuit, {1, 0}) == 0);
}

TEST(a_circuit_outlives_its_builder) {
  const Circuit circuit = [] {
    Builder builder({2}, 2);
    return builder.build(test(builder, 0, {builder.leaf(0), builder.leaf(1)}));
  }();
  CHECK(label_of(circuit, {0}) == 0 && label_of(circuit, {1}) == 1);
}

TEST(whatever_the_builder_makes_of_good_parts_is_sound) {
  for (const auto& shape : shapes())
    for (std::uint32_t seed = 0; seed < 100; ++seed) {
      CHECK(is_sound(random_circuit(shape, seed)));
      CHECK(is_sound(random_graph(shape, seed)));
    }
}
