// level_table.hpp: the nodes of an ordered circuit by level, from the root down, with their users.
//
// Nodes get new numbers, *places*, level after level, the root first and leaves last, so that one
// level is a run of memory; and they know their users as well as their inputs. What is known of
// the levels above a test and of those below it can then be kept apart.
#pragma once

#include "batch/propagation/tile.hpp"
#include "circuit/circuit.hpp"

#include <span>
#include <vector>

namespace reasons::batch {

class LevelTable {
public:
  /// The place of an edge's other end, and that of its arm in `Arms`.
  struct Edge {
    std::uint32_t node, arm;
  };

  /// Requires an ordered circuit. Time O(size).
  LevelTable(const Circuit& circuit, const Arms& arms);

  /// LevelTable of tests; leaves are one more below them.
  [[nodiscard]] std::size_t count() const { return from_.size() - 2; }
  [[nodiscard]] std::size_t places() const { return from_.back(); }
  [[nodiscard]] std::size_t begin(std::size_t level) const { return from_[level]; }
  [[nodiscard]] std::size_t end(std::size_t level) const { return from_[level + 1]; }

  [[nodiscard]] std::span<const Edge> inputs(std::size_t place) const {
    return std::span(down_).subspan(down_from_[place], down_from_[place + 1] - down_from_[place]);
  }
  [[nodiscard]] std::span<const Edge> users(std::size_t place) const {
    return std::span(up_).subspan(up_from_[place], up_from_[place + 1] - up_from_[place]);
  }
  /// The label of the leaf at a place of the last level.
  [[nodiscard]] LabelId label(std::size_t place) const { return labels_[place - from_[count()]]; }
  /// The level that tests the feature, or `count()` where none does.
  [[nodiscard]] std::size_t level_of(FeatureId f) const { return level_of_[f]; }
  /// The arms of all tests of a level, by their places in `Arms`.
  [[nodiscard]] std::span<const std::uint32_t> arms(std::size_t level) const {
    return arms_[level];
  }

private:
  void place_nodes(const Circuit& circuit);
  void link(const Circuit& circuit, const Arms& arms);

  std::vector<std::size_t> level_of_, from_;
  std::vector<std::uint32_t> place_of_;
  std::vector<std::uint32_t> down_from_, up_from_;
  std::vector<Edge> down_, up_;
  std::vector<LabelId> labels_;
  std::vector<std::vector<std::uint32_t>> arms_;
};

} // namespace reasons::batch
