// test_validator.cpp: every violation is found in a circuit that no builder would make.
#include "base/budget.hpp"
#include "circuit/validator.hpp"
#include "tests/support/harness.hpp"
#include "tests/support/random_circuit.hpp"

#include <string>

using namespace reasons;
using namespace reasons::circuit;
using namespace reasons::testing;

namespace {

constexpr std::uint32_t no = head_of(Kind::leaf, 0), yes = head_of(Kind::leaf, 1);
constexpr std::uint32_t impossible = head_of(Kind::leaf, impossible_label);
constexpr std::uint32_t conjunction = head_of(Kind::conjunction, 0);

constexpr std::uint32_t test(SplitId s) {
  return head_of(Kind::decision, s);
}

/// "node: what", or nothing.
std::string violation(const Arrays& arrays) {
  Budget budget;
  const Circuit circuit = arrays.circuit();
  const auto found = first_violation(circuit, budget);
  return found ? std::to_string(found->node) + ": " + found->what : "";
}

/// Arrays over Boolean features, each with one split, from heads and lists of inputs.
Arrays boolean(std::uint32_t features, std::vector<std::uint32_t> heads,
               const std::vector<std::vector<NodeId>>& inputs) {
  Arrays arrays;
  arrays.heads = std::move(heads);
  arrays.first = {0};
  for (const auto& each : inputs) {
    arrays.edges.insert(arrays.edges.end(), each.begin(), each.end());
    arrays.first.push_back(static_cast<std::uint32_t>(arrays.edges.size()));
  }
  arrays.split_from = {0};
  for (FeatureId f = 0; f < features; ++f) {
    arrays.domains.push_back(2);
    arrays.split_of.push_back(f);
    arrays.split_arms.push_back(2);
    arrays.arm_of.insert(arrays.arm_of.end(), {0, 1});
    arrays.split_from.push_back(2 * (f + 1));
  }
  return arrays;
}

/// A feature of three values is tested, and where it is not 0 perhaps tested again:
/// split 0 parts 0 from the rest, split 1 is given.
Arrays tested_twice(std::vector<Arm> second) {
  return {{3},
          {no, yes, test(1), test(0)},
          {0, 0, 0, 2, 4},
          {0, 1, 0, 2},
          {0, 0},
          {2, 2},
          {0, 3, 6},
          {0, 1, 1, second[0], second[1], second[2]}};
}

} // namespace

TEST(a_sound_circuit_has_no_violation) {
  CHECK(violation(sound_arrays()).empty());
  CHECK(violation(boolean(0, {yes}, {{}})).empty());
  CHECK(violation(boolean(1, {impossible}, {{}})).empty());
  CHECK(violation(tested_twice({no_arm, 0, 1})).empty());
}

TEST(a_node_that_is_not_used_is_found) {
  CHECK(violation(boolean(1, {no, yes}, {{}, {}})) == "0: is not used");
  const auto unused = boolean(2, {no, yes, test(0), test(1)}, {{}, {}, {0, 1}, {0, 1}});
  CHECK(violation(unused) == "2: is not used");
}

TEST(equal_nodes_are_found) {
  CHECK(violation(boolean(1, {no, no, test(0)}, {{}, {}, {0, 1}})) == "1: equals an earlier node");
  const auto twice =
      boolean(2, {no, yes, test(0), test(0), test(1)}, {{}, {}, {0, 1}, {0, 1}, {2, 3}});
  CHECK(violation(twice) == "3: equals an earlier node");
}

TEST(arms_that_agree_are_found) {
  CHECK(violation(boolean(1, {yes, test(0)}, {{}, {0, 0}})) == "1: has two arms that agree");
}

TEST(a_conjunction_whose_inputs_share_a_feature_is_found) {
  const std::string shares = "is a conjunction whose inputs share a feature";
  const auto same = boolean(1, {no, yes, test(0), conjunction}, {{}, {}, {0, 1}, {2, 2}});
  CHECK(violation(same) == "3: " + shares);
  const auto opposite =
      boolean(1, {no, yes, test(0), test(0), conjunction}, {{}, {}, {0, 1}, {1, 0}, {2, 3}});
  CHECK(violation(opposite) == "4: " + shares);
  const auto deep =
      boolean(2, {no, yes, test(0), test(1), conjunction}, {{}, {}, {0, 1}, {0, 2}, {2, 3}});
  CHECK(violation(deep) == "4: " + shares);
  const auto apart =
      boolean(2, {no, yes, test(0), test(1), conjunction}, {{}, {}, {0, 1}, {0, 1}, {2, 3}});
  CHECK(violation(apart).empty());
}

TEST(a_conjunction_below_a_test_of_its_own_feature_is_found) {
  const auto below = boolean(2, {no, yes, test(0), test(1), conjunction, test(0)},
                             {{}, {}, {0, 1}, {0, 1}, {2, 3}, {0, 4}});
  CHECK(violation(below).find("2: tests values of feature number 0") == 0);
}

TEST(a_conjunction_above_an_impossible_leaf_is_found) {
  const auto above = boolean(2, {no, yes, impossible, test(0), test(1), conjunction},
                             {{}, {}, {}, {0, 1}, {1, 2}, {3, 4}});
  CHECK(violation(above) == "5: is a conjunction above an impossible leaf");
}

TEST(arms_that_are_not_the_values_left_are_found) {
  const std::string wrong = " tests values of feature number 0 that are not the ones left";
  CHECK(violation(tested_twice({0, 0, 1})).find("2:" + wrong) == 0);
  CHECK(violation(tested_twice({0, no_arm, 1})).find("2:" + wrong) == 0);
  Arrays root = sound_arrays();
  root.arm_of[2] = no_arm;
  CHECK(violation(root).find("2: tests values of feature number 1") == 0);
}

TEST(a_node_reached_with_different_values_left_is_found) {
  // One test of {1, 2} is reached from two arms, of which one leaves {0} only.
  Arrays arrays = tested_twice({no_arm, 0, 1});
  arrays.edges = {0, 1, 2, 1};
  CHECK(violation(arrays).find("2: tests values") == 0);
  const Arrays both = {{3, 2},
                       {no, yes, test(1), test(0), test(2)},
                       {0, 0, 0, 2, 4, 6},
                       {0, 1, 0, 2, 3, 2},
                       {0, 0, 1},
                       {2, 2, 2},
                       {0, 3, 6, 8},
                       {0, 1, 1, no_arm, 0, 1, 0, 1}};
  CHECK(violation(both) == "2: is reached with different values left");
}
