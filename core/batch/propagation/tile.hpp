// tile.hpp: a tile of 512 rows, and the arms of tests that each row takes.
//
// A feature's cells are kept as running unions ("at most this cell"), so that an arm, which is
// a few runs of cells, costs a few operations however many cells there are. Arms are made
// when they are first asked for: most circuits have more of them than a tile meets.
#pragma once

#include "batch/row_mask.hpp"
#include "circuit/circuit.hpp"

#include <span>
#include <vector>

namespace reasons::batch {

/// The arms of a circuit as runs of cells, for all tiles alike.
class Arms {
public:
  struct Run {
    Cell first, last;
  };
  explicit Arms(const Circuit& circuit);

  [[nodiscard]] std::size_t place(SplitId s, std::size_t arm) const { return from_[s] + arm; }
  [[nodiscard]] std::size_t count() const { return from_.back(); }
  [[nodiscard]] std::span<const Run> runs(std::size_t place) const {
    return std::span(runs_).subspan(run_from_[place], run_from_[place + 1] - run_from_[place]);
  }

private:
  std::vector<std::size_t> from_{0}, run_from_{0};
  std::vector<Run> runs_;
};

class Tile {
public:
  Tile(const Circuit& circuit, const Arms& arms);

  /// Takes at most 512 rows of cells, row after row, and their labels.
  void load(std::span<const Cell> cells, std::span<const LabelId> labels);

  [[nodiscard]] std::size_t rows() const { return labels_.size(); }
  /// The rows whose label is possible; there is nothing to ask about the others.
  [[nodiscard]] const RowMask& asked() const { return asked_; }
  [[nodiscard]] const RowMask& with_label(LabelId label) const { return with_label_[label]; }
  [[nodiscard]] std::span<const Cell> row(std::size_t i) const {
    return cells_.subspan(i * circuit_.features(), circuit_.features());
  }
  /// The rows whose value of the tested feature is in the arm.
  [[nodiscard]] const RowMask& arm(SplitId s, std::size_t k) {
    const std::size_t place = arms_.place(s, k);
    if (made_[place] != loads_)
      make(circuit_.tested(s), place);
    return arm_[place];
  }
  /// The same for every arm of the circuit, by its place in `Arms`.
  [[nodiscard]] std::span<const RowMask> all_arms();

private:
  void make(FeatureId f, std::size_t place);
  [[nodiscard]] RowMask between(FeatureId f, Cell first, Cell last) const;

  const Circuit& circuit_;
  const Arms& arms_;
  std::span<const Cell> cells_;
  std::span<const LabelId> labels_;
  RowMask asked_;
  std::vector<RowMask> with_label_, at_most_, arm_;
  std::vector<std::size_t> cell_from_;
  std::vector<std::uint32_t> made_; // of each arm: the load it was made in
  std::uint32_t loads_ = 0;
};

} // namespace reasons::batch
