// remaining_range.hpp: bounds on what the remaining inputs add to each unit of the first layer.
#pragma once

#include "bnn/compile_network.hpp"

namespace reasons::bnn {

/// The least and the most by level, flips left and unit; level i comes before input order[i].
class RemainingRange {
public:
  RemainingRange(const ThresholdLayer& layer, const InputRegion& region,
                 std::span<const FeatureId> order, Budget& budget);

  [[nodiscard]] std::span<const std::int64_t> least(std::size_t level, std::size_t flips) const {
    return std::span(least_).subspan((level * choices_ + flips) * units_, units_);
  }
  [[nodiscard]] std::span<const std::int64_t> most(std::size_t level, std::size_t flips) const {
    return std::span(most_).subspan((level * choices_ + flips) * units_, units_);
  }

private:
  void fill(const ThresholdLayer& layer, const InputRegion& region,
            std::span<const FeatureId> order, std::size_t unit);

  std::size_t units_, choices_;
  std::vector<std::int64_t> least_, most_;
};

} // namespace reasons::bnn
