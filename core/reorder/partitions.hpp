// partitions.hpp: hash-consed partitions of the values of features.
#pragma once

#include "circuit/circuit.hpp"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace reasons::reorder {

/// Interned partitions. Arms are numbered by their first values, so that equal partitions
/// have equal numbers.
class Partitions {
public:
  explicit Partitions(std::span<const std::uint32_t> domains);

  /// The partition that sends value v to arm arm_of[v]; arms are numbered as above.
  [[nodiscard]] SplitId intern(FeatureId feature, std::span<const Arm> arm_of);
  /// The coarsest partition that tells apart what either of two does.
  [[nodiscard]] SplitId meet(SplitId a, SplitId b);
  /// The partition after arms are joined: arm a becomes arm joined[a].
  [[nodiscard]] SplitId joined(SplitId s, std::span<const Arm> joined);

  [[nodiscard]] FeatureId feature(SplitId s) const { return splits_[s].feature; }
  [[nodiscard]] std::uint32_t arms(SplitId s) const { return splits_[s].arms; }
  [[nodiscard]] std::span<const Arm> arm_of(SplitId s) const {
    return {arm_of_.data() + splits_[s].from, domains_[splits_[s].feature]};
  }
  /// The first value of each arm.
  [[nodiscard]] std::span<const Cell> firsts(SplitId s) const {
    return {firsts_.data() + splits_[s].firsts, splits_[s].arms};
  }
  [[nodiscard]] std::uint64_t bytes() const;

private:
  struct Split {
    FeatureId feature;
    std::uint32_t arms;
    std::size_t from, firsts;
  };
  [[nodiscard]] SplitId met(SplitId a, SplitId b);
  void grow();

  std::vector<std::uint32_t> domains_;
  std::vector<Split> splits_;
  std::vector<Arm> arm_of_, scratch_;
  std::vector<Cell> firsts_;
  std::vector<std::uint32_t> table_; // open addressing, ids + 1
  std::unordered_map<std::uint64_t, SplitId> meets_;
  std::vector<std::pair<std::uint32_t, Arm>> pairs_; // arms of two, and the arm of their meet
};

} // namespace reasons::reorder
