// variable_sets.hpp: hash-consed sets of variables, shared wherever they agree.
//
// A set is a tree of fixed height over words of 64 variables, its nodes hash-consed: equal
// sets are one number, so that uniting a set with itself is free and adding a variable to a
// set of a million costs a path. Rows of bits, one for each node of a graph, lost: a chain
// of a million decisions would need 10^12 of them. Sorted vectors lost the same way, and
// trees with two children a node took longer than with eight.
#pragma once

#include "base/budget.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace reasons::formats {

class VariableSets {
public:
  using Set = std::uint32_t; ///< 0 is the empty one

  VariableSets(std::uint32_t variables, Budget& budget);

  /// The set and these variables, which are sorted and different; numbered from 1.
  [[nodiscard]] Set with(Set set, std::span<const std::uint32_t> variables) {
    return with(set, variables, height_);
  }
  [[nodiscard]] Set unite(Set one, Set other) { return unite(one, other, height_); }
  [[nodiscard]] bool contains(Set set, std::uint32_t variable) const;
  /// The smallest variable in both sets, or 0.
  [[nodiscard]] std::uint32_t common(Set one, Set other) const {
    return common(one, other, height_, 0);
  }

private:
  static constexpr unsigned fan_bits = 3;
  static constexpr unsigned fan = 1u << fan_bits;
  using Node = std::array<Set, fan>;

  /// Numbers for keys; the empty key is number 0.
  template <class Key> class Numbered {
  public:
    [[nodiscard]] std::uint32_t number(const Key& key);
    [[nodiscard]] const Key& operator[](std::uint32_t number) const { return keys_[number]; }
    [[nodiscard]] std::uint64_t bytes() const {
      return sizeof(Key) * keys_.capacity() + 4 * slots_.size();
    }

  private:
    void grow();
    std::vector<Key> keys_{Key{}};
    std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(64, 0);
  };

  [[nodiscard]] Set node(const Node& children);
  [[nodiscard]] Set with(Set set, std::span<const std::uint32_t> variables, unsigned height);
  [[nodiscard]] Set unite(Set one, Set other, unsigned height);
  [[nodiscard]] std::uint32_t common(Set one, Set other, unsigned height, std::uint32_t word) const;

  Budget& budget_;
  unsigned height_ = 0; // of the tree above the words
  Numbered<std::uint64_t> words_;
  Numbered<Node> nodes_;
};

} // namespace reasons::formats
