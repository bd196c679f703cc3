// test_cheapest_change.cpp: the cheapest change of an ensemble's label, beside every instance.
#include "base/error.hpp"
#include "forest/search/cheapest_change.hpp"
#include "forest/search/planted/cheapest_change.hpp"
#include "tests/forest/leaf_tables.hpp"
#include "tests/forest/random_forest.hpp"
#include "tests/support/harness.hpp"

#include <algorithm>

using namespace reasons;
using namespace reasons::forest;
using namespace reasons::testing;

namespace {

std::shared_ptr<const Ensemble> random_ensemble(std::uint32_t seed) {
  ForestShape shape = random_shape(seed);
  if (seed % 4 == 3) {
    shape.domains = {10 + seed % 20, 4, 3, 3, 3};
    shape.trees = 12;
    shape.depth = 4;
    shape.values = Values::any;
  }
  Forest forest = random_forest(shape, seed);
  // what settles elsewhere mixes all labels, also those that are certainly not the label
  if (seed % 5 == 4 && shape.trees > 0 && shape.labels <= 2)
    forest = settled_elsewhere(std::move(forest));
  return std::make_shared<const Ensemble>(std::move(forest));
}

/// Costs of all kinds: a unit a feature, weights, distances, or any numbers.
std::vector<std::int64_t> random_costs(std::uint32_t domain, Cell own, Rng& rng) {
  const std::uint32_t kind = rng() % 4;
  const std::int64_t weight = kind == 0 ? 1 : 1 + rng() % 9;
  std::vector<std::int64_t> costs;
  for (std::uint32_t c = 0; c < domain; ++c) {
    const std::int64_t apart = c > own ? c - own : own - c;
    costs.push_back(kind < 2 ? (apart > 0) * weight : kind == 2 ? apart * weight : rng() % 12);
  }
  return costs;
}

ChangeQuestion random_question(const Ensemble& ensemble, Rng& rng) {
  ChangeQuestion question;
  for (FeatureId f = 0; f < ensemble.features(); ++f) {
    const std::uint32_t domain = ensemble.domain(f);
    const auto own = static_cast<Cell>(rng() % domain);
    question.instance.push_back(own);
    question.costs.push_back(random_costs(domain, own, rng));
    std::vector<bool> cells(domain, true);
    if (rng() % 3 == 0)
      for (std::uint32_t c = 0; c < domain; ++c)
        cells[c] = rng() % 2 == 0;
    if (rng() % 8 > 0)
      cells[own] = true;
    if (std::ranges::count(cells, true) == 0)
      cells[rng() % domain] = true;
    question.box.push_back(std::move(cells));
  }
  const LabelId label = ensemble.decide(question.instance);
  question.label = label == impossible_label ? rng() % ensemble.labels() : label;
  if (rng() % 2 == 0)
    question.wanted = rng() % ensemble.labels();
  return question;
}

/// What the cheapest change costs, by a look at every instance.
std::optional<std::int64_t> cheapest_of_all(const Ensemble& ensemble, const ChangeQuestion& q) {
  std::optional<std::int64_t> best;
  for (const Instance& instance : all_instances(ensemble.forest().domains)) {
    const LabelId label = ensemble.decide(instance);
    const bool any = q.wanted == Ensemble::no_label;
    if (!contains(q.box, instance) || label == impossible_label ||
        (any ? label == q.label : label != q.wanted))
      continue;
    std::int64_t cost = 0;
    for (FeatureId f = 0; f < instance.size(); ++f)
      cost += q.costs[f][instance[f]];
    best = std::min(best.value_or(cost), cost);
  }
  return best;
}

bool is_right(const Ensemble& ensemble, const ChangeQuestion& question, const auto& search) {
  const auto expected = cheapest_of_all(ensemble, question);
  const auto found = search();
  if (!found.best || !expected)
    return found.best.has_value() == expected.has_value();
  std::int64_t cost = 0;
  for (FeatureId f = 0; f < question.costs.size(); ++f)
    cost += question.costs[f][found.best->cells[f]];
  const LabelId label = ensemble.decide(found.best->cells);
  return cost == *expected && found.best->cost == cost && found.at_least == cost &&
         contains(question.box, found.best->cells) &&
         (question.wanted == Ensemble::no_label ? label != question.label
                                                : label == question.wanted);
}

} // namespace

TEST(the_cheapest_change_is_the_cheapest_of_all_instances) {
  std::size_t none = 0, some = 0, mistakes = 0;
  for (std::uint32_t seed = 0; seed < 3000; ++seed) {
    Rng rng(seed);
    const auto ensemble = random_ensemble(seed);
    const ChangeQuestion question = random_question(*ensemble, rng);
    if (question.wanted == question.label)
      continue;
    ++(cheapest_of_all(*ensemble, question) ? some : none);
    CHECK(is_right(*ensemble, question, [&] {
      ChangeFound found;
      Budget budget;
      cheapest_change(*ensemble, question, budget, found);
      return found;
    }));
    planted::ChangeQuestion same{question.instance, question.label, question.wanted, question.box,
                                 question.costs};
    mistakes += !is_right(*ensemble, question, [&] {
      planted::ChangeFound found;
      Budget budget;
      planted::cheapest_change(*ensemble, same, budget, found);
      return found;
    });
  }
  CHECK(none > 200 && some > 500);
  CHECK(mistakes > 0); // bounds that leave no room for costs are noticed
}

TEST(a_change_that_is_not_found_in_time_leaves_a_lower_bound) {
  const ForestShape shape{.domains = std::vector<std::uint32_t>(30, 6),
                          .trees = 100,
                          .depth = 6,
                          .rule = Rule::cut,
                          .values = Values::any};
  Forest forest = random_forest(shape, 1);
  forest.divisor = 1;
  const Ensemble ensemble(std::move(forest));
  ChangeQuestion question;
  for (FeatureId f = 0; f < 30; ++f) {
    question.instance.push_back(0);
    question.costs.push_back({0, 1, 1, 1, 1, 1});
    question.box.emplace_back(6, true);
  }
  question.label = ensemble.decide(question.instance);
  ChangeFound found;
  Budget none(Budget::unlimited, Budget::unlimited, 0);
  CHECK_THROWS(BudgetExceeded, cheapest_change(ensemble, question, none, found));
  CHECK(!found.best && found.at_least == 0);
}

TEST(costs_that_do_not_fit_are_refused) {
  const auto ensemble = random_ensemble(0);
  Rng rng(0);
  const ChangeQuestion good = random_question(*ensemble, rng);
  ChangeFound found;
  Budget budget;
  ChangeQuestion fewer = good, negative = good, large = good, label = good;
  fewer.costs.pop_back();
  negative.costs[0][0] = -1;
  large.costs[0][0] = most_cost + 1;
  label.label = ensemble->labels();
  for (const ChangeQuestion& bad : {fewer, negative, large, label})
    CHECK_THROWS(InputError, cheapest_change(*ensemble, bad, budget, found));
}
