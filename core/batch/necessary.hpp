// necessary.hpp: for which rows of a tile each feature is necessary.
//
// As `necessary` of queries.hpp: the tests on a row's own way are turned to each arm that it does
// not take, and whoever then meets another label needed that value.
#pragma once

#include "batch/propagate.hpp"

#include <optional>
#include <vector>

namespace reasons {

class NecessaryFlow {
public:
  NecessaryFlow(const Circuit& circuit, Tile& tile);

  /// For each feature the rows of the tile that it is necessary for. Time O(reached).
  [[nodiscard]] const std::vector<Lanes>& features();

private:
  void walk();
  void enter_parts(NodeId n);

  const Circuit& circuit_;
  Tile& tile_;
  std::optional<Flow> own_; // what the rows are worth everywhere; for conjunctions only
  Flow path_, turned_;
  std::vector<Lanes> found_;
};

} // namespace reasons
