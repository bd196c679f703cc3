// row_table.hpp: a table of rows with their decisions, which answers several queries.
//
// What the questions share is done once: cells are checked, rows that are alike become one, and
// each is decided. Answers are for each distinct row; `distinct` says which rows these are.
#pragma once

#include "batch/batch.hpp"
#include "batch/dedup.hpp"

#include <vector>

namespace reasons::batch {

class RowTable {
public:
  struct Bias {
    std::vector<std::uint64_t> biased; ///< a bit each
    std::vector<Cell> witness;         ///< of each the protected features' cells, if wanted
  };

  /// Copies the cells. Throws InputError on a cell outside its domain, or too many rows.
  /// In circuits of more nodes than `sorted_again`, rows asked about bias are sorted once more,
  /// without the protected features: these keep no rows together that are free to leave.
  RowTable(const Circuit& circuit, std::span<const Cell> cells, std::size_t rows, unsigned threads,
           Budget& budget, std::size_t sorted_again = 4096);

  [[nodiscard]] const Circuit& circuit() const { return circuit_; }
  [[nodiscard]] const std::vector<LabelId>& labels() const { return labels_; }
  /// The cells of the distinct rows, row after row.
  [[nodiscard]] const std::vector<Cell>& cells() const { return cells_; }
  [[nodiscard]] const DistinctRows& distinct() const { return distinct_; }

  /// The questions of batch.hpp.
  [[nodiscard]] Bias biased(std::span<const FeatureId> loose, bool with_witness,
                            Budget& budget) const;
  [[nodiscard]] std::vector<std::uint64_t> necessary(Budget& budget) const;
  [[nodiscard]] std::vector<std::uint64_t> sufficient(std::span<const FeatureId> drop_order,
                                                      Budget& budget) const;

private:
  [[nodiscard]] Bias biased_sorted(std::span<const FeatureId> loose, bool with_witness,
                                   Budget& budget) const;
  [[nodiscard]] Decided decided() const { return {cells_, labels_}; }

  const Circuit& circuit_;
  unsigned threads_;
  std::size_t sorted_again_;
  DistinctRows distinct_;
  std::vector<Cell> cells_;
  std::vector<LabelId> labels_;
};

} // namespace reasons::batch
