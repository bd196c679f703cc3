// row_query.hpp: the base of queries about many rows: a tile, and where its answers go.
#pragma once

#include "batch/batch.hpp"
#include "batch/propagation/tile.hpp"

#include <algorithm>

namespace reasons::batch {

/// A tile of the rows, loaded with one run of them after the other.
class RowQuery {
public:
  RowQuery(const Circuit& circuit, const Arms& arms, const Decided& rows)
      : circuit_(circuit), rows_(rows), tile_(circuit, arms) {}

protected:
  void load(std::size_t first, std::size_t count) {
    tile_.load(rows_.cells.subspan(first * circuit_.features(), count * circuit_.features()),
               rows_.labels.subspan(first, count));
  }

  const Circuit& circuit_;
  const Decided& rows_;
  Tile tile_;
};

/// Copies a tile's bits to where rows from `first` on have theirs.
inline void store(const RowMask& mask, std::size_t first, std::size_t rows, std::uint64_t* words) {
  const std::size_t from = first / 64;
  const std::size_t end = std::min(from + tile_words, words_for(rows));
  std::copy_n(mask.word.begin(), end - from, words + from);
}

} // namespace reasons::batch
