// variable_sets.cpp: recursion here is as deep as the tree is high: at most 8 levels.
#include "formats/nnf/variable_sets.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <bit>

namespace reasons::formats {
namespace {

constexpr std::uint32_t most_sets = 0xFFFFFFF0u;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t key) {
  hash = (hash ^ key) * 0x9FB21C651E98DF25ull;
  return hash ^ (hash >> 32);
}

std::uint64_t hash_of(std::uint64_t key) {
  return mixed(0x9E3779B97F4A7C15ull, key);
}

template <std::size_t size> std::uint64_t hash_of(const std::array<std::uint32_t, size>& key) {
  std::uint64_t hash = 0x9E3779B97F4A7C15ull;
  for (std::size_t i = 0; i < size; i += 2)
    hash = mixed(hash, std::uint64_t{key[i]} << 32 | key[i + 1]);
  return hash;
}

} // namespace

VariableSets::VariableSets(std::uint32_t variables, Budget& budget) : budget_(budget) {
  while ((std::uint64_t{64} << (fan_bits * height_)) < variables)
    ++height_;
}

template <class Key> std::uint32_t VariableSets::Numbered<Key>::number(const Key& key) {
  if (key == Key{})
    return 0;
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash_of(key) & mask;
  for (; slots_[slot] != 0; slot = (slot + 1) & mask)
    if (keys_[slots_[slot]] == key)
      return slots_[slot];
  if (keys_.size() >= most_sets)
    throw BudgetExceeded("checking the file's graph", "sets", most_sets, most_sets);
  const auto made = static_cast<std::uint32_t>(keys_.size());
  keys_.push_back(key);
  slots_[slot] = made;
  if (keys_.size() * 2 > slots_.size())
    grow();
  return made;
}

template <class Key> void VariableSets::Numbered<Key>::grow() {
  std::vector<std::uint32_t> larger(slots_.size() * 2, 0);
  for (std::uint32_t n = 1; n < keys_.size(); ++n) {
    std::size_t slot = hash_of(keys_[n]) & (larger.size() - 1);
    while (larger[slot] != 0)
      slot = (slot + 1) & (larger.size() - 1);
    larger[slot] = n;
  }
  slots_ = std::move(larger);
}

VariableSets::Set VariableSets::node(const Node& children) {
  budget_.tick();
  budget_.require(0, words_.bytes() + nodes_.bytes());
  return nodes_.number(children);
}

VariableSets::Set VariableSets::with(Set set, std::span<const std::uint32_t> variables,
                                     unsigned height) {
  if (variables.empty())
    return set;
  if (height == 0) {
    std::uint64_t word = words_[set];
    for (const auto variable : variables)
      word |= std::uint64_t{1} << ((variable - 1) & 63);
    return words_.number(word);
  }
  const unsigned shift = 6 + fan_bits * (height - 1);
  Node children = nodes_[set];
  while (!variables.empty()) {
    const std::uint32_t part = (variables.front() - 1) >> shift;
    const auto end = std::partition_point(variables.begin(), variables.end(),
                                          [&](auto v) { return ((v - 1) >> shift) == part; });
    const auto count = static_cast<std::size_t>(end - variables.begin());
    Set& child = children[part % fan];
    child = with(child, variables.first(count), height - 1);
    variables = variables.subspan(count);
  }
  return node(children);
}

bool VariableSets::contains(Set set, std::uint32_t variable) const {
  for (unsigned height = height_; height > 0 && set != 0; --height)
    set = nodes_[set][((variable - 1) >> (6 + fan_bits * (height - 1))) % fan];
  return words_[set] >> ((variable - 1) & 63) & 1;
}

VariableSets::Set VariableSets::unite(Set one, Set other, unsigned height) {
  if (one == other || other == 0)
    return one;
  if (one == 0)
    return other;
  if (height == 0)
    return words_.number(words_[one] | words_[other]);
  const Node left = nodes_[one], right = nodes_[other]; // copies: making nodes moves them
  Node both{};
  for (unsigned i = 0; i < fan; ++i)
    both[i] = unite(left[i], right[i], height - 1);
  if (both == left || both == right)
    return both == left ? one : other;
  return node(both);
}

std::uint32_t VariableSets::common(Set one, Set other, unsigned height, std::uint32_t word) const {
  if (one == 0 || other == 0)
    return 0;
  if (height == 0) {
    const std::uint64_t both = words_[one] & words_[other];
    return both == 0 ? 0 : word * 64 + static_cast<std::uint32_t>(std::countr_zero(both)) + 1;
  }
  for (unsigned i = 0; i < fan; ++i)
    if (const auto found = common(nodes_[one][i], nodes_[other][i], height - 1, word * fan + i))
      return found;
  return 0;
}

} // namespace reasons::formats
