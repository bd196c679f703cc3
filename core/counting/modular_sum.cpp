// modular_sum.cpp: sums from the leaves up, derivatives from the root down.
#include "counting/modular_sum.hpp"

#include <algorithm>

namespace reasons::counting {

ModularSums::ModularSums(const Circuit& circuit, std::span<const std::uint64_t> weights,
                         std::uint64_t prime)
    : circuit_(circuit), field_(prime) {
  for (const std::uint64_t weight : weights)
    weights_.push_back(field_.in(weight));
  weights_from_.push_back(0);
  for (FeatureId f = 0; f < circuit.features(); ++f)
    weights_from_.push_back(weights_from_.back() + circuit.domain(f));
  for (SplitId s = 0; s < circuit.splits(); ++s)
    add_split(s);
  std::sort(cancelling_.begin(), cancelling_.end());
  cancelling_.erase(std::unique(cancelling_.begin(), cancelling_.end()), cancelling_.end());
}

void ModularSums::add_split(SplitId s) {
  const std::size_t from = arm_weight_.size();
  arms_from_.push_back(from);
  arm_weight_.resize(from + circuit_.arms(s), 0);
  const auto arm_of = circuit_.arm_of(s);
  const auto weight = std::span(weights_).subspan(weights_from_[circuit_.tested(s)]);
  std::uint64_t total = 0;
  bool weighs = false;
  for (std::size_t v = 0; v < arm_of.size(); ++v)
    if (arm_of[v] != no_arm) {
      std::uint64_t& arm = arm_weight_[from + arm_of[v]];
      arm = field_.plus(arm, weight[v]);
      total = field_.plus(total, weight[v]);
      weighs |= weight[v] != 0;
    }
  if (total == 0 && weighs)
    cancelling_.push_back(circuit_.tested(s));
  divisor_.push_back(total == field_.one() ? total : field_.inverse(total));
  if (total != field_.one())
    for (std::size_t k = from; k < arm_weight_.size(); ++k)
      arm_weight_[k] = field_.times(arm_weight_[k], divisor_.back());
}

void ModularSums::upward(std::span<const std::uint64_t> leaf_values,
                         std::uint64_t impossible_value) {
  leaf_values_.clear();
  for (const std::uint64_t value : leaf_values)
    leaf_values_.push_back(field_.in(value));
  impossible_value_ = field_.in(impossible_value);
  sum_.resize(circuit_.size());
  for (NodeId n = 0; n < circuit_.size(); ++n)
    sum_[n] = summed(n);
}

std::uint64_t ModularSums::summed(NodeId n) const {
  const std::uint32_t payload = circuit_.payload(n);
  const auto inputs = circuit_.inputs(n);
  if (circuit_.kind(n) == Kind::leaf)
    return payload == impossible_label ? impossible_value_ : leaf_values_[payload];
  if (circuit_.kind(n) == Kind::conjunction) {
    std::uint64_t product = field_.one();
    for (const NodeId input : inputs)
      product = field_.times(product, sum_[input]);
    return product;
  }
  const std::uint64_t* weight = arm_weight_.data() + arms_from_[payload];
  std::uint64_t total = 0;
  for (std::size_t k = 0; k < inputs.size(); ++k)
    total = field_.plus(total, field_.times(weight[k], sum_[inputs[k]]));
  return total;
}

std::vector<std::uint64_t> ModularSums::by_value() const {
  const std::vector<std::uint64_t> through = flow();
  // The derivative by a weight, through the shares of all splits of its feature.
  std::vector<std::uint64_t> slope(weights_.size(), sum_[circuit_.root()]);
  for (SplitId s = 0; s < circuit_.splits(); ++s) {
    std::uint64_t mean = 0;
    for (std::size_t k = arms_from_[s]; k < arms_from_[s] + circuit_.arms(s); ++k)
      mean = field_.plus(mean, field_.times(through[k], arm_weight_[k]));
    const auto arm_of = circuit_.arm_of(s);
    for (std::size_t v = 0; v < arm_of.size(); ++v)
      if (arm_of[v] != no_arm) {
        std::uint64_t& here = slope[weights_from_[circuit_.tested(s)] + v];
        const std::uint64_t gain = field_.minus(through[arms_from_[s] + arm_of[v]], mean);
        here = field_.plus(here, field_.times(gain, divisor_[s]));
      }
  }
  for (std::size_t i = 0; i < slope.size(); ++i)
    slope[i] = field_.out(field_.times(slope[i], weights_[i]));
  return slope;
}

std::vector<std::uint64_t> ModularSums::flow() const {
  std::vector<std::uint64_t> through(arm_weight_.size(), 0), reach(circuit_.size(), 0);
  reach[circuit_.root()] = field_.one();
  for (NodeId n = circuit_.size(); n-- > 0;) {
    if (reach[n] == 0)
      continue;
    pass_down(n, reach);
    if (circuit_.kind(n) != Kind::decision)
      continue;
    std::uint64_t* arm = through.data() + arms_from_[circuit_.payload(n)];
    for (const NodeId input : circuit_.inputs(n)) {
      *arm = field_.plus(*arm, field_.times(reach[n], sum_[input]));
      ++arm;
    }
  }
  return through;
}

void ModularSums::pass_down(NodeId n, std::vector<std::uint64_t>& reach) const {
  const auto inputs = circuit_.inputs(n);
  const auto add = [&](NodeId input, std::uint64_t amount) {
    reach[input] = field_.plus(reach[input], amount);
  };
  if (circuit_.kind(n) == Kind::decision) {
    const std::uint64_t* weight = arm_weight_.data() + arms_from_[circuit_.payload(n)];
    for (std::size_t k = 0; k < inputs.size(); ++k)
      add(inputs[k], field_.times(reach[n], weight[k]));
    return;
  }
  // Of a conjunction each input gets the product of the others; dividing would fail at 0.
  std::vector<std::uint64_t> after(inputs.size() + 1, field_.one());
  for (std::size_t k = inputs.size(); k-- > 0;)
    after[k] = field_.times(after[k + 1], sum_[inputs[k]]);
  std::uint64_t before = reach[n];
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    add(inputs[k], field_.times(before, after[k + 1]));
    before = field_.times(before, sum_[inputs[k]]);
  }
}

std::uint64_t weighted_sum(const Circuit& circuit, std::span<const std::uint64_t> weights,
                           std::span<const std::uint64_t> leaf_values,
                           std::uint64_t impossible_value, std::uint64_t prime) {
  ModularSums sums(circuit, weights, prime);
  sums.upward(leaf_values, impossible_value);
  return sums.at(circuit.root());
}

} // namespace reasons::counting
