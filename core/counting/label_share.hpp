// label_share.hpp: the share of a label below every node, as floating-point numbers that cannot
// underflow.
//
// Only sums and products of numbers that are not negative occur, so that errors stay small
// and are bounded; drawing instances relies on the bound, and listing them on a share being
// zero exactly where no instance has the label.
#pragma once

#include "circuit/circuit.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace reasons {

/// value * 2^(256 * blocks), with the value 0 or between 2^-256 and about 1. A common
/// exponent would have to be aligned at every sum; whole blocks nearly always agree.
struct Scaled {
  double value = 0;
  std::int64_t blocks = 0;

  static constexpr double block = 0x1p256, smallest = 0x1p-256;

  [[nodiscard]] Scaled normal() const {
    Scaled number = *this;
    for (; number.value != 0 && number.value < smallest; --number.blocks)
      number.value *= block;
    return number;
  }
  [[nodiscard]] Scaled operator*(const Scaled& other) const {
    return Scaled{value * other.value, blocks + other.blocks}.normal();
  }
  [[nodiscard]] Scaled operator+(const Scaled& other) const {
    if (value == 0 || other.value == 0)
      return value == 0 ? other : *this;
    const bool above = blocks >= other.blocks;
    const Scaled &large = above ? *this : other, &small = above ? other : *this;
    // Two blocks lower, a number is too small to change the other.
    if (large.blocks == small.blocks)
      return {large.value + small.value, large.blocks};
    if (large.blocks == small.blocks + 1)
      return {large.value + small.value * smallest, large.blocks};
    return large;
  }
  /// Divided by one that is not 0, as a plain number; 0 where it is too small for that.
  [[nodiscard]] double operator/(const Scaled& other) const {
    const double ratio = value / other.value;
    if (blocks == other.blocks)
      return ratio;
    if (blocks == other.blocks + 1)
      return ratio * block;
    return blocks == other.blocks - 1 ? ratio * smallest : 0;
  }
};

class Shares {
public:
  /// `weights`: one for each value of each feature, none negative; of a value that may not
  /// be taken, 0. Only their ratios within a feature matter. Time O(size).
  Shares(const Circuit& circuit, std::span<const double> weights, LabelId label);

  [[nodiscard]] const std::vector<double>& values() const { return values_; }
  [[nodiscard]] const std::vector<std::int64_t>& blocks() const { return blocks_; }
  [[nodiscard]] Scaled at(NodeId n) const { return {values_[n], blocks_[n]}; }
  /// The share of an arm among the values that reach a split.
  [[nodiscard]] Scaled arm(SplitId s, std::size_t k) const { return arm_share_[arms_from_[s] + k]; }
  /// How many roundings, at most, add up in the share of any node.
  [[nodiscard]] double roundings() const { return most_roundings_; }

private:
  void add_split(SplitId s, std::span<const double> weights);
  [[nodiscard]] Scaled share(NodeId n, double& roundings) const;
  [[nodiscard]] Scaled of_inputs(NodeId n, double& roundings) const;

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
