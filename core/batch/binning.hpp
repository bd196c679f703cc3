// binning.hpp: discretization: a column of numbers as cells, by its thresholds.
//
// A cell's number is how many cuts lie below a number. With few cuts, which is how trees cut
// most columns, all of them are compared, without a branch and several numbers at once; with many,
// each number is searched for.
#pragma once

#include "circuit/circuit.hpp"

#include <span>
#include <vector>

namespace reasons::batch {

struct Cuts {
  std::span<const double> at; ///< ascending
  bool below;                 ///< whether a number that equals a cut lies below it
  bool single;                ///< whether numbers and cuts are compared in single precision
};

/// Of each number the cell it lies in; what is no number gets the number of cuts, and 1.
/// Requires fewer than 2^16 - 2 cuts. Time O(numbers * cuts) for few cuts, otherwise by search.
[[nodiscard]] std::vector<Cell> cells_of_numbers(std::span<const double> numbers, const Cuts& cuts);

} // namespace reasons::batch
