// necessary.hpp: the rows of a tile for which each feature is necessary, by propagation.
//
// As `necessary` of query/decision.hpp: the tests on a row's own way are turned to each arm that it
// does not take, and whoever then meets another label needed that value.
#pragma once

#include "batch/propagation/propagate.hpp"

#include <optional>
#include <vector>

namespace reasons::batch {

class NecessaryPropagation {
public:
  NecessaryPropagation(const Circuit& circuit, Tile& tile);

  /// For each feature the rows of the tile that it is necessary for. Time O(reached).
  [[nodiscard]] const std::vector<RowMask>& features();

private:
  void walk();
  void enter_parts(NodeId n);

  const Circuit& circuit_;
  Tile& tile_;
  std::optional<Propagation> own_; // what the rows are worth everywhere; for conjunctions only
  Propagation path_, turned_;
  std::vector<RowMask> found_;
};

} // namespace reasons::batch
