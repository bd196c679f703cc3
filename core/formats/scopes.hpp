// scopes.hpp: sets of variables, shared wherever they agree.
//
// A set is a tree of fixed height over words of 64 variables, its nodes hash-consed: equal
// sets are one number, so that uniting a set with itself is free and adding a variable to a
// set of a million costs a path. Rows of bits, one for each node of a graph, lost: a chain
// of a million decisions would need 10^12 of them. Sorted vectors lost the same way.
#pragma once

#include "budget.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace reasons {

class Scopes {
public:
  using Set = std::uint32_t; ///< 0 is the empty one

  Scopes(std::uint32_t variables, Budget& budget);

  /// The set of these variables, which are sorted and different; numbered from 1.
  [[nodiscard]] Set of(std::span<const std::uint32_t> variables);
  [[nodiscard]] Set unite(Set one, Set other) { return unite(one, other, height_); }
  /// The smallest variable in both sets, or 0.
  [[nodiscard]] std::uint32_t common(Set one, Set other) const {
    return common(one, other, height_, 0);
  }

private:
  /// Numbers for 64-bit keys; key 0 is number 0.
  class Numbered {
  public:
    [[nodiscard]] std::uint32_t number(std::uint64_t key);
    [[nodiscard]] std::uint64_t operator[](std::uint32_t number) const { return keys_[number]; }
    [[nodiscard]] std::uint64_t bytes() const { return 8 * keys_.capacity() + 4 * slots_.size(); }

  private:
    void grow();
    std::vector<std::uint64_t> keys_{0};
    std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(64, 0);
  };

  [[nodiscard]] Set low(Set set) const { return static_cast<Set>(pairs_[set]); }
  [[nodiscard]] Set high(Set set) const { return static_cast<Set>(pairs_[set] >> 32); }
  [[nodiscard]] Set pair(Set low, Set high);
  [[nodiscard]] Set of(std::span<const std::uint32_t> variables, unsigned height);
  [[nodiscard]] Set unite(Set one, Set other, unsigned height);
  [[nodiscard]] std::uint32_t common(Set one, Set other, unsigned height, std::uint32_t word) const;

  Budget& budget_;
  unsigned height_ = 0; // of the tree above the words
  Numbered words_, pairs_;
};

} // namespace reasons
