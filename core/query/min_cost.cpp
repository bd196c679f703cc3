// min_cost.cpp: prices upward, one way down, and sums over all tight ways.
#include "query/min_cost.hpp"

#include <algorithm>

namespace reasons::query {
namespace {

Price sum(Price a, Price b) {
  return a == no_price || b == no_price ? no_price : a + b;
}

} // namespace

MinCostSearch::MinCostSearch(const Circuit& circuit, std::span<const Price> costs, LabelId label)
    : circuit_(circuit), label_(label), price_(circuit.size()) {
  std::vector<std::size_t> from{0};
  for (FeatureId f = 0; f < circuit.features(); ++f) {
    const auto own = costs.subspan(from.back(), circuit.domain(f));
    start_.push_back(static_cast<Cell>(std::min_element(own.begin(), own.end()) - own.begin()));
    from.push_back(from.back() + circuit.domain(f));
  }
  for (SplitId s = 0; s < circuit.splits(); ++s)
    add_tolls(s, costs.subspan(from[circuit.tested(s)]));
  for (NodeId n = 0; n < circuit.size(); ++n)
    price_[n] = priced(n);
}

void MinCostSearch::add_tolls(SplitId s, std::span<const Price> costs) {
  tolls_from_.push_back(tolls_.size());
  tolls_.resize(tolls_.size() + circuit_.arms(s));
  const auto arms = std::span(tolls_).subspan(tolls_from_.back());
  const auto arm_of = circuit_.arm_of(s);
  for (Cell v = 0; v < arm_of.size(); ++v) {
    if (arm_of[v] == no_arm || costs[v] == no_price)
      continue;
    Toll& toll = arms[arm_of[v]];
    if (costs[v] < toll.price)
      toll = {costs[v], v, 1};
    else if (costs[v] == toll.price)
      ++toll.ties;
  }
  Price least = no_price;
  for (const Toll& toll : arms)
    least = std::min(least, toll.price);
  std::uint32_t ties = 0;
  for (Toll& toll : arms) {
    if (toll.price == no_price)
      continue;
    toll.price -= least;
    if (toll.price == 0)
      ties += toll.ties;
  }
  ties_.push_back(ties);
}

Price MinCostSearch::through(NodeId n, std::size_t arm) const {
  return sum(tolls(n)[arm].price, price_[circuit_.inputs(n)[arm]]);
}

Price MinCostSearch::priced(NodeId n) const {
  const auto inputs = circuit_.inputs(n);
  if (circuit_.kind(n) == Kind::leaf)
    return circuit_.payload(n) == label_ ? 0 : no_price;
  if (circuit_.kind(n) == Kind::decision)
    return through(n, best(n));
  if (label_ == 0)
    return price_[inputs[best(n)]];
  Price total = 0;
  for (const NodeId input : inputs)
    total = sum(total, price_[input]);
  return total;
}

/// The first arm of a decision, or input of a conjunction, that costs least.
std::size_t MinCostSearch::best(NodeId n) const {
  const auto inputs = circuit_.inputs(n);
  const bool decides = circuit_.kind(n) == Kind::decision;
  const auto cost = [&](std::size_t k) { return decides ? through(n, k) : price_[inputs[k]]; };
  std::size_t found = 0;
  for (std::size_t k = 1; k < inputs.size(); ++k)
    if (cost(k) < cost(found))
      found = k;
  return found;
}

std::optional<Price> MinCostSearch::extra() const {
  const Price least = price_[circuit_.root()];
  return least == no_price ? std::nullopt : std::optional(least);
}

std::vector<Cell> MinCostSearch::instance() const {
  std::vector<Cell> found = start_;
  std::vector<NodeId> open{circuit_.root()};
  while (!open.empty()) {
    const NodeId n = open.back();
    open.pop_back();
    const auto inputs = circuit_.inputs(n);
    if (circuit_.kind(n) == Kind::conjunction && label_ != 0) {
      open.insert(open.end(), inputs.begin(), inputs.end());
    } else if (circuit_.kind(n) != Kind::leaf) {
      const std::size_t k = best(n);
      if (circuit_.kind(n) == Kind::decision)
        found[circuit_.tested(circuit_.payload(n))] = tolls(n)[k].cell;
      open.push_back(inputs[k]);
    }
  }
  return found;
}

std::uint64_t MinCostSearch::share(std::uint64_t prime) const {
  const counting::Montgomery field(prime);
  std::vector<std::uint64_t> weight(tolls_.size(), 0), sums(circuit_.size(), 0);
  for (SplitId s = 0; s < circuit_.splits(); ++s) {
    const std::uint64_t divisor = field.inverse(field.in(ties_[s]));
    for (std::size_t k = 0; k < circuit_.arms(s); ++k)
      weight[tolls_from_[s] + k] = field.times(field.in(tolls_[tolls_from_[s] + k].ties), divisor);
  }
  for (NodeId n = 0; n < circuit_.size(); ++n)
    if (price_[n] != no_price)
      sums[n] = summed(n, field, weight, sums);
  return field.out(sums[circuit_.root()]);
}

std::uint64_t MinCostSearch::summed(NodeId n, const counting::Montgomery& field,
                                    std::span<const std::uint64_t> weight,
                                    std::span<const std::uint64_t> sums) const {
  const auto inputs = circuit_.inputs(n);
  const Kind kind = circuit_.kind(n);
  std::uint64_t total = 0, product = field.one();
  if (kind == Kind::decision) {
    const auto own = weight.subspan(tolls_from_[circuit_.payload(n)]);
    for (std::size_t k = 0; k < inputs.size(); ++k)
      if (through(n, k) == price_[n])
        total = field.plus(total, field.times(own[k], sums[inputs[k]]));
    return total;
  }
  for (const NodeId input : inputs) {
    if (label_ != 0)
      product = field.times(product, sums[input]);
    else if (price_[input] == price_[n]) {
      total = field.plus(total, sums[input]);
      product = field.times(product, field.minus(field.one(), sums[input]));
    }
  }
  if (kind == Kind::leaf || label_ != 0)
    return product;
  // Where a 0 adds cost, just one input is 0; where it is free, not all are 1.
  return price_[n] > 0 ? total : field.minus(field.one(), product);
}

} // namespace reasons::query
