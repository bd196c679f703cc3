#include "batch/propagation/propagate.hpp"

#include "batch/simd.hpp"

#include <algorithm>

namespace reasons::batch {

Propagation::Propagation(const Circuit& circuit, Tile& tile)
    : circuit_(circuit), tile_(tile), free_(circuit.features()), reach_(circuit.size()),
      reached_(circuit.size()) {}

void Propagation::restart() {
  std::fill(free_.begin(), free_.end(), RowMask{});
  clear_reach();
}

void Propagation::clear_reach() {
  reached_.clear();
}

/// The rows whose value is in no arm.
RowMask Propagation::out_of_domain(SplitId s) {
  RowMask in_some;
  for (std::size_t k = 0; k < circuit_.arms(s); ++k)
    in_some |= tile_.arm(s, k);
  return ~in_some;
}

RowMask Propagation::bad_leaf(NodeId n) const {
  const LabelId label = circuit_.payload(n);
  if (label == impossible_label)
    return {};
  return reach_[n] & ~tile_.with_label(label);
}

REASONS_WIDE RowMask Propagation::descend() {
  RowMask met;
  reached_.descending([&](std::size_t index) __attribute__((always_inline)) {
    const auto n = static_cast<NodeId>(index);
    const auto inputs = circuit_.inputs(n);
    if (circuit_.kind(n) == Kind::decision) {
      const SplitId s = circuit_.payload(n);
      for (std::size_t k = 0; k < inputs.size(); ++k)
        send(inputs[k], reach_[n] & taking(s, k));
    } else if (circuit_.kind(n) == Kind::conjunction) {
      for (const NodeId input : inputs)
        send(input, reach_[n]);
    } else {
      met |= bad_leaf(n);
    }
    return true;
  });
  return met;
}

/// A 1 is lost with one part, a 0 only with all of them.
RowMask Propagation::bad_parts(NodeId n) const {
  RowMask some, all = ~RowMask{};
  for (const NodeId input : circuit_.inputs(n)) {
    some |= bad_[input];
    all &= bad_[input];
  }
  return (tile_.with_label(1) & some) | (tile_.with_label(0) & all);
}

REASONS_WIDE void Propagation::ascend() {
  bad_.resize(circuit_.size()); // not all flows come up again
  reached_.ascending([&](std::size_t index) __attribute__((always_inline)) {
    const auto n = static_cast<NodeId>(index);
    const auto inputs = circuit_.inputs(n);
    RowMask found;
    if (circuit_.kind(n) == Kind::leaf) {
      found = bad_leaf(n);
    } else if (circuit_.kind(n) == Kind::conjunction) {
      found = bad_parts(n) & reach_[n];
    } else {
      const SplitId s = circuit_.payload(n);
      for (std::size_t k = 0; k < inputs.size(); ++k)
        found |= taking(s, k) & bad_[inputs[k]];
      found &= reach_[n]; // what lies below the others was left there by earlier rows
    }
    bad_[n] = found;
  });
}

} // namespace reasons::batch
