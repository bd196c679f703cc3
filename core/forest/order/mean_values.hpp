// mean_values.hpp: expected value of each tree when all cells are equally likely.
#pragma once

#include "base/budget.hpp"
#include "forest/ensemble.hpp"

#include <vector>

namespace reasons::forest {

class MeanValues {
public:
  MeanValues(const Ensemble& ensemble, Budget& budget);

  /// Where the nodes of a tree end.
  [[nodiscard]] std::uint32_t end(std::size_t tree) const { return end_[tree]; }
  /// What the tree adds to a score below a node, in units.
  [[nodiscard]] double mean(std::uint32_t node, std::uint32_t score) const {
    return mean_[node * scores_ + score];
  }
  /// How much of the scores' variance a test explains.
  [[nodiscard]] double explained(std::uint32_t node) const;

private:
  const Ensemble& ensemble_;
  std::size_t scores_;
  std::vector<std::uint32_t> end_;
  std::vector<double> left_share_, reach_, mean_;
};

} // namespace reasons::forest
