#include "forest/order/heuristics.hpp"

#include "forest/order/trials.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

namespace reasons::forest {
namespace {

using Order = std::vector<FeatureId>;

// States and nodes, of which a second sees some millions.
constexpr std::uint64_t whole_limit = 400'000, part_limit = 50'000;
constexpr std::uint64_t part_effort = 2'000'000, most_effort = 6'000'000;
constexpr std::uint64_t additive_limit = 2'000;
constexpr std::uint64_t enough = 25; // times what the first order takes, to find a better one

Order by_weight(const std::vector<double>& weight) {
  Order order(weight.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater<>(), [&](FeatureId f) { return weight[f]; });
  return order;
}

struct Weighed {
  std::size_t at; // a feature of a tree, or a tree of a feature
  double weight;
};

/// What features weigh in a tree, of those that do, in their order.
std::vector<Weighed> weighed(const std::vector<double>& weights, std::vector<FeatureId>& met) {
  std::ranges::sort(met);
  met.erase(std::unique(met.begin(), met.end()), met.end());
  std::vector<Weighed> found;
  for (const FeatureId f : met)
    found.push_back({f, weights[f]});
  return found;
}

/// Takes the feature that weighs most, counting more in trees with few features left.
Order finishing(const std::vector<std::vector<Weighed>>& features_of, std::size_t features,
                Budget& budget) {
  std::vector<std::vector<Weighed>> trees_of(features);
  std::vector<std::size_t> open;
  for (std::size_t t = 0; t < features_of.size(); ++t) {
    open.push_back(features_of[t].size());
    for (const auto& [f, weight] : features_of[t])
      trees_of[f].push_back({t, weight});
  }
  const auto weight_of = [&](std::size_t f) {
    double sum = 0;
    for (const auto& [t, weight] : trees_of[f]) {
      budget.tick();
      sum += weight / static_cast<double>(open[t]);
    }
    return sum;
  };
  std::vector<double> now(features);
  for (std::size_t f = 0; f < features; ++f)
    now[f] = weight_of(f);
  constexpr double taken = -1;
  std::vector<std::size_t> last_change(features, 0);
  Order order;
  while (order.size() < features) {
    budget.tick();
    const auto best = static_cast<std::size_t>(std::ranges::max_element(now) - now.begin());
    now[best] = taken;
    order.push_back(static_cast<FeatureId>(best));
    for (const auto& tree : trees_of[best])
      --open[tree.at];
    for (const auto& tree : trees_of[best])
      for (const auto& other : features_of[tree.at])
        if (now[other.at] != taken && last_change[other.at] != order.size()) {
          last_change[other.at] = order.size();
          now[other.at] = weight_of(other.at);
        }
  }
  return order;
}

/// By how much each feature can change the scores, where no tree asks more than one feature.
///
/// Of such sums the order matters little: with the widest first graphs are 2 to 5 % larger than
/// what trials find (of several scores up to a third), at a thirtieth of the time. So there are
/// trials only where they take no time.
std::optional<std::vector<double>> spans(const Ensemble& ensemble, const MeanValues& means) {
  const Forest& forest = ensemble.forest();
  std::vector<double> found(ensemble.features());
  for (std::size_t t = 0; t < ensemble.trees(); ++t) {
    const std::uint32_t root = forest.tree_first[t];
    if (ensemble.is_leaf(root))
      continue;
    const FeatureId feature = ensemble.feature(root);
    std::vector<Units> least(ensemble.scores(), std::numeric_limits<Units>::max());
    std::vector<Units> most(ensemble.scores(), std::numeric_limits<Units>::min());
    for (std::uint32_t n = root; n < means.end(t); ++n) {
      if (!ensemble.is_leaf(n) && ensemble.feature(n) != feature)
        return std::nullopt;
      for (std::uint32_t score = 0; ensemble.is_leaf(n) && score < ensemble.scores(); ++score) {
        least[score] = std::min(least[score], ensemble.units(t, n, score));
        most[score] = std::max(most[score], ensemble.units(t, n, score));
      }
    }
    for (std::uint32_t score = 0; score < ensemble.scores(); ++score)
      found[feature] += static_cast<double>(most[score] - least[score]);
  }
  return found;
}

} // namespace

std::vector<Units> start_leads(const Ensemble& ensemble) {
  std::vector<Units> sums(ensemble.scores()), leads;
  for (std::uint32_t score = 0; score < sums.size(); ++score)
    sums[score] = ensemble.start(score);
  for (LabelId a = 0; a < ensemble.labels(); ++a)
    for (LabelId b = 0; b < ensemble.labels(); ++b)
      if (a != b)
        leads.push_back(ensemble.lead(sums, a, b));
  return leads;
}

std::vector<Order> simple_orders(const Ensemble& ensemble, const MeanValues& means,
                                 Budget& budget) {
  const Forest& forest = ensemble.forest();
  const std::size_t features = ensemble.features();
  std::vector<double> tests(features), upper(features), explained(features);
  std::vector<double> upper_here(features), height(forest.node_test.size(), 1);
  std::vector<std::vector<Weighed>> upper_in;
  std::vector<FeatureId> met;
  for (std::size_t t = 0; t < ensemble.trees(); ++t) {
    for (std::uint32_t n = forest.tree_first[t]; n < means.end(t); ++n)
      if (!ensemble.is_leaf(n)) {
        budget.tick();
        const FeatureId f = ensemble.feature(n);
        height[forest.node_left[n]] = height[forest.node_right[n]] = height[n] / 2;
        tests[f] += 1;
        upper[f] += height[n];
        upper_here[f] += height[n];
        explained[f] += means.explained(n);
        met.push_back(f);
      }
    upper_in.push_back(weighed(upper_here, met));
    for (const FeatureId f : met)
      upper_here[f] = 0;
    met.clear();
  }
  return {by_weight(upper), by_weight(explained), by_weight(tests),
          finishing(upper_in, features, budget)};
}

bool is_additive(const Ensemble& ensemble, const MeanValues& means) {
  return spans(ensemble, means).has_value();
}

Order chosen_order(const Ensemble& ensemble, Budget& budget, std::uint64_t& trials) {
  const MeanValues means(ensemble, budget);
  std::vector<Order> orders = simple_orders(ensemble, means, budget);
  OrderTrials tried(ensemble, means, budget);
  if (const auto widths = spans(ensemble, means)) {
    orders.push_back(by_weight(*widths));
    if (!tried.cost(orders.back(), additive_limit)) {
      trials += tried.states();
      return orders.back();
    }
  }
  const std::uint64_t scale = 1 + ensemble.trees() / 32; // a state of many trees takes longer
  auto [best, cost] = tried.cheapest(orders, whole_limit / scale);
  const std::uint64_t effort =
      cost ? std::min(enough * *cost, most_effort / scale) : part_effort / scale;
  while (!cost && tried.taken() > 1) {
    tried.take(tried.taken() * 2 / 3);
    std::tie(best, cost) = tried.cheapest(orders, part_limit / scale);
  }
  orders.insert(orders.begin(), best);
  while (cost) {
    orders[0] = best = tried.improved(best, *cost, effort);
    if (tried.taken() == ensemble.trees())
      break;
    tried.take(std::min(tried.taken() * 3 / 2 + 1, ensemble.trees()));
    std::tie(best, cost) = tried.cheapest(orders, whole_limit / scale);
  }
  trials += tried.states();
  return best;
}

} // namespace reasons::forest
