#include "bnn/network.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace reasons::bnn {
namespace {

constexpr std::int64_t most_sum = std::int64_t{1} << 61;

void require_small(std::span<const std::int64_t> numbers) {
  std::int64_t total = 0;
  for (const std::int64_t number : numbers) {
    if (number > most_sum || number < -most_sum)
      throw InputError("a weight or threshold of a network is too large");
    total += std::abs(number);
    if (total > most_sum)
      throw InputError("the weights of a unit add up to too much");
  }
}

void require_rows(std::span<const std::int64_t> weights, std::size_t rows, std::size_t width) {
  if (rows == 0 || width == 0 || weights.size() / width != rows || weights.size() % width != 0)
    throw InputError("the weights of a layer do not fit its inputs and units");
  for (std::size_t row = 0; row < rows; ++row)
    require_small(weights.subspan(row * width, width));
}

} // namespace

void require_sound(const Network& network) {
  if (network.layers.empty())
    throw InputError("a network has at least one layer");
  std::size_t before = network.inputs();
  for (const ThresholdLayer& layer : network.layers) {
    if (layer.inputs != before || layer.false_below.size() != layer.units())
      throw InputError("a layer does not fit the one before it");
    require_rows(layer.weights, layer.units(), before);
    for (std::size_t u = 0; u < layer.units(); ++u) {
      require_small(std::span(&layer.true_from[u], 1));
      require_small(std::span(&layer.false_below[u], 1));
      if (layer.false_below[u] > layer.true_from[u])
        throw InputError("a unit is true and false at once");
    }
    before = layer.units();
  }
  require_rows(network.scores, network.labels, before);
  if (network.least_lead.size() != std::size_t{network.labels} * network.labels)
    throw InputError("a network has a lead for each pair of labels");
}

void refuse_doubt(std::size_t layer, std::size_t unit) {
  throw PropertyError("rounding leaves unit " + std::to_string(unit) + " of layer " +
                      std::to_string(layer) + " in doubt");
}

Outcome::Outcome(const Network& network) : network_(network) {
  for (const ThresholdLayer& layer : network.layers) {
    auto& magnitudes = magnitudes_.emplace_back(layer.weights);
    std::ranges::transform(magnitudes, magnitudes.begin(), [](auto w) { return std::abs(w); });
  }
}

/// The least and the most that weights can add up to, added up.
std::int64_t Outcome::least_and_most(const std::int64_t* weights) const {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < low_.size(); ++i)
    sum += (weights[i] & low_[i]) + (weights[i] & high_[i]);
  return sum;
}

/// How far the least and the most are apart.
std::int64_t Outcome::width(const std::int64_t* magnitudes) const {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < low_.size(); ++i)
    sum += magnitudes[i] & (high_[i] ^ low_[i]);
  return sum;
}

/// From the units before a layer to its own.
void Outcome::pass(std::size_t number) {
  const ThresholdLayer& layer = network_.layers[number];
  next_low_.assign(layer.units(), 0);
  next_high_.assign(layer.units(), -1);
  for (std::size_t u = 0; u < layer.units(); ++u) {
    const std::int64_t both = least_and_most(&layer.weights[u * layer.inputs]);
    const std::int64_t apart = width(&magnitudes_[number][u * layer.inputs]);
    if ((both - apart) / 2 >= layer.true_from[u])
      next_low_[u] = -1;
    else if ((both + apart) / 2 < layer.false_below[u])
      next_high_[u] = 0;
    else if (low_ == high_)
      refuse_doubt(number, u);
  }
  low_.swap(next_low_);
  high_.swap(next_high_);
}

LabelId Outcome::likely() const {
  LabelId best = 0;
  std::int64_t most = std::numeric_limits<std::int64_t>::min();
  for (LabelId label = 0; label < network_.labels; ++label)
    if (const auto both = least_and_most(&network_.scores[label * low_.size()]); both > most) {
      most = both;
      best = label;
    }
  return best;
}

bool Outcome::wins(LabelId label) const {
  const std::size_t width = low_.size();
  const std::int64_t* mine = &network_.scores[label * width];
  for (LabelId other = 0; other < network_.labels; ++other) {
    if (other == label)
      continue;
    const std::int64_t* theirs = &network_.scores[other * width];
    std::int64_t lead = 0;
    for (std::size_t i = 0; i < width; ++i) {
      const std::int64_t weight = mine[i] - theirs[i];
      lead += std::min(weight & low_[i], weight & high_[i]);
    }
    if (lead < network_.least_lead[std::size_t{label} * network_.labels + other])
      return false;
  }
  return true;
}

LabelId Outcome::settle() {
  ++settled_;
  std::vector<std::uint8_t> units(low_.size());
  std::ranges::transform(low_, units.begin(), [](std::int64_t bits) { return bits != 0; });
  const LabelId label = network_.settle ? network_.settle(units) : open;
  if (label >= network_.labels)
    throw PropertyError("rounding leaves the largest score in doubt");
  return label;
}

LabelId Outcome::of(std::span<const std::uint8_t> low, std::span<const std::uint8_t> high) {
  low_.assign(low.size(), 0);
  high_.assign(high.size(), 0);
  for (std::size_t u = 0; u < low.size(); ++u) {
    low_[u] = -std::int64_t{low[u]};
    high_[u] = -std::int64_t{high[u]};
  }
  for (std::size_t layer = 1; layer < network_.layers.size(); ++layer)
    pass(layer);
  const LabelId best = likely();
  if (wins(best))
    return best;
  if (low_ != high_)
    return open;
  for (LabelId label = 0; label < network_.labels; ++label)
    if (wins(label))
      return label;
  return settle();
}

} // namespace reasons::bnn
