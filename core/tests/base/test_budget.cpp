// test_budget.cpp: budgets stop the work, the host can too, and depth is no limit.
#include "base/budget.hpp"
#include "base/error.hpp"
#include "circuit/from_table.hpp"
#include "circuit/ite.hpp"
#include "circuit/validator.hpp"
#include "counting/modular_sum.hpp"
#include "query/decision.hpp"
#include "query/differing_pair.hpp"
#include "query/sweep.hpp"
#include "reason/reason_circuit.hpp"
#include "tests/support/harness.hpp"
#include "tests/support/random_circuit.hpp"

#include <algorithm>
#include <numeric>
#include <string>

using namespace reasons;
using namespace reasons::circuit;
using namespace reasons::counting;
using namespace reasons::query;
using namespace reasons::reason;
using namespace reasons::testing;

namespace {

constexpr double forever = std::numeric_limits<double>::infinity();

struct Interrupted {};

/// A conjunction of features as a chain of tests, the last feature on top.
NodeId chain(Builder& builder, FeatureId features) {
  const NodeId no = builder.leaf(0);
  NodeId node = builder.leaf(1);
  for (FeatureId f = 0; f < features; ++f) {
    const NodeId children[2] = {no, node};
    node = builder.decide(f, children);
  }
  return node;
}

Circuit chain_of(FeatureId features, Budget budget = {}) {
  Builder builder(std::vector<std::uint32_t>(features, 2), 2, std::move(budget));
  return builder.build(chain(builder, features));
}

/// What the budget says was exceeded, or nothing.
template <class Work> std::string exceeded(Work work) {
  try {
    work();
  } catch (const BudgetExceeded& error) {
    CHECK(error.amount() > error.limit());
    return error.resource();
  }
  return "";
}

} // namespace

TEST(a_budget_of_nodes_is_kept_to_the_node) {
  CHECK(exceeded([] { (void)chain_of(98, Budget(100, Budget::unlimited, forever)); }).empty());
  const auto work = [] { (void)chain_of(99, Budget(100, Budget::unlimited, forever)); };
  CHECK(exceeded(work) == "nodes");
}

TEST(a_budget_of_bytes_is_kept) {
  const auto work = [] { (void)chain_of(100'000, Budget(Budget::unlimited, 100'000, forever)); };
  CHECK(exceeded(work) == "bytes");
}

TEST(a_budget_of_seconds_is_kept) {
  const auto build = [] {
    (void)chain_of(1'000'000, Budget(Budget::unlimited, Budget::unlimited, 0));
  };
  CHECK(exceeded(build) == "seconds");
  const auto look = [] { Budget(Budget::unlimited, Budget::unlimited, 0).check(); };
  CHECK(exceeded(look) == "seconds");
}

TEST(a_builder_that_refused_a_node_still_builds_the_ones_it_has) {
  Builder builder(std::vector<std::uint32_t>(100, 2), 2, Budget(52, Budget::unlimited, forever));
  CHECK(exceeded([&] { (void)chain(builder, 100); }) == "nodes");
  CHECK(builder.size() == 52);
  const Circuit circuit = builder.build(chain(builder, 50));
  CHECK(circuit.size() == 52 && decide(circuit, Instance(100, 1)) == 1);
}

TEST(what_the_host_throws_comes_out_of_the_loops) {
  int pauses = 0;
  const auto interrupt = [&](auto&&...) {
    if (++pauses == 3)
      throw Interrupted{};
  };
  const Budget watched(Budget::unlimited, Budget::unlimited, forever, interrupt);
  CHECK_THROWS(Interrupted, chain_of(1'000'000, watched));
  CHECK(pauses == 3);
}

TEST(the_host_is_told_the_stage_and_how_much_is_done) {
  std::vector<std::uint64_t> told;
  const auto listen = [&](const std::string& stage, std::uint64_t done) {
    CHECK(stage == "compilation");
    told.push_back(done);
  };
  (void)chain_of(100'000, Budget(Budget::unlimited, Budget::unlimited, forever, listen));
  CHECK(told.size() > 3 && told.back() <= 400'000);
  CHECK(std::is_sorted(told.begin(), told.end()) && told.front() < told.back());
}

TEST(the_host_can_interrupt_the_checker_and_the_greedy_search) {
  const Circuit circuit = chain_of(20'000);
  Budget hurried(Budget::unlimited, Budget::unlimited, forever,
                 [](auto&&...) { throw Interrupted{}; });
  CHECK_THROWS(Interrupted, first_violation(circuit, hurried));
  std::vector<FeatureId> order(circuit.features());
  std::iota(order.begin(), order.end(), 0u);
  const Instance ones(circuit.features(), 1);
  CHECK_THROWS(Interrupted, sufficient(circuit, ones, 1, order, hurried));
}

TEST(the_checker_refuses_what_does_not_fit_its_memory) {
  const Circuit circuit = chain_of(50'000);
  Budget small(Budget::unlimited, 1'000'000, forever);
  CHECK(exceeded([&] { (void)first_violation(circuit, small); }) == "bytes");
}

TEST(the_search_for_a_pair_and_constraining_keep_their_budget) {
  const Circuit circuit = chain_of(1000);
  std::vector<bool> loose(1000, false);
  loose[0] = true;
  Budget small(10, Budget::unlimited, forever);
  CHECK(exceeded([&] { (void)differing_pair(circuit, loose, small); }) == "nodes");
  std::vector<FeatureId> order(circuit.order());
  const auto work = [&] {
    (void)constrain(circuit, circuit, order, Budget(10, Budget::unlimited, forever));
  };
  CHECK(exceeded(work) == "nodes");
}

TEST(a_chain_of_a_million_nodes_is_no_deeper_than_any_stack) {
  constexpr FeatureId many = 1'000'000;
  const Circuit circuit = chain_of(many);
  CHECK(circuit.size() == many + 2 && circuit.is_ordered());
  const Instance ones(many, 1);
  CHECK(decide(circuit, ones) == 1);
  CHECK(necessary(circuit, ones, 1).size() == many);
  const Reason reason = complete_reason(circuit, ones, 1);
  CHECK(evaluate(reason, std::vector<std::uint8_t>(many, 1)));
  Region region(circuit, ones);
  region.free(0);
  const auto found = counterexample(circuit, region, ones, 1);
  CHECK(found && (*found)[0] == 0 && (*found)[1] == 1);
}

TEST(a_deep_chain_answers_every_question) {
  constexpr FeatureId many = 100'000;
  const Circuit circuit = chain_of(many);
  const Instance ones(many, 1), zeros(many, 0);
  CHECK(decide(circuit, zeros) == 0 && necessary(circuit, zeros, 0).empty());
  std::vector<FeatureId> order(many);
  std::iota(order.begin(), order.end(), 0u);
  Budget budget;
  CHECK(sufficient(circuit, ones, 1, order, budget).size() == many);
  std::vector<bool> loose(many, false);
  loose[0] = true;
  CHECK(differing_pair(circuit, loose, budget).has_value());
  const Reason reason = complete_reason(circuit, ones, 1);
  std::vector<std::uint8_t> but_one(many, 1);
  but_one[many / 2] = 0;
  CHECK(!evaluate(reason, but_one) && substitute(reason, but_one).root == Reason::falsum);
  const Reason general = general_reason(circuit, ones, 1);
  const Reason negation = negate(general, circuit.arrays().domains);
  CHECK(!evaluate(negation, std::vector<std::uint8_t>(negation.literals.size(), 0)));
}

TEST(a_deep_chain_is_summed) {
  constexpr FeatureId many = 100'000;
  const Circuit circuit = chain_of(many);
  constexpr std::uint64_t prime = (1ull << 61) - 1;
  const std::vector<std::uint64_t> weights(2 * many, (prime + 1) / 2), leaves{1, 0};
  // All but one instance get label 0: 1 - 2^-many, and 2^61 is 1 in this field.
  std::uint64_t power = 1;
  for (std::uint32_t i = 0; i < many % 61; ++i)
    power = power % 2 ? (power + prime) / 2 : power / 2;
  CHECK(weighted_sum(circuit, weights, leaves, 0, prime) == (1 + prime - power) % prime);
}
