// scopes.cpp: recursion here is as deep as the tree is high: at most 24 levels.
#include "scopes.hpp"

#include "error.hpp"

#include <algorithm>
#include <bit>

namespace reasons {
namespace {

std::uint64_t mixed(std::uint64_t key) {
  key = (key ^ (key >> 32)) * 0x9FB21C651E98DF25ull;
  return key ^ (key >> 29);
}

} // namespace

Scopes::Scopes(std::uint32_t variables, Budget& budget) : budget_(budget) {
  while ((std::uint64_t{64} << height_) < variables)
    ++height_;
}

std::uint32_t Scopes::Numbered::number(std::uint64_t key) {
  if (key == 0)
    return 0;
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = mixed(key) & mask;
  for (; slots_[slot] != 0; slot = (slot + 1) & mask)
    if (keys_[slots_[slot]] == key)
      return slots_[slot];
  if (keys_.size() >= 0xFFFFFFF0u)
    throw BudgetExceeded("checking the file's graph", "sets", 0xFFFFFFF0u, 0xFFFFFFF0u);
  const auto made = static_cast<std::uint32_t>(keys_.size());
  keys_.push_back(key);
  slots_[slot] = made;
  if (keys_.size() * 2 > slots_.size())
    grow();
  return made;
}

void Scopes::Numbered::grow() {
  std::vector<std::uint32_t> larger(slots_.size() * 2, 0);
  for (std::uint32_t n = 1; n < keys_.size(); ++n) {
    std::size_t slot = mixed(keys_[n]) & (larger.size() - 1);
    while (larger[slot] != 0)
      slot = (slot + 1) & (larger.size() - 1);
    larger[slot] = n;
  }
  slots_ = std::move(larger);
}

Scopes::Set Scopes::pair(Set low, Set high) {
  budget_.tick();
  budget_.require(0, words_.bytes() + pairs_.bytes());
  return pairs_.number(std::uint64_t{high} << 32 | low);
}

Scopes::Set Scopes::of(std::span<const std::uint32_t> variables) {
  return of(variables, height_);
}

Scopes::Set Scopes::of(std::span<const std::uint32_t> variables, unsigned height) {
  if (variables.empty())
    return 0;
  if (height == 0) {
    std::uint64_t word = 0;
    for (const auto variable : variables)
      word |= std::uint64_t{1} << ((variable - 1) & 63);
    return words_.number(word);
  }
  const std::uint32_t bit = std::uint32_t{1} << (height + 5);
  const auto middle = std::partition_point(variables.begin(), variables.end(),
                                           [&](auto v) { return ((v - 1) & bit) == 0; });
  const auto count = static_cast<std::size_t>(middle - variables.begin());
  const Set low = of(variables.first(count), height - 1);
  return pair(low, of(variables.subspan(count), height - 1));
}

Scopes::Set Scopes::unite(Set one, Set other, unsigned height) {
  if (one == other || other == 0)
    return one;
  if (one == 0)
    return other;
  if (height == 0)
    return words_.number(words_[one] | words_[other]);
  const Set left = unite(low(one), low(other), height - 1);
  return pair(left, unite(high(one), high(other), height - 1));
}

std::uint32_t Scopes::common(Set one, Set other, unsigned height, std::uint32_t word) const {
  if (one == 0 || other == 0)
    return 0;
  if (height == 0) {
    const std::uint64_t both = words_[one] & words_[other];
    return both == 0 ? 0 : word * 64 + static_cast<std::uint32_t>(std::countr_zero(both)) + 1;
  }
  if (const auto found = common(low(one), low(other), height - 1, word * 2))
    return found;
  return common(high(one), high(other), height - 1, word * 2 + 1);
}

} // namespace reasons
