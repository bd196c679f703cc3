// shares.hpp: the share of a label below every node, as floating-point numbers that cannot
// underflow.
//
// Only sums and products of numbers that are not negative occur, so that errors stay small
// and are bounded; drawing instances relies on the bound, and listing them on a share being
// zero exactly where no instance has the label.
#pragma once

#include "circuit.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace reasons {

/// value * 2^(256 * blocks), with the value 0 or between 2^-256 and about 1. A common
/// exponent would have to be aligned at every sum; whole blocks nearly always agree.
struct Scaled {
  double value = 0;
  std::int64_t blocks = 0;
};

class Shares {
public:
  /// `weights`: one for each value of each feature, none negative; of a value that may not
  /// be taken, 0. Only their ratios within a feature matter. Time O(size).
  Shares(const Circuit& circuit, std::span<const double> weights, LabelId label);

  [[nodiscard]] const std::vector<double>& values() const { return values_; }
  [[nodiscard]] const std::vector<std::int64_t>& blocks() const { return blocks_; }
  /// How many roundings, at most, add up in the share of any node.
  [[nodiscard]] double roundings() const { return most_roundings_; }

private:
  void add_split(SplitId s, std::span<const double> weights);
  [[nodiscard]] Scaled share(NodeId n, double& roundings) const;
  [[nodiscard]] Scaled of_inputs(NodeId n, double& roundings) const;
  [[nodiscard]] Scaled at(NodeId n) const { return {values_[n], blocks_[n]}; }

  const Circuit& circuit_;
  LabelId label_;
  std::vector<std::size_t> weights_from_, arms_from_;
  std::vector<Scaled> arm_share_;
  std::vector<double> values_;
  std::vector<std::int64_t> blocks_;
  std::vector<float> roundings_;
  double most_roundings_ = 0;
};

} // namespace reasons
