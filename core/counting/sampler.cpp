// sampler.cpp: the ways of queries/ways.py, in the same order, without the lists.
#include "counting/sampler.hpp"

#include <algorithm>
#include <cmath>

namespace reasons {

Drawing::Drawing(const Circuit& circuit, std::span<const double> allowed, LabelId label,
                 double slack)
    : circuit_(circuit), label_(label), roundings_(0) {
  shares_.emplace_back(circuit, allowed, label);
  if (circuit.has_conjunctions() && label == 0)
    shares_.emplace_back(circuit, allowed, LabelId{1});
  for (const Shares& shares : shares_)
    roundings_ = std::max(roundings_, 8 * shares.roundings() + slack);
}

Drawing::End Drawing::walk(std::span<const std::uint64_t> numbers,
                           std::vector<std::pair<SplitId, std::uint32_t>>& taken) {
  open_.assign(1, {circuit_.root(), label_, 0});
  while (!open_.empty()) {
    const Aim aim = open_.back();
    open_.pop_back();
    if (circuit_.kind(aim.node) == Kind::leaf)
      continue;
    std::size_t way = 0;
    if (circuit_.kind(aim.node) == Kind::decision || aim.label == 0) {
      weigh(aim);
      if (const End end = choose(numbers, way); end != End::done)
        return end;
    }
    follow(aim, way, taken);
  }
  return End::done;
}

void Drawing::weigh(const Aim& aim) {
  weight_.clear();
  if (circuit_.kind(aim.node) == Kind::conjunction)
    return weigh_rest(aim);
  const auto inputs = circuit_.inputs(aim.node);
  const Shares& own = shares(aim.label);
  for (std::size_t k = 0; k < inputs.size(); ++k)
    weight_.push_back(own.arm(circuit_.payload(aim.node), k) * own.at(inputs[k]));
}

/// The first input is 0, or it is 1 and what follows is 0.
void Drawing::weigh_rest(const Aim& aim) {
  const NodeId first = circuit_.inputs(aim.node)[aim.start];
  weight_.push_back(shares(0).at(first));
  weight_.push_back(shares(1).at(first) * rest(aim.node)[aim.start + 1]);
}

const std::vector<Scaled>& Drawing::rest(NodeId n) {
  const auto [place, fresh] = rest_.try_emplace(n);
  if (fresh) {
    const auto inputs = circuit_.inputs(n);
    place->second.resize(inputs.size() + 1);
    for (std::size_t k = inputs.size(); k-- > 0;)
      place->second[k] = shares(0).at(inputs[k]) + shares(1).at(inputs[k]) * place->second[k + 1];
  }
  return place->second;
}

Drawing::End Drawing::choose(std::span<const std::uint64_t>& numbers, std::size_t& chosen) const {
  std::size_t ways = 0;
  Scaled total;
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
      return End::doubtful;
    if (number < border)
      chosen = k;
  }
  return End::done;
}

void Drawing::follow(const Aim& aim, std::size_t way,
                     std::vector<std::pair<SplitId, std::uint32_t>>& taken) {
  const auto inputs = circuit_.inputs(aim.node);
  if (circuit_.kind(aim.node) == Kind::decision) {
    taken.emplace_back(circuit_.payload(aim.node), static_cast<std::uint32_t>(way));
    open_.push_back({inputs[way], aim.label, 0});
  } else if (aim.label != 0) {
    for (const NodeId input : inputs)
      open_.push_back({input, aim.label, 0});
  } else if (way == 0) {
    open_.push_back({inputs[aim.start], 0, 0});
  } else {
    open_.push_back({inputs[aim.start], 1, 0});
    open_.push_back({aim.node, 0, aim.start + 1});
  }
}

} // namespace reasons
