// partitions.cpp: hash-consed partitions. Meets are remembered, because the same few pairs
// of partitions meet at thousands of nodes.
#include "reorder/partitions.hpp"

#include "base/hashing.hpp"
#include "circuit/levels.hpp"

#include <algorithm>
#include <bit>

namespace reasons::reorder {
namespace {

constexpr std::uint32_t no_pair = 0xFFFFFFFF; // no arm has the number 65,535

} // namespace

Partitions::Partitions(std::span<const std::uint32_t> domains)
    : domains_(domains.begin(), domains.end()), table_(64, 0) {}

SplitId Partitions::intern(FeatureId feature, std::span<const Arm> arm_of) {
  std::size_t slot = hash_of(feature, arm_of) & (table_.size() - 1);
  for (; table_[slot] != 0; slot = (slot + 1) & (table_.size() - 1)) {
    const SplitId found = table_[slot] - 1;
    if (splits_[found].feature == feature && std::ranges::equal(this->arm_of(found), arm_of))
      return found;
  }
  const auto made = static_cast<SplitId>(splits_.size());
  Split split{feature, 0, arm_of_.size(), firsts_.size()};
  arm_of_.insert(arm_of_.end(), arm_of.begin(), arm_of.end());
  for (std::size_t v = 0; v < arm_of.size(); ++v)
    if (arm_of[v] == split.arms) {
      firsts_.push_back(static_cast<Cell>(v));
      ++split.arms;
    }
  splits_.push_back(split);
  table_[slot] = made + 1;
  if (splits_.size() * 2 > table_.size())
    grow();
  return made;
}

void Partitions::grow() {
  std::vector<std::uint32_t> larger(table_.size() * 4, 0);
  for (SplitId s = 0; s < splits_.size(); ++s) {
    std::size_t slot = hash_of(splits_[s].feature, arm_of(s)) & (larger.size() - 1);
    while (larger[slot] != 0)
      slot = (slot + 1) & (larger.size() - 1);
    larger[slot] = s + 1;
  }
  table_ = std::move(larger);
}

SplitId Partitions::meet(SplitId a, SplitId b) {
  if (a == b)
    return a;
  const std::uint64_t key = circuit::key_of(std::min(a, b), std::max(a, b));
  const auto found = meets_.find(key);
  if (found != meets_.end())
    return found->second;
  const SplitId made = met(a, b);
  meets_.emplace(key, made);
  return made;
}

SplitId Partitions::met(SplitId a, SplitId b) {
  const auto one = arm_of(a), other = arm_of(b);
  // Open addressing and not a square of all pairs: two partitions may have 65,000 arms each.
  pairs_.assign(std::bit_ceil(2 * one.size()), {no_pair, 0});
  scratch_.resize(one.size());
  Arm arms = 0;
  for (std::size_t v = 0; v < one.size(); ++v) {
    const std::uint32_t pair = std::uint32_t{one[v]} << 16 | other[v];
    std::size_t slot = mix(0, pair) & (pairs_.size() - 1);
    while (pairs_[slot].first != no_pair && pairs_[slot].first != pair)
      slot = (slot + 1) & (pairs_.size() - 1);
    if (pairs_[slot].first == no_pair)
      pairs_[slot] = {pair, arms++};
    scratch_[v] = pairs_[slot].second;
  }
  return intern(feature(a), scratch_);
}

SplitId Partitions::joined(SplitId s, std::span<const Arm> joined) {
  scratch_.clear();
  for (const Arm arm : arm_of(s))
    scratch_.push_back(joined[arm]);
  return intern(feature(s), scratch_);
}

std::uint64_t Partitions::bytes() const {
  return splits_.capacity() * sizeof(Split) + 2 * (arm_of_.capacity() + firsts_.capacity()) +
         4 * table_.size() + 48 * meets_.size();
}

} // namespace reasons::reorder
