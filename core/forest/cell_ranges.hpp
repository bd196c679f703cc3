// cell_ranges.hpp: sets of cells as sorted ranges.
//
// A test of a number sends a prefix of the cells left, and perhaps the cell of missing values; a
// leaf is reached with one interval of them. So sets of cells are a range or two, whatever the
// number of cells: flags for each cell took gigabytes for forests without a depth limit.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace reasons::forest {

/// The cells from `begin` up to, but not including, `end`.
struct CellRange {
  std::uint32_t begin, end;
  friend bool operator==(const CellRange&, const CellRange&) = default;
};

/// Ranges in order that neither meet nor overlap.
using CellRanges = std::vector<CellRange>;

[[nodiscard]] inline bool contains(std::span<const CellRange> ranges, std::uint32_t cell) {
  for (const CellRange& range : ranges) {
    if (cell < range.begin)
      return false;
    if (cell < range.end)
      return true;
  }
  return false;
}

[[nodiscard]] inline CellRanges ranges_of(const std::vector<bool>& cells) {
  CellRanges ranges;
  for (std::uint32_t c = 0; c < cells.size(); ++c)
    if (cells[c]) {
      if (c > 0 && cells[c - 1])
        ++ranges.back().end;
      else
        ranges.push_back({c, c + 1});
    }
  return ranges;
}

/// Appends to `into` the cells of `of` that are in `other` (or, with `inside` false, that are not).
inline void append_common(std::span<const CellRange> of, std::span<const CellRange> other,
                          bool inside, CellRanges& into) {
  std::size_t at = 0;
  for (const CellRange& range : of) {
    std::uint32_t from = range.begin;
    while (at < other.size() && other[at].end <= from)
      ++at;
    for (std::size_t k = at; k < other.size() && other[k].begin < range.end; ++k) {
      const std::uint32_t begin = other[k].begin > from ? other[k].begin : from;
      const std::uint32_t end = other[k].end < range.end ? other[k].end : range.end;
      if (inside)
        into.push_back({begin, end});
      else if (from < begin)
        into.push_back({from, begin});
      from = end;
    }
    if (!inside && from < range.end)
      into.push_back({from, range.end});
  }
}

} // namespace reasons::forest
