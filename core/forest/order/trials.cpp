#include "forest/order/trials.hpp"

#include "base/error.hpp"
#include "forest/compile/state_search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace reasons::forest {

OrderTrials::OrderTrials(const Ensemble& ensemble, const MeanValues& means, Budget budget)
    : ensemble_(ensemble), means_(means), budget_(std::move(budget)), drawn_(ensemble.trees()) {
  std::iota(drawn_.begin(), drawn_.end(), 0);
  // Any fixed shuffle will do: classes often take turns, so a stride could miss some.
  std::ranges::sort(drawn_, {}, [](std::uint32_t tree) { return tree * 2654435761u; });
  take(drawn_.size());
}

void OrderTrials::take(std::size_t trees) {
  take(trees, [&](std::uint32_t score) {
    return ensemble_.start(score) + std::llround(mean_of(trees, drawn_.size(), score));
  });
}

void OrderTrials::take_balanced(std::size_t trees) {
  take(trees, [&](std::uint32_t score) { return -std::llround(mean_of(0, trees, score)); });
}

/// What some of the drawn trees add to a score on average.
double OrderTrials::mean_of(std::size_t first, std::size_t end, std::uint32_t score) const {
  double sum = 0;
  for (std::size_t i = first; i < end; ++i)
    sum += means_.mean(ensemble_.forest().tree_first[drawn_[i]], score);
  return sum;
}

void OrderTrials::take(std::size_t trees, const auto& rest_of) {
  trees_.assign(drawn_.begin(), drawn_.begin() + static_cast<std::ptrdiff_t>(trees));
  std::ranges::sort(trees_);
  std::vector<Units> sums(ensemble_.scores());
  for (std::uint32_t score = 0; score < sums.size(); ++score)
    sums[score] = rest_of(score);
  instead_.clear();
  for (LabelId a = 0; a < ensemble_.labels(); ++a)
    for (LabelId b = 0; b < ensemble_.labels(); ++b)
      if (a != b)
        instead_.push_back(ensemble_.lead(sums, a, b));
}

std::optional<std::uint64_t> OrderTrials::cost(const Order& order, std::uint64_t limit) {
  budget_.check();
  try {
    StateSearch search(ensemble_, order, trees_, instead_, budget_, {.settles = false});
    search.run(limit);
    states_ += search.states();
    effort_ += search.effort();
    if (search.is_done() && search.effort() <= limit)
      return search.effort();
  } catch (const BudgetExceeded& error) {
    if (error.resource() == "seconds")
      throw; // another order may fit the other limits
  }
  return std::nullopt;
}

double OrderTrials::share(const Order& order, std::uint64_t effort) {
  budget_.check();
  StateSearch search(ensemble_, order, trees_, instead_, budget_, {.settles = false});
  search.run(effort);
  return search.share();
}

std::pair<OrderTrials::Order, std::optional<std::uint64_t>>
OrderTrials::cheapest(std::span<const Order> orders, std::uint64_t limit) {
  std::pair<Order, std::optional<std::uint64_t>> best{orders[0], std::nullopt};
  for (const Order& order : orders)
    if (const auto found = cost(order, best.second ? *best.second - 1 : limit))
      best = {order, found};
  return best;
}

/// Swaps of neighbours win most, so that longer moves come after them.
OrderTrials::Order OrderTrials::improved(Order order, std::uint64_t cost_of_order,
                                         std::uint64_t effort) {
  const std::uint64_t until = effort_ + effort;
  const auto places = static_cast<std::ptrdiff_t>(order.size());
  const auto moves = [&](std::ptrdiff_t from, std::ptrdiff_t to) {
    if (to < 0 || to >= places || effort_ >= until)
      return false;
    Order other = order;
    other.erase(other.begin() + from);
    other.insert(other.begin() + to, order[static_cast<std::size_t>(from)]);
    const auto less = cost(other, cost_of_order - 1);
    if (less) {
      order = std::move(other);
      cost_of_order = *less;
    }
    return less.has_value();
  };
  for (std::ptrdiff_t step = 1; step < places && effort_ < until;) {
    bool moved = false;
    for (std::ptrdiff_t from = 0; from < places; ++from)
      moved |= moves(from, from + step) || (step > 1 && moves(from, from - step));
    step = !moved ? 2 * step : step == 1 ? 1 : step / 2;
  }
  return order;
}

} // namespace reasons::forest
