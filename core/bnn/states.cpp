#include "bnn/states.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>

namespace reasons::bnn {
namespace {

/// Up to so many weights, adding them up is faster than looking up what came of it.
constexpr std::size_t most_weights_added = 2048;

/// The fewest bytes that hold every partial sum of a layer: 1, 2, 4 or 8.
std::size_t bytes_of_sums(const ThresholdLayer& layer) {
  std::int64_t most = 0;
  for (std::size_t unit = 0; unit < layer.units(); ++unit) {
    std::int64_t total = 0;
    for (std::uint32_t input = 0; input < layer.inputs; ++input)
      total += std::abs(layer.weights[unit * layer.inputs + input]);
    most = std::max(most, total);
  }
  std::size_t bytes = 1;
  while (bytes < 8 && most >> (8 * bytes - 1) != 0)
    bytes *= 2;
  return bytes;
}

std::size_t weights_after_first(const Network& network) {
  std::size_t total = 2 * network.scores.size();
  for (std::size_t layer = 1; layer < network.layers.size(); ++layer)
    total += network.layers[layer].weights.size();
  return total;
}

} // namespace

NetworkStates::NetworkStates(const Network& network, const InputRegion& region,
                             std::span<const FeatureId> order, Budget& budget)
    : layer_(network.layers.front()), region_(region), order_(order.begin(), order.end()),
      remaining_(layer_, region, order, budget), outcome_(network),
      words_((layer_.units() + 31) / 32), bytes_of_sum_(bytes_of_sums(layer_)),
      columns_(layer_.weights.size()),
      is_remembered_(weights_after_first(network) > most_weights_added), low_(layer_.units()),
      high_(layer_.units()) {
  for (std::size_t unit = 0; unit < layer_.units(); ++unit)
    for (std::size_t input = 0; input < layer_.inputs; ++input)
      columns_[input * layer_.units() + unit] = layer_.weights[unit * layer_.inputs + input];
}

/// Puts a unit where its sum belongs: among the certain ones, or the open ones.
void NetworkStates::place(NetworkState& state, std::size_t level, std::uint32_t unit,
                          std::int64_t sum) const {
  const bool is_true = sum + remaining_.least(level, state.flips)[unit] >= layer_.true_from[unit];
  const bool is_false = sum + remaining_.most(level, state.flips)[unit] < layer_.false_below[unit];
  if (is_true || is_false) {
    state.certain[unit / 32] |= 1u << (unit % 32);
    state.certain[words_ + unit / 32] |= static_cast<std::uint32_t>(is_true) << (unit % 32);
    return;
  }
  if (level == order_.size())
    refuse_doubt(0, unit);
  state.open.push_back(unit);
  state.sums.push_back(sum);
}

NetworkState NetworkStates::first() const {
  NetworkState state;
  state.flips = region_.flips.value_or(0);
  state.certain.assign(2 * words_, 0);
  for (std::uint32_t unit = 0; unit < layer_.units(); ++unit)
    place(state, 0, unit, 0);
  return state;
}

bool NetworkStates::step(const NetworkState& state, std::size_t level, bool value,
                         NetworkState& next) const {
  const FeatureId input = order_[level];
  if (region_.fixed[input] != InputRegion::free && region_.fixed[input] != value)
    return false;
  const bool is_flip = region_.flips && region_.centre[input] != value;
  if (is_flip && state.flips == 0)
    return false;
  next.flips = state.flips - is_flip;
  if (region_.flips)
    next.flips = std::min(next.flips, static_cast<std::uint32_t>(order_.size() - level - 1));
  next.certain = state.certain;
  next.open.clear();
  next.sums.clear();
  const std::int64_t* column = &columns_[input * layer_.units()];
  for (std::size_t i = 0; i < state.open.size(); ++i) {
    const std::uint32_t unit = state.open[i];
    place(next, level + 1, unit, state.sums[i] + (value ? column[unit] : 0));
  }
  return true;
}

LabelId NetworkStates::label(const NetworkState& state) {
  if (!is_remembered_)
    return found_label(state);
  const std::uint32_t number = known_.intern(state.certain);
  if (number == labels_.size())
    labels_.push_back(found_label(state));
  return labels_[number];
}

LabelId NetworkStates::found_label(const NetworkState& state) {
  for (std::uint32_t unit = 0; unit < layer_.units(); ++unit) {
    const bool is_certain = state.certain[unit / 32] >> (unit % 32) & 1;
    const bool value = state.certain[words_ + unit / 32] >> (unit % 32) & 1;
    low_[unit] = is_certain && value;
    high_[unit] = !is_certain || value;
  }
  return outcome_.of(low_, high_);
}

void NetworkStates::write(const NetworkState& state, std::vector<std::uint32_t>& key) const {
  const std::size_t head = 1 + state.certain.size();
  key.assign(head + (state.sums.size() * bytes_of_sum_ + 3) / 4, 0);
  key[0] = state.flips;
  std::ranges::copy(state.certain, key.begin() + 1);
  auto* at = reinterpret_cast<unsigned char*>(key.data() + head);
  for (const std::int64_t sum : state.sums)
    for (std::size_t byte = 0; byte < bytes_of_sum_; ++byte)
      *at++ = static_cast<unsigned char>(static_cast<std::uint64_t>(sum) >> (8 * byte));
}

void NetworkStates::read(std::span<const std::uint32_t> key, NetworkState& state) const {
  state.flips = key[0];
  state.certain.assign(key.begin() + 1, key.begin() + 1 + static_cast<std::ptrdiff_t>(2 * words_));
  state.open.clear();
  state.sums.clear();
  const auto* at = reinterpret_cast<const unsigned char*>(key.data() + 1 + 2 * words_);
  const std::size_t unused = 64 - 8 * bytes_of_sum_;
  for (std::uint32_t unit = 0; unit < layer_.units(); ++unit) {
    if (state.certain[unit / 32] >> (unit % 32) & 1)
      continue;
    std::uint64_t bits = 0;
    for (std::size_t byte = 0; byte < bytes_of_sum_; ++byte)
      bits |= std::uint64_t{*at++} << (8 * byte);
    state.open.push_back(unit);
    state.sums.push_back(static_cast<std::int64_t>(bits << unused) >> unused);
  }
}

} // namespace reasons::bnn
