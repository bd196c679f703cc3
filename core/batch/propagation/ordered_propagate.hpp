// ordered_propagate.hpp: incremental propagation of rows through the levels of an ordered circuit.
//
// Of each node: the rows that can reach it ("reach"), which hangs on the features tested above it,
// and those that can reach a leaf of another label from it ("bad"), which hangs on those tested
// at and below it. A feature decides whether a row can get to a bad leaf only at its own level:
// where the row is there, and some arm is bad. So that freeing it spoils what was known of reach
// below its level and of bad from there upwards, and nothing else; what is spoiled is made again
// when it is asked for. Going through the features in the circuit's order, or against
// it, costs two sweeps in all, where a sweep for each feature would cost as many as there are.
#pragma once

#include "batch/propagation/level_table.hpp"
#include "batch/propagation/tile.hpp"

#include <vector>

namespace reasons::batch {

class OrderedPropagation {
public:
  OrderedPropagation(const LevelTable& levels, Tile& tile);

  /// Starts with the rows of the tile, and nothing free.
  void restart();
  /// The rows that can reach a bad leaf once they may take any arm at this level too.
  [[nodiscard]] RowMask failing_without(std::size_t level);
  /// These rows may take any arm at the level from now on.
  void free(std::size_t level, const RowMask& rows);

private:
  void find_reach(std::size_t level);
  void find_bad(std::size_t level);

  const LevelTable& levels_;
  Tile& tile_;
  std::vector<RowMask> taking_; // of each arm: the rows that can take it
  std::vector<RowMask> reach_, bad_;
  std::vector<std::uint8_t> met_; // of each place: whether some row reaches it
  std::size_t reach_to_ = 0;      // reach holds from the root to this level
  std::size_t bad_from_ = 0;      // bad holds from this level to the leaves
};

} // namespace reasons::batch
