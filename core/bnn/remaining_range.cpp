#include "bnn/remaining_range.hpp"

#include <algorithm>

namespace reasons::bnn {
namespace {

/// Keeps the `most` smallest of the numbers, in ascending order.
void keep_least(std::vector<std::int64_t>& kept, std::int64_t number, std::size_t most) {
  kept.insert(std::ranges::upper_bound(kept, number), number);
  if (kept.size() > most)
    kept.pop_back();
}

} // namespace

RemainingRange::RemainingRange(const ThresholdLayer& layer, const InputRegion& region,
                               std::span<const FeatureId> order, Budget& budget)
    : units_(layer.units()), choices_(region.flips.value_or(0) + std::size_t{1}) {
  const std::size_t size = (order.size() + 1) * choices_ * units_;
  budget.require(0, 16 * size);
  least_.assign(size, 0);
  most_.assign(size, 0);
  for (std::size_t unit = 0; unit < units_; ++unit) {
    budget.check();
    fill(layer, region, order, unit);
  }
}

void RemainingRange::fill(const ThresholdLayer& layer, const InputRegion& region,
                          std::span<const FeatureId> order, std::size_t unit) {
  const std::size_t most_flips = choices_ - 1;
  std::int64_t base_least = 0, base_most = 0;
  std::vector<std::int64_t> falls, negated_rises; // by flipping one input, steepest first
  for (std::size_t level = order.size(); level-- > 0;) {
    const FeatureId input = order[level];
    const std::int64_t weight = layer.weights[unit * layer.inputs + input];
    if (region.fixed[input] != InputRegion::free || region.flips) {
      const bool is_fixed = region.fixed[input] != InputRegion::free;
      const bool value = is_fixed ? region.fixed[input] : region.centre[input];
      base_least += value ? weight : 0;
      base_most += value ? weight : 0;
      const std::int64_t change = value ? -weight : weight;
      if (!is_fixed && change < 0)
        keep_least(falls, change, most_flips);
      if (!is_fixed && change > 0)
        keep_least(negated_rises, -change, most_flips);
    } else {
      base_least += std::min<std::int64_t>(weight, 0);
      base_most += std::max<std::int64_t>(weight, 0);
    }
    std::int64_t fall = 0, rise = 0;
    for (std::size_t flips = 0; flips < choices_; ++flips) {
      if (flips > 0 && flips <= falls.size())
        fall += falls[flips - 1];
      if (flips > 0 && flips <= negated_rises.size())
        rise -= negated_rises[flips - 1];
      least_[(level * choices_ + flips) * units_ + unit] = base_least + fall;
      most_[(level * choices_ + flips) * units_ + unit] = base_most + rise;
    }
  }
}

} // namespace reasons::bnn
