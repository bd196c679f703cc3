// trials.hpp: trial compilations of a part of the trees, to compare orders.
#pragma once

#include "base/budget.hpp"
#include "forest/compile/interval_cache.hpp"
#include "forest/ensemble.hpp"
#include "forest/order/mean_values.hpp"

#include <optional>
#include <span>
#include <vector>

namespace reasons::forest {

class OrderTrials {
public:
  using Order = std::vector<FeatureId>;

  OrderTrials(const Ensemble& ensemble, const MeanValues& means, Budget budget);

  /// From now on so many trees are tried; the others count as their means.
  void take(std::size_t trees);
  /// From now on so many trees are tried; the others count as if all leads were nothing on
  /// average, so that a few trees can still change the label.
  void take_balanced(std::size_t trees);
  [[nodiscard]] std::size_t taken() const { return trees_.size(); }

  /// States and nodes that the order takes, or nothing if that is more than the limit.
  [[nodiscard]] std::optional<std::uint64_t> cost(const Order& order, std::uint64_t limit);
  /// What part of the instances an order goes through with so much effort.
  [[nodiscard]] double share(const Order& order, std::uint64_t effort);
  /// The cheapest of some orders and what it costs; a cost of nothing if all are above the limit.
  [[nodiscard]] std::pair<Order, std::optional<std::uint64_t>>
  cheapest(std::span<const Order> orders, std::uint64_t limit);
  /// Moves single features to better places until none is or `effort` is spent.
  [[nodiscard]] Order improved(Order order, std::uint64_t cost, std::uint64_t effort);

  [[nodiscard]] std::uint64_t states() const { return states_; }

private:
  void take(std::size_t trees, const auto& rest_of);
  [[nodiscard]] double mean_of(std::size_t first, std::size_t end, std::uint32_t score) const;

  const Ensemble& ensemble_;
  const MeanValues& means_;
  Budget budget_;
  std::vector<std::uint32_t> drawn_; // all trees, in the order in which they are taken
  std::vector<std::uint32_t> trees_;
  std::vector<Units> instead_;
  std::uint64_t states_ = 0, effort_ = 0;
};

} // namespace reasons::forest
