// network.hpp: binarized neural networks: layers of threshold units, and interval bounds of them.
//
// Weights are whole numbers; what real ones and the rounding of a library leave open is a gap
// between the sums that make a unit true and those that make it false.
#pragma once

#include "circuit/circuit.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace reasons::bnn {

/// Units over what comes before them: a unit is true where the weights of its true inputs add up
/// to `true_from` or more, false where they stay below `false_below`, otherwise in doubt.
struct ThresholdLayer {
  std::uint32_t inputs = 0;
  std::vector<std::int64_t> weights; // a row for each unit
  std::vector<std::int64_t> true_from, false_below;

  [[nodiscard]] std::size_t units() const { return true_from.size(); }
};

/// Layers, and scores over the units of the last one; the label is that of the largest score.
struct Network {
  std::vector<ThresholdLayer> layers; // at least one
  std::uint32_t labels = 0;
  std::vector<std::int64_t> scores; // a row for each label
  /// By how much a label's score, rows, must be above another's, columns, to win for certain.
  std::vector<std::int64_t> least_lead;
  /// The label of units of the last layer, where no score leads by enough.
  std::function<LabelId(const std::vector<std::uint8_t>&)> settle;

  [[nodiscard]] std::size_t inputs() const { return layers.front().inputs; }
};

/// Throws InputError unless the arrays fit each other and no sum can overflow.
void require_sound(const Network& network);

/// What the units of the first layer say of the label, while some of them are open.
class Outcome {
public:
  static constexpr LabelId open = impossible_label;

  explicit Outcome(const Network& network);

  /// The label of all units between `low` and `high`, or `open`. With none of them open there
  /// is a label, settled where it must be; a unit in doubt throws PropertyError.
  [[nodiscard]] LabelId of(std::span<const std::uint8_t> low, std::span<const std::uint8_t> high);
  [[nodiscard]] std::uint64_t settled() const { return settled_; }

private:
  void pass(std::size_t layer);
  [[nodiscard]] std::int64_t least_and_most(const std::int64_t* weights) const;
  [[nodiscard]] std::int64_t width(const std::int64_t* magnitudes) const;
  [[nodiscard]] LabelId likely() const;
  [[nodiscard]] bool wins(LabelId label) const;
  [[nodiscard]] LabelId settle();

  const Network& network_;
  std::vector<std::vector<std::int64_t>> magnitudes_; // of the weights of each layer
  // All bits or none, so that what counts is taken by an `and`, several at a time.
  std::vector<std::int64_t> low_, high_, next_low_, next_high_;
  std::uint64_t settled_ = 0;
};

/// Says which unit rounding leaves in doubt, layers and units counted from 0.
[[noreturn]] void refuse_doubt(std::size_t layer, std::size_t unit);

} // namespace reasons::bnn
