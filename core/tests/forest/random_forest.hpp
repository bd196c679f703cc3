// random_forest.hpp: random sums of trees, the same for the same seed.
#pragma once

#include "forest/ensemble.hpp"
#include "tests/support/random_circuit.hpp"

namespace reasons::testing {

enum class Values {
  dyadic,   // halves and whole numbers, so that sums are exact and ties are common
  rounding, // near-ties in float32: the order of additions matters
  any,      // doubles
};

struct ForestShape {
  std::vector<std::uint32_t> domains;
  std::uint32_t labels = 2, trees = 3, depth = 3, guards = 0;
  forest::Rule rule = forest::Rule::largest;
  Values values = Values::dyadic;
  bool single = false;
  bool narrow = false; // each tree adds to one score only
  bool masks = false;  // tests of any set of cells, otherwise of the first ones
};

/// Adds a test of a feature: `left` says of each cell whether it goes left.
void add_test(forest::Forest& forest, FeatureId feature, const std::vector<bool>& left);

[[nodiscard]] forest::Forest random_forest(const ForestShape& shape, std::uint32_t seed);

/// Shapes of every rule, of 1 to 4 labels, with and without guards and masks.
[[nodiscard]] ForestShape random_shape(std::uint32_t seed);

/// The same trees, decided by a function of the leaves that are reached, which contradicts the
/// sums where these are within the slack.
[[nodiscard]] forest::Forest settled_elsewhere(forest::Forest forest);

} // namespace reasons::testing
