// sweep.hpp: sweep: does every leaf that a region reaches carry the label?
//
// One mechanism under almost every query. Going down, the nodes that the region
// reaches are marked, largest id first, so that no stack is needed and memory is
// read in one direction; going up, the marked ones are evaluated. A sweep costs
// O(reached + size / 64). A depth-first search lost: its random order costs more
// per node, and a chain of a million nodes needs a million frames.
#pragma once

#include "base/bit_set.hpp"
#include "circuit/circuit.hpp"

#include <cstdlib>
#include <optional>
#include <span>
#include <vector>

namespace reasons::query {

/// The values each feature may take: one flag for each value of each feature.
class Region {
public:
  /// Only the instance.
  Region(const Circuit& circuit, std::span<const Cell> instance);
  void free(FeatureId feature);
  void fix(FeatureId feature, Cell cell);
  void allow(FeatureId feature, std::span<const Cell> cells);

  [[nodiscard]] bool allows(FeatureId f, Cell v) const { return flags_[from_[f] + v] != 0; }
  [[nodiscard]] bool is_free(FeatureId f) const { return count_[f] == from_[f + 1] - from_[f]; }
  [[nodiscard]] bool is_single(FeatureId f) const { return count_[f] == 1; }
  [[nodiscard]] Cell single(FeatureId f) const { return one_[f]; }

private:
  std::vector<std::uint32_t> from_, count_;
  std::vector<Cell> one_;
  std::vector<std::uint8_t> flags_;
};

/// What a test does when the region's value for it is in none of its arms, which
/// happens only below another arm of an earlier test of the same feature.
enum class OutOfDomain { follow_no_arm, follow_every_arm };

/// For each split, the arms that a region can take.
class ActiveArms {
public:
  ActiveArms(const Circuit& circuit, const Region& region, OutOfDomain out_of_domain);

  static constexpr std::uint32_t every_arm = 0xFFFFFFFF, some_arms = 0xFFFFFFFE;

  /// The one arm that is live, or `every_arm`, or `some_arms`.
  [[nodiscard]] std::uint32_t mode(SplitId s) const { return mode_[s]; }
  [[nodiscard]] bool operator()(SplitId s, std::size_t arm) const {
    if (mode_[s] == every_arm)
      return true;
    return mode_[s] == some_arms ? flags_[from_[s] + arm] != 0 : mode_[s] == arm;
  }

private:
  std::vector<std::uint32_t> mode_, from_;
  std::vector<std::uint8_t> flags_;
};

class Sweep {
public:
  Sweep(const Circuit& circuit, const ActiveArms& live, LabelId label);

  /// Marks what the sources reach. With `until_bad`, stops and returns false at
  /// the first leaf of another label.
  bool reach(std::span<const NodeId> sources, bool until_bad);

  /// Evaluates what was reached.
  void evaluate();

  [[nodiscard]] const ScanSet& reached() const { return reached_; }
  [[nodiscard]] bool holds(NodeId n) const { return holds_[n]; }

private:
  [[nodiscard]] bool is_good(LabelId label) const {
    return label == label_ || label == impossible_label;
  }

  const Circuit& circuit_;
  const ActiveArms& live_;
  LabelId label_;
  ScanSet reached_, holds_;
};

/// The value of an arm, of those that are allowed, that is nearest to one's own.
template <class Allowed>
[[nodiscard]] Cell nearest(std::span<const Arm> arm_of, std::size_t arm, Cell own,
                           const Allowed& allowed) {
  Cell best = own;
  int distance = static_cast<int>(most_cells) + 1;
  for (Cell v = 0; v < arm_of.size(); ++v)
    if (arm_of[v] == arm && std::abs(v - own) < distance && allowed(v)) {
      best = v;
      distance = std::abs(v - own);
    }
  return best;
}

/// Whether every allowed instance of the region has the label. Time O(size).
[[nodiscard]] bool is_forced(const Circuit& circuit, const Region& region, LabelId label,
                             BitSet* tested = nullptr);

/// An allowed instance of the region with another label, as near the given
/// instance as the failing path lets it be; nothing if there is none. Time O(size).
[[nodiscard]] std::optional<std::vector<Cell>> counterexample(const Circuit& circuit,
                                                              const Region& region,
                                                              std::span<const Cell> instance,
                                                              LabelId label);

} // namespace reasons::query
