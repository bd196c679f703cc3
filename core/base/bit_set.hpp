// bit_set.hpp: fixed sets of small integers: one bit each, or one byte each for fast scans.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace reasons {

class BitSet {
public:
  explicit BitSet(std::size_t size = 0) : words_((size + 63) / 64, 0) {}

  [[nodiscard]] bool operator[](std::size_t i) const { return (words_[i >> 6] >> (i & 63)) & 1; }
  void set(std::size_t i) { words_[i >> 6] |= std::uint64_t{1} << (i & 63); }

  [[nodiscard]] bool meets(const BitSet& other) const {
    for (std::size_t w = 0; w < words_.size(); ++w)
      if (words_[w] & other.words_[w])
        return true;
    return false;
  }
  void unite(const BitSet& other) {
    for (std::size_t w = 0; w < words_.size(); ++w)
      words_[w] |= other.words_[w];
  }
  bool operator==(const BitSet&) const = default;

  /// Calls visit(i) for every member, smallest first.
  template <class Visit> void ascending(Visit visit) const {
    for (std::size_t w = 0; w < words_.size(); ++w)
      for (std::uint64_t word = words_[w]; word != 0; word &= word - 1)
        visit(w * 64 + static_cast<std::size_t>(std::countr_zero(word)));
  }

private:
  std::vector<std::uint64_t> words_;
};

/// A fixed set of small integers, one byte each: adding is a plain store, where a bit
/// waits for the one before it in its word. Twice as fast for walks over many nodes.
class ScanSet {
public:
  explicit ScanSet(std::size_t size = 0) : bytes_((size + 7) / 8 * 8, 0) {}

  [[nodiscard]] bool operator[](std::size_t i) const { return bytes_[i] != 0; }
  void set(std::size_t i) { bytes_[i] = 1; }
  void clear() { std::fill(bytes_.begin(), bytes_.end(), std::uint8_t{0}); }

  /// Calls visit(i) for every member, smallest first.
  template <class Visit> [[gnu::always_inline]] void ascending(Visit visit) const {
    for (std::size_t w = 0; w < bytes_.size(); w += 8)
      if (word(w) != 0)
        for (std::size_t i = w; i < w + 8; ++i)
          if (bytes_[i])
            visit(i);
  }

  /// Calls visit(i) for every member, largest first. The visit may add members
  /// smaller than i; they are visited too. Stops when visit returns false.
  template <class Visit> [[gnu::always_inline]] bool descending(Visit visit) const {
    for (std::size_t w = bytes_.size(); w > 0; w -= 8) {
      if (word(w - 8) == 0)
        continue;
      for (std::size_t i = w; i-- > w - 8;)
        if (bytes_[i] && !visit(i))
          return false;
    }
    return true;
  }

private:
  [[nodiscard]] std::uint64_t word(std::size_t at) const {
    std::uint64_t value;
    std::memcpy(&value, bytes_.data() + at, 8);
    return value;
  }
  std::vector<std::uint8_t> bytes_;
};

} // namespace reasons
