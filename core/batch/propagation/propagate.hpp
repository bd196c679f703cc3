// propagate.hpp: bit-parallel propagation of the rows of a tile, down a circuit and up again.
//
// The sweep of sweep.hpp with a word where that has a bit. Of each node: the rows that can reach
// it, and those of them that can reach a leaf of another label than their own ("bad") below it.
// Only what some row of the tile reaches is looked at, so that a large circuit costs what
// its rows meet, not its size.
#pragma once

#include "base/bit_set.hpp"
#include "batch/propagation/tile.hpp"

#include <vector>

namespace reasons::batch {

class Propagation {
public:
  Propagation(const Circuit& circuit, Tile& tile);

  /// From now on no row reaches anything, and no feature is free.
  void restart();
  /// These rows may take any value of the feature.
  void free(FeatureId f, const RowMask& rows) { free_[f] |= rows; }
  /// These rows keep their own value of it again.
  void fix(FeatureId f, const RowMask& rows) { free_[f] &= ~rows; }

  /// Sends rows to a node; `descend` takes them on.
  [[gnu::always_inline]] void send(NodeId n, const RowMask& rows) {
    if (!rows.any())
      return;
    if (reached_[n]) {
      reach_[n] |= rows;
    } else {
      reached_.set(n);
      reach_[n] = rows;
    }
  }
  /// Forgets who reaches what; what is free stays.
  void clear_reach();
  /// All that can be reached from where rows were sent. The rows that meet a bad leaf.
  RowMask descend();
  /// What is bad at the nodes that were reached.
  void ascend();

  [[nodiscard]] const RowMask& reach(NodeId n) const { return reach_[n]; }
  [[nodiscard]] const RowMask& bad(NodeId n) const { return bad_[n]; }
  [[nodiscard]] const ScanSet& reached() const { return reached_; }
  /// The rows that can take an arm: their value is in it, or the feature is free. Where a value
  /// is in no arm, because an earlier test has ruled it out, with `stray` every arm is taken.
  [[nodiscard]] RowMask taking(SplitId s, std::size_t k) {
    RowMask rows = tile_.arm(s, k) | free_[circuit_.tested(s)];
    if (every_arm_out_of_domain_)
      rows |= out_of_domain(s);
    return rows;
  }
  void follow_out_of_domain(bool every_arm) {
    every_arm_out_of_domain_ = every_arm && circuit_.has_retests();
  }

private:
  [[nodiscard]] RowMask out_of_domain(SplitId s);
  [[nodiscard]] RowMask bad_leaf(NodeId n) const;
  [[nodiscard]] RowMask bad_parts(NodeId n) const;

  const Circuit& circuit_;
  Tile& tile_;
  bool every_arm_out_of_domain_ = false;
  std::vector<RowMask> free_, reach_, bad_;
  ScanSet reached_;
};

} // namespace reasons::batch
