// ensemble.hpp: tree ensembles over cells: sums of leaves, and the rule that makes a label of them.
//
// The reference is the library that trained the model, on one row: its additions in the order of
// its trees and in its precision, then its rule. `decide` repeats that to the last bit. Whoever
// reasons about many instances at once works on whole numbers instead: `units` are the values
// times a power of two, rounded, and `least_lead` says from which lead on a label is certain,
// whatever the library rounded on its way. In between, single instances are decided.
#pragma once

#include "base/budget.hpp"
#include "circuit/circuit.hpp"
#include "forest/cell_ranges.hpp"

#include <functional>

namespace reasons::forest {

enum class Rule : std::uint8_t {
  cut,     // one score: label 1 from the cut on, otherwise 0
  largest, // a score for each label: the first of the largest
  softmax, // as `largest`, after a softmax in the library's precision, which can make them equal
};

/// What a front end says of a model. Nodes of one tree follow each other, parents first.
struct Forest {
  std::vector<std::uint32_t> domains;                // the number of cells of each feature
  std::vector<FeatureId> test_feature;               // of each test: the feature
  std::vector<std::uint32_t> test_first{0};          // where its ranges begin; one more than tests
  CellRanges test_left;                              // test after test, the cells that go left
  std::vector<std::int32_t> node_test;               // -1: a leaf
  std::vector<std::uint32_t> node_left, node_right;  // of a leaf: left is its row of values
  std::vector<std::uint32_t> tree_first;             // the root of each tree
  std::vector<std::uint32_t> tree_score, tree_width; // adds to scores [score, score + width)
  std::vector<double> values;                        // row after row; rows have tree_width
  std::vector<std::size_t> row_first;                // where each row begins in `values`
  std::vector<double> start;                         // the scores before the first tree
  double divisor = 1;                                // of the scores, before the rule
  bool single = false;                               // sums in float32, otherwise float64
  Rule rule = Rule::largest;
  double cut = 0;
  double slack = 0; // how far the library's scores may be from these sums beyond rounding
  std::uint32_t labels = 2;
  /// Roots of trees that say which instances there are: a leaf's left is 1 where there is none.
  std::vector<std::uint32_t> guard_first;
  /// Decides in place of the sums, where they are not added one after another.
  std::function<LabelId(const std::vector<Cell>&)> settle;
};

class Ensemble {
public:
  using Units = std::int64_t;
  static constexpr std::int32_t leaf = -1;

  /// Throws InputError where the arrays do not fit together. Time O(size).
  explicit Ensemble(Forest forest);

  [[nodiscard]] const Forest& forest() const { return forest_; }
  [[nodiscard]] std::size_t trees() const { return forest_.tree_first.size(); }
  [[nodiscard]] std::uint32_t features() const;
  [[nodiscard]] std::uint32_t domain(FeatureId f) const { return forest_.domains[f]; }
  [[nodiscard]] std::uint32_t labels() const { return forest_.labels; }
  [[nodiscard]] std::uint32_t scores() const;

  [[nodiscard]] bool is_leaf(std::uint32_t node) const { return forest_.node_test[node] == leaf; }
  [[nodiscard]] FeatureId feature(std::uint32_t node) const;
  /// The cells that go left at a node.
  [[nodiscard]] std::span<const CellRange> left_cells(std::uint32_t node) const {
    return left_of_test(static_cast<std::size_t>(forest_.node_test[node]));
  }
  /// The cells that go left at a test.
  [[nodiscard]] std::span<const CellRange> left_of_test(std::size_t test) const {
    const std::uint32_t first = forest_.test_first[test];
    return std::span(forest_.test_left).subspan(first, forest_.test_first[test + 1] - first);
  }
  [[nodiscard]] bool goes_left(std::uint32_t node, Cell cell) const {
    return contains(left_cells(node), cell);
  }
  [[nodiscard]] std::uint32_t child(std::uint32_t node, Cell cell) const;

  /// The units that a leaf of a tree adds to a score (0 where the tree does not add to it).
  [[nodiscard]] Units units(std::size_t tree, std::uint32_t node, std::uint32_t score) const;
  /// The units that a leaf of a tree adds to the lead of label a over label b.
  [[nodiscard]] Units lead_units(std::size_t tree, std::uint32_t node, LabelId a, LabelId b) const;
  /// The units of a score before the first tree; for Rule::cut less those of the cut.
  [[nodiscard]] Units start(std::uint32_t score) const { return start_units_[score]; }
  /// By how many units label a leads label b, given the sums of all scores.
  [[nodiscard]] Units lead(std::span<const Units> sums, LabelId a, LabelId b) const;
  /// The least lead of a over b with which b is certainly not the label.
  [[nodiscard]] Units least_lead(LabelId a, LabelId b) const;
  /// The label that is certain given the sums, or no_label.
  [[nodiscard]] LabelId certain(std::span<const Units> sums) const;
  static constexpr LabelId no_label = 0xFFFFFFFE;
  /// Whether every lead is certain: the library never rounds on this model.
  [[nodiscard]] bool exact() const { return band_ == 0; }

  /// The label of an instance as the library decides it, or impossible_label where a guard
  /// says so. Time O(trees * depth).
  [[nodiscard]] LabelId decide(std::span<const Cell> instance) const;

private:
  void require_shape();
  void require_tests() const;
  void require_tree(std::uint32_t first, std::uint32_t end, bool guard) const;
  void scale();
  [[nodiscard]] std::uint32_t leaf_of(std::uint32_t root, std::span<const Cell> instance) const;
  template <class Real> [[nodiscard]] LabelId add_up(std::span<const Cell> instance) const;

  Forest forest_;
  std::vector<Units> units_, start_units_;
  Units band_ = 0;
};

} // namespace reasons::forest
