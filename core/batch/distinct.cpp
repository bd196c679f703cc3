#include "distinct.hpp"

#include "batch.hpp"
#include "hashing.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace reasons {
namespace {

/// Four cells a step; what is left over is filled up with zeros.
std::uint64_t row_hash(const Cell* row, std::size_t width) {
  std::uint64_t hash = 0x9E3779B97F4A7C15ull;
  for (std::size_t i = 0; i < width; i += 4) {
    std::uint64_t four = 0;
    std::memcpy(&four, row + i, sizeof(Cell) * std::min<std::size_t>(4, width - i));
    hash = mix(hash, four);
  }
  return hash;
}

} // namespace

Distinct distinct_rows(std::span<const Cell> cells, std::size_t rows, std::size_t width) {
  Distinct found{{}, std::vector<std::uint32_t>(rows)};
  const std::size_t mask = std::bit_ceil(2 * rows + 1) - 1;
  std::vector<std::uint32_t> slots(mask + 1, 0); // the number of a distinct row, and 1
  for (std::size_t row = 0; row < rows; ++row) {
    const Cell* own = cells.data() + row * width;
    std::size_t at = row_hash(own, width) & mask;
    while (slots[at] != 0 && width != 0 &&
           std::memcmp(cells.data() + found.first[slots[at] - 1] * width, own,
                       width * sizeof(Cell)) != 0)
      at = (at + 1) & mask;
    if (slots[at] == 0) {
      found.first.push_back(static_cast<std::uint32_t>(row));
      slots[at] = static_cast<std::uint32_t>(found.first.size());
    }
    found.number[row] = slots[at] - 1;
  }
  return found;
}

std::vector<std::uint64_t> spread(const Distinct& distinct, std::span<const std::uint64_t> words,
                                  std::size_t columns) {
  const std::size_t rows = distinct.number.size(), wide = words_for(rows);
  const std::size_t narrow = words_for(distinct.first.size());
  std::vector<std::uint64_t> all(wide * columns);
  for (std::size_t column = 0; column < columns; ++column) {
    const std::uint64_t* from = words.data() + column * narrow;
    std::uint64_t* to = all.data() + column * wide;
    for (std::size_t row = 0; row < rows; ++row) {
      const std::uint32_t one = distinct.number[row];
      to[row / 64] |= ((from[one / 64] >> (one % 64)) & 1) << (row % 64);
    }
  }
  return all;
}

} // namespace reasons
