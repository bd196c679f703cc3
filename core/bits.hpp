// bits.hpp: a fixed set of small integers, one bit each, scanned a word at a time.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace reasons {

class Bits {
public:
  explicit Bits(std::size_t size = 0) : words_((size + 63) / 64, 0) {}

  [[nodiscard]] bool operator[](std::size_t i) const { return (words_[i >> 6] >> (i & 63)) & 1; }
  void set(std::size_t i) { words_[i >> 6] |= std::uint64_t{1} << (i & 63); }

  [[nodiscard]] bool meets(const Bits& other) const {
    for (std::size_t w = 0; w < words_.size(); ++w)
      if (words_[w] & other.words_[w])
        return true;
    return false;
  }
  void unite(const Bits& other) {
    for (std::size_t w = 0; w < words_.size(); ++w)
      words_[w] |= other.words_[w];
  }
  bool operator==(const Bits&) const = default;

  /// Calls visit(i) for every member, smallest first.
  template <class Visit> void ascending(Visit visit) const {
    for (std::size_t w = 0; w < words_.size(); ++w)
      for (std::uint64_t word = words_[w]; word != 0; word &= word - 1)
        visit(w * 64 + static_cast<std::size_t>(std::countr_zero(word)));
  }

  /// Calls visit(i) for every member, largest first. The visit may add members
  /// smaller than i; they are visited too. Stops when visit returns false.
  template <class Visit> bool descending(Visit visit) {
    for (std::size_t w = words_.size(); w-- > 0;) {
      std::uint64_t below = ~std::uint64_t{0};
      while (const std::uint64_t word = words_[w] & below) {
        const int top = 63 - std::countl_zero(word);
        below = (std::uint64_t{1} << top) - 1;
        if (!visit(w * 64 + static_cast<std::size_t>(top)))
          return false;
      }
    }
    return true;
  }

private:
  std::vector<std::uint64_t> words_;
};

} // namespace reasons
