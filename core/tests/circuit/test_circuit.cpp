// test_circuit.cpp: arrays that do not fit together are refused; sound ones are surveyed.
#include "base/error.hpp"
#include "tests/support/harness.hpp"
#include "tests/support/random_circuit.hpp"

#include <functional>
#include <string>

using namespace reasons;
using namespace reasons::circuit;
using namespace reasons::testing;

namespace {

/// The message with which the damaged arrays are refused, or nothing.
std::string refusal(const std::function<void(Arrays&)>& damage) {
  Arrays arrays = sound_arrays();
  damage(arrays);
  try {
    (void)arrays.circuit();
  } catch (const PropertyError& error) {
    return error.what();
  }
  return "";
}

bool names(const std::string& message, const std::string& part) {
  return message.find(part) != std::string::npos;
}

const std::string nodes = "the table of nodes does not fit together";
const std::string splits = "the table of splits does not fit together";

} // namespace

TEST(sound_arrays_are_taken) {
  const Arrays arrays = sound_arrays();
  const Circuit circuit = arrays.circuit();
  CHECK(circuit.size() == 4 && circuit.root() == 3);
  CHECK(label_of(circuit, {1, 2}) == 1 && label_of(circuit, {1, 0}) == 0);
  CHECK(circuit.is_ordered() && circuit.order() == std::vector<FeatureId>({0, 1}));
  CHECK(!circuit.has_conjunctions() && !circuit.has_impossible() && !circuit.has_retests());
  CHECK(circuit.bytes() == 4 * (2 + 4 + 5 + 4 + 2 + 2 + 3) + 2 * 5);
}

TEST(a_table_of_nodes_that_does_not_fit_is_refused) {
  CHECK(names(refusal([](Arrays& a) { a.heads.clear(); }), nodes));
  CHECK(names(refusal([](Arrays& a) { a.heads.clear(), a.first = {0}, a.edges.clear(); }), nodes));
  CHECK(names(refusal([](Arrays& a) { a.first.clear(); }), nodes));
  CHECK(names(refusal([](Arrays& a) { a.first.pop_back(); }), nodes));
  CHECK(names(refusal([](Arrays& a) { a.first.push_back(4); }), nodes));
  CHECK(names(refusal([](Arrays& a) { a.first[0] = 1; }), nodes));
  CHECK(names(refusal([](Arrays& a) { a.first[2] = 3; }), nodes));
  CHECK(names(refusal([](Arrays& a) { a.first[4] = 5; }), nodes));
  CHECK(names(refusal([](Arrays& a) { a.edges.pop_back(); }), nodes));
  CHECK(names(refusal([](Arrays& a) { a.edges.push_back(0); }), nodes));
}

TEST(an_edge_that_does_not_lead_to_an_earlier_node_is_refused) {
  CHECK(names(refusal([](Arrays& a) { a.edges[0] = 2; }), "node 2 does not stand after"));
  CHECK(names(refusal([](Arrays& a) { a.edges[0] = 3; }), "node 2 does not stand after"));
  CHECK(names(refusal([](Arrays& a) { a.edges[3] = 0xFFFFFFFF; }), "node 3 does not stand"));
}

TEST(a_leaf_with_inputs_or_of_an_unknown_label_is_refused) {
  const std::string leaf = "is not a leaf of a known label";
  CHECK(names(refusal([](Arrays& a) { a.heads[0] = head_of(Kind::leaf, 2); }), "node 0 " + leaf));
  CHECK(names(refusal([](Arrays& a) { a.heads[2] = head_of(Kind::leaf, 0); }), "node 2 " + leaf));
  CHECK(names(refusal([](Arrays& a) { a.labels = 1; }), "node 1 " + leaf));
  CHECK(names(refusal([](Arrays& a) { a.labels = 0; }), "node 0 " + leaf));
  CHECK(refusal([](Arrays& a) { a.heads[0] = head_of(Kind::leaf, impossible_label); }).empty());
}

TEST(a_decision_that_does_not_fit_its_split_is_refused) {
  const std::string fit = "does not fit its split";
  const auto decision = [](std::uint32_t s) { return head_of(Kind::decision, s); };
  CHECK(names(refusal([&](Arrays& a) { a.heads[3] = decision(2); }), "node 3 " + fit));
  CHECK(names(refusal([&](Arrays& a) { a.heads[3] = decision(payload_mask); }), "node 3 " + fit));
  CHECK(names(refusal([&](Arrays& a) { a.heads[0] = decision(0); }), "node 0 " + fit));
  CHECK(names(refusal([](Arrays& a) { a.first[3] = 1; }), "node 2 " + fit));
}

TEST(a_conjunction_needs_two_inputs_and_two_labels) {
  const auto conjunction = head_of(Kind::conjunction, 0);
  CHECK(refusal([&](Arrays& a) { a.heads[3] = conjunction; }).empty());
  CHECK(names(refusal([&](Arrays& a) { a.heads[0] = conjunction; }), "node 0 is not a conj"));
  const auto one_input = [&](Arrays& a) {
    a.heads[3] = conjunction;
    a.first[4] = 3;
    a.edges.pop_back();
  };
  CHECK(names(refusal(one_input), "node 3 is not a conjunction"));
  const auto three_labels = [&](Arrays& a) { a.heads[3] = conjunction, a.labels = 3; };
  CHECK(names(refusal(three_labels), "node 3 is not a conjunction"));
}

TEST(a_node_of_no_known_kind_is_refused) {
  CHECK(names(refusal([](Arrays& a) { a.heads[3] = 3u << payload_bits; }), "no known kind"));
}

TEST(a_feature_without_values_or_with_too_many_is_refused) {
  CHECK(names(refusal([](Arrays& a) { a.domains[0] = 0; }), "a feature has 0 values"));
  CHECK(names(refusal([](Arrays& a) { a.domains[0] = most_cells; }), "a feature has 65535"));
  CHECK(names(refusal([](Arrays& a) { a.domains[1] = 0xFFFFFFFF; }), "a feature has 4294967295"));
}

TEST(a_table_of_splits_that_does_not_fit_is_refused) {
  CHECK(names(refusal([](Arrays& a) { a.split_of.pop_back(); }), splits));
  CHECK(names(refusal([](Arrays& a) { a.split_arms.pop_back(); }), splits));
  CHECK(names(refusal([](Arrays& a) { a.split_from.clear(); }), splits));
  CHECK(names(refusal([](Arrays& a) { a.split_from.pop_back(); }), splits));
  CHECK(names(refusal([](Arrays& a) { a.split_from[0] = 1; }), splits));
  CHECK(names(refusal([](Arrays& a) { a.split_from[1] = 9; }), splits));
  CHECK(names(refusal([](Arrays& a) { a.arm_of.pop_back(); }), splits));
}

TEST(a_split_that_does_not_part_its_feature_is_refused) {
  const std::string fit = "does not fit its feature", lacks = "names an arm that it lacks";
  const std::string empty = "has an arm without values";
  CHECK(names(refusal([](Arrays& a) { a.split_of[0] = 2; }), "split 0 " + fit));
  CHECK(names(refusal([](Arrays& a) { a.split_of[0] = 0; }), "split 0 " + fit));
  CHECK(names(refusal([](Arrays& a) { a.domains[1] = 4; }), "split 0 " + fit));
  CHECK(names(refusal([](Arrays& a) { a.split_arms[0] = 1; }), "split 0 " + fit));
  CHECK(names(refusal([](Arrays& a) { a.split_arms[0] = 0; }), "split 0 " + fit));
  CHECK(names(refusal([](Arrays& a) { a.arm_of[0] = 2; }), "split 0 " + lacks));
  CHECK(names(refusal([](Arrays& a) { a.arm_of[3] = no_arm - 1; }), "split 1 " + lacks));
  CHECK(names(refusal([](Arrays& a) { a.arm_of[0] = 1; }), "split 0 " + empty));
  CHECK(names(refusal([](Arrays& a) { a.split_arms[1] = 3; }), "split 1 " + empty));
  CHECK(names(refusal([](Arrays& a) { a.split_arms[1] = 0xFFFFFFFF; }), "split 1 " + empty));
}

TEST(the_survey_sees_conjunctions_retests_and_impossible_leaves) {
  Arrays with_conjunction = sound_arrays();
  with_conjunction.heads[3] = head_of(Kind::conjunction, 0);
  CHECK(with_conjunction.circuit().has_conjunctions());
  CHECK(!with_conjunction.circuit().is_ordered());
  Arrays retested = sound_arrays();
  retested.arm_of[2] = no_arm;
  CHECK(retested.circuit().has_retests() && !retested.circuit().is_ordered());
  Arrays impossible = sound_arrays();
  impossible.heads[0] = head_of(Kind::leaf, impossible_label);
  CHECK(impossible.circuit().has_impossible() && impossible.circuit().is_ordered());
}

TEST(features_tested_in_two_orders_are_no_order) {
  Builder builder({2, 2, 2}, 2);
  const NodeId no = builder.leaf(0), yes = builder.leaf(1);
  const auto test = [&](FeatureId f, NodeId low, NodeId high) {
    return builder.decide(f, std::vector{low, high});
  };
  const NodeId b_then_c = test(1, no, test(2, no, yes)), c_then_b = test(2, no, test(1, yes, no));
  CHECK(builder.build(b_then_c).is_ordered());
  CHECK(!builder.build(test(0, b_then_c, c_then_b)).is_ordered());
  CHECK(builder.build(yes).is_ordered() && builder.build(yes).order().empty());
}
