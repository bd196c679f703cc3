// distinct.hpp: rows that are alike are asked about once.
//
// Values are binned, so that a table of a million people often has far fewer rows than lines.
#pragma once

#include "circuit.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace reasons {

/// The distinct ones of some rows, in the order in which they are first met.
struct Distinct {
  std::vector<std::uint32_t> first;  ///< of each distinct row: the row where it is first met
  std::vector<std::uint32_t> number; ///< of each row: the distinct row that it is
};

/// Requires fewer than 2^32 rows of `width` cells each. Time O(cells), by hashing.
[[nodiscard]] Distinct distinct_rows(std::span<const Cell> cells, std::size_t rows,
                                     std::size_t width);

/// A bit for each row where there was one for each distinct row.
[[nodiscard]] std::vector<std::uint64_t>
spread(const Distinct& distinct, std::span<const std::uint64_t> words, std::size_t columns);

} // namespace reasons
