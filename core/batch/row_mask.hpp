// row_mask.hpp: one bit for each row of a tile.
//
// 512 rows are eight words, a cache line: loops over them have a fixed length, so that the
// compiler makes vector instructions of them. Bits are in the order that Arrow packs them in.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace reasons::batch {

inline constexpr std::size_t tile_words = 8, tile_rows = 64 * tile_words;

struct alignas(64) RowMask {
  std::array<std::uint64_t, tile_words> word{};

  [[nodiscard]] bool operator[](std::size_t row) const {
    return (word[row >> 6] >> (row & 63)) & 1;
  }
  void set(std::size_t row) { word[row >> 6] |= std::uint64_t{1} << (row & 63); }
  [[nodiscard]] bool any() const {
    std::uint64_t all = 0;
    for (const std::uint64_t w : word)
      all |= w;
    return all != 0;
  }
  RowMask& operator|=(const RowMask& other) {
    for (std::size_t i = 0; i < tile_words; ++i)
      word[i] |= other.word[i];
    return *this;
  }
  RowMask& operator&=(const RowMask& other) {
    for (std::size_t i = 0; i < tile_words; ++i)
      word[i] &= other.word[i];
    return *this;
  }
  [[nodiscard]] friend RowMask operator|(RowMask a, const RowMask& b) { return a |= b; }
  [[nodiscard]] friend RowMask operator&(RowMask a, const RowMask& b) { return a &= b; }
  [[nodiscard]] RowMask operator~() const {
    RowMask other;
    for (std::size_t i = 0; i < tile_words; ++i)
      other.word[i] = ~word[i];
    return other;
  }
  /// Calls visit(row) for every bit, first row first.
  template <class Visit> void each(Visit visit) const {
    for (std::size_t i = 0; i < tile_words; ++i)
      for (std::uint64_t w = word[i]; w != 0; w &= w - 1)
        visit(i * 64 + static_cast<std::size_t>(std::countr_zero(w)));
  }
};

} // namespace reasons::batch
