// label_share.hpp: the share of instances with a label below every node, in floating point.
// (The numbers cannot underflow: see scaled_float.hpp.)
//
// Only sums and products of numbers that are not negative occur, so that errors stay small
// and are bounded; drawing instances relies on the bound, and listing them on a share being
// zero exactly where no instance has the label.
#pragma once

#include "circuit/circuit.hpp"
#include "counting/scaled_float.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace reasons::counting {

class LabelShares {
public:
  /// `weights`: one for each value of each feature, none negative; of a value that may not
  /// be taken, 0. Only their ratios within a feature matter. Time O(size).
  LabelShares(const Circuit& circuit, std::span<const double> weights, LabelId label);

  [[nodiscard]] const std::vector<double>& values() const { return values_; }
  [[nodiscard]] const std::vector<std::int64_t>& blocks() const { return blocks_; }
  [[nodiscard]] ScaledFloat at(NodeId n) const { return {values_[n], blocks_[n]}; }
  /// The share of an arm among the values that reach a split.
  [[nodiscard]] ScaledFloat arm(SplitId s, std::size_t k) const {
    return arm_share_[arms_from_[s] + k];
  }
  /// How many roundings, at most, add up in the share of any node.
  [[nodiscard]] double roundings() const { return most_roundings_; }

private:
  void add_split(SplitId s, std::span<const double> weights);
  [[nodiscard]] ScaledFloat share(NodeId n, double& roundings) const;
  [[nodiscard]] ScaledFloat of_inputs(NodeId n, double& roundings) const;

  const Circuit& circuit_;
  LabelId label_;
  std::vector<std::size_t> weights_from_, arms_from_;
  std::vector<ScaledFloat> arm_share_;
  std::vector<double> values_;
  std::vector<std::int64_t> blocks_;
  std::vector<float> roundings_;
  double most_roundings_ = 0;
};

} // namespace reasons::counting
