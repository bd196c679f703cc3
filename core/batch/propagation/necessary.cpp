#include "batch/propagation/necessary.hpp"

#include "batch/simd.hpp"

#include <algorithm>

namespace reasons::batch {

NecessaryPropagation::NecessaryPropagation(const Circuit& circuit, Tile& tile)
    : circuit_(circuit), tile_(tile), path_(circuit, tile), turned_(circuit, tile),
      found_(circuit.features()) {
  if (circuit.has_conjunctions())
    own_.emplace(circuit, tile);
  turned_.follow_out_of_domain(true);
}

REASONS_WIDE const std::vector<RowMask>& NecessaryPropagation::features() {
  if (own_) {
    own_->clear_reach();
    own_->send(circuit_.root(), tile_.asked());
    (void)own_->descend();
    own_->ascend();
  }
  path_.clear_reach();
  turned_.clear_reach();
  walk();
  (void)turned_.descend();
  turned_.ascend();
  std::fill(found_.begin(), found_.end(), RowMask{});
  path_.reached().ascending([&](std::size_t index) __attribute__((always_inline)) {
    const auto n = static_cast<NodeId>(index);
    if (circuit_.kind(n) != Kind::decision)
      return;
    const SplitId s = circuit_.payload(n);
    const auto inputs = circuit_.inputs(n);
    for (std::size_t k = 0; k < inputs.size(); ++k)
      if (turned_.reached()[inputs[k]])
        found_[circuit_.tested(s)] |= path_.reach(n) & ~tile_.arm(s, k) & turned_.bad(inputs[k]);
  });
  return found_;
}

/// The rows on their own ways; at each test, off to the other arms.
REASONS_WIDE void NecessaryPropagation::walk() {
  path_.send(circuit_.root(), tile_.asked());
  path_.reached().descending([&](std::size_t index) __attribute__((always_inline)) {
    const auto n = static_cast<NodeId>(index);
    const auto inputs = circuit_.inputs(n);
    if (circuit_.kind(n) == Kind::decision) {
      const SplitId s = circuit_.payload(n);
      for (std::size_t k = 0; k < inputs.size(); ++k) {
        path_.send(inputs[k], path_.reach(n) & tile_.arm(s, k));
        turned_.send(inputs[k], path_.reach(n) & ~tile_.arm(s, k));
      }
    } else if (circuit_.kind(n) == Kind::conjunction) {
      enter_parts(n);
    }
    return true;
  });
}

/// A 1 needs every part. A 0 that two independent parts give cannot be undone by one feature.
void NecessaryPropagation::enter_parts(NodeId n) {
  const RowMask ones = path_.reach(n) & tile_.with_label(1);
  RowMask zero, more;
  for (const NodeId input : circuit_.inputs(n)) {
    const RowMask is_zero = tile_.with_label(0) & ~own_->bad(input);
    more |= zero & is_zero;
    zero |= is_zero;
  }
  const RowMask alone = path_.reach(n) & zero & ~more;
  for (const NodeId input : circuit_.inputs(n))
    path_.send(input, ones | (alone & ~own_->bad(input)));
}

} // namespace reasons::batch
