// dedup.hpp: deduplication: equal rows are asked about once, similar rows share a tile.
//
// Values are binned, so that a table of a million people often has far fewer rows than lines.
// Rows that agree on the features tested first walk the same part of a circuit: where they are
// in one tile, the rest of it is left alone.
#pragma once

#include "circuit/circuit.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace reasons::batch {

/// The distinct ones of some rows.
struct DistinctRows {
  std::vector<std::uint32_t> first;  ///< of each distinct row: the row where it is first met
  std::vector<std::uint32_t> number; ///< of each row: the distinct row that it is
};

/// In the order in which they are first met. Requires fewer than 2^32 rows of `width` cells each.
/// Time O(cells), by hashing.
[[nodiscard]] DistinctRows distinct_rows(std::span<const Cell> cells, std::size_t rows,
                                         std::size_t width);

/// Chosen rows in the order of their cells of the features that the circuit tests first, as many
/// of them as fill a short key; some features left out. Time O(rows), by counting.
[[nodiscard]] std::vector<std::uint32_t> sorted_similar(const Circuit& circuit,
                                                        std::span<const Cell> cells,
                                                        std::span<const std::uint32_t> chosen,
                                                        std::span<const FeatureId> without);

/// Numbers the distinct rows anew, in that order.
void sort_similar(DistinctRows& distinct, const Circuit& circuit, std::span<const Cell> cells);

} // namespace reasons::batch
