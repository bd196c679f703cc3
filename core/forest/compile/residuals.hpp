// residuals.hpp: residual trees: what is left of a tree under a partial instance.
//
// Trees do not test features in one order, so what is left is more than a node of the tree:
// tests of known features are resolved throughout it. Residuals are hash-consed and restricted
// by their first feature only, when first asked for; equal ones are one number from then on.
// To turn every tree into an ordered graph at once lost: most of its nodes are never met.
#pragma once

#include "base/budget.hpp"
#include "base/tuple_table.hpp"
#include "forest/ensemble.hpp"

#include <span>
#include <vector>

namespace reasons::forest {

using Residual = std::uint32_t;

class Residuals {
public:
  /// From this cell on (until that of the next run) the residual becomes `child`.
  struct Run {
    std::uint32_t first;
    Residual child;
  };

  /// The roots are those of `trees`, in turn, then those of the guards.
  Residuals(const Ensemble& ensemble, std::span<const FeatureId> order,
            std::span<const std::uint32_t> trees, Budget& budget);

  [[nodiscard]] const std::vector<Residual>& roots() const { return roots_; }
  /// The position in the order of the first feature that is tested; leaves are at `bottom`.
  [[nodiscard]] std::uint32_t level(Residual r) const { return nodes_[r].level; }
  [[nodiscard]] bool is_leaf(Residual r) const { return level(r) == bottom; }
  /// Of a leaf of a guard.
  [[nodiscard]] bool is_impossible(Residual r) const { return nodes_[r].high == 1; }
  /// For each pair of labels the least lead that a leaf below gives the first.
  [[nodiscard]] const Ensemble::Units* leads(Residual r) const {
    return leads_.data() + r * pairs_;
  }
  /// What the values of the first feature make of it. Valid until the next call.
  [[nodiscard]] std::span<const Run> runs(Residual r);
  /// How many were made since the trees were taken over.
  [[nodiscard]] std::uint64_t made() const { return nodes_.size() - taken_over_; }
  [[nodiscard]] std::uint64_t bytes() const;

  static constexpr std::uint32_t bottom = 0xFFFFFFFF;

private:
  struct Node {
    std::uint32_t test, low, high; // of a leaf: the tree, the leaf, and whether it is impossible
    std::uint32_t level;
    std::uint64_t runs_first;
    std::uint32_t runs_count;
  };

  [[nodiscard]] Residual imported(std::uint32_t tree, std::uint32_t first, std::uint32_t end);
  [[nodiscard]] Residual leaf(std::uint32_t tree, std::uint32_t node);
  [[nodiscard]] std::uint32_t alike(std::uint32_t tree, std::uint32_t node);
  [[nodiscard]] Residual test(std::uint32_t test, Residual low, Residual high);
  [[nodiscard]] Residual restricted(Residual root, Cell cell);
  void find_tests(Residual root);
  void expand(Residual root);
  [[nodiscard]] bool goes_left(std::uint32_t test, std::uint32_t cell) const;

  const Ensemble& ensemble_;
  Budget& budget_;
  std::vector<std::uint32_t> level_of_; // of each feature
  std::size_t pairs_;
  std::vector<Node> nodes_;
  TupleTable unique_, rows_;
  std::vector<Ensemble::Units> leads_;
  std::vector<Run> runs_;
  std::vector<Residual> roots_, stack_, moved_;
  std::vector<std::uint32_t> stamp_, tests_, turns_;
  std::uint32_t now_ = 0;
  std::size_t taken_over_ = 0;
};

} // namespace reasons::forest
