// sampler.cpp: the same choices, in the same order, as src/reasons/counting/paths.py.
#include "counting/sampler.hpp"

#include <algorithm>
#include <cmath>

namespace reasons::counting {

Sampler::Sampler(const Circuit& circuit, std::span<const double> allowed, LabelId label,
                 double slack)
    : circuit_(circuit), label_(label), roundings_(0) {
  shares_.emplace_back(circuit, allowed, label);
  if (circuit.has_conjunctions() && label == 0)
    shares_.emplace_back(circuit, allowed, LabelId{1});
  for (const LabelShares& shares : shares_)
    roundings_ = std::max(roundings_, 8 * shares.roundings() + slack);
}

Sampler::End Sampler::walk(std::span<const std::uint64_t> numbers,
                           std::vector<std::pair<SplitId, std::uint32_t>>& taken) {
  open_.assign(1, {circuit_.root(), label_, 0});
  while (!open_.empty()) {
    const Goal goal = open_.back();
    open_.pop_back();
    if (circuit_.kind(goal.node) == Kind::leaf)
      continue;
    std::size_t way = 0;
    if (circuit_.kind(goal.node) == Kind::decision || goal.label == 0) {
      weigh(goal);
      if (const End end = choose(numbers, way); end != End::done)
        return end;
    }
    follow(goal, way, taken);
  }
  return End::done;
}

void Sampler::weigh(const Goal& goal) {
  weight_.clear();
  if (circuit_.kind(goal.node) == Kind::conjunction)
    return weigh_rest(goal);
  const auto inputs = circuit_.inputs(goal.node);
  const LabelShares& own = shares(goal.label);
  for (std::size_t k = 0; k < inputs.size(); ++k)
    weight_.push_back(own.arm(circuit_.payload(goal.node), k) * own.at(inputs[k]));
}

/// The first input is 0, or it is 1 and what follows is 0.
void Sampler::weigh_rest(const Goal& goal) {
  const NodeId first = circuit_.inputs(goal.node)[goal.start];
  weight_.push_back(shares(0).at(first));
  weight_.push_back(shares(1).at(first) * rest(goal.node)[goal.start + 1]);
}

const std::vector<ScaledFloat>& Sampler::rest(NodeId n) {
  const auto [place, fresh] = rest_.try_emplace(n);
  if (fresh) {
    const auto inputs = circuit_.inputs(n);
    place->second.resize(inputs.size() + 1);
    for (std::size_t k = inputs.size(); k-- > 0;)
      place->second[k] = shares(0).at(inputs[k]) + shares(1).at(inputs[k]) * place->second[k + 1];
  }
  return place->second;
}

Sampler::End Sampler::choose(std::span<const std::uint64_t>& numbers, std::size_t& chosen) const {
  std::size_t ways = 0;
  ScaledFloat total;
  for (std::size_t k = 0; k < weight_.size(); ++k)
    if (weight_[k].value > 0) {
      total = total + weight_[k];
      chosen = k;
      ++ways;
    }
  if (ways < 2)
    return End::done;
  if (numbers.empty())
    return End::out_of_numbers;
  const double number = static_cast<double>(numbers.front()) * 0x1p-64;
  numbers = numbers.subspan(1);
  const double margin = (roundings_ + 8 * static_cast<double>(ways)) * 0x1p-53;
  double border = 0;
  for (std::size_t k = 0; k < chosen; ++k) {
    if (weight_[k].value == 0)
      continue;
    border += weight_[k] / total;
    if (std::abs(number - border) <= margin)
      return End::needs_exact;
    if (number < border)
      chosen = k;
  }
  return End::done;
}

void Sampler::follow(const Goal& goal, std::size_t way,
                     std::vector<std::pair<SplitId, std::uint32_t>>& taken) {
  const auto inputs = circuit_.inputs(goal.node);
  if (circuit_.kind(goal.node) == Kind::decision) {
    taken.emplace_back(circuit_.payload(goal.node), static_cast<std::uint32_t>(way));
    open_.push_back({inputs[way], goal.label, 0});
  } else if (goal.label != 0) {
    for (const NodeId input : inputs)
      open_.push_back({input, goal.label, 0});
  } else if (way == 0) {
    open_.push_back({inputs[goal.start], 0, 0});
  } else {
    open_.push_back({inputs[goal.start], 1, 0});
    open_.push_back({goal.node, 0, goal.start + 1});
  }
}

} // namespace reasons::counting
