// batch.hpp: bit-parallel queries about many decisions at once, on all cores.
//
// Rows are cut into tiles of 512 (tile.hpp), a tile goes through the circuit as one
// (propagate.hpp), and threads take tiles. The answers are those of the questions about one
// decision, row by row. Answers of yes or no are bits, packed as Arrow packs them: row i is bit i %
// 64 of word i / 64, and what stands after the last row is 0.
#pragma once

#include "base/budget.hpp"
#include "circuit/circuit.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace reasons::batch {

/// Decisions: cells row after row, and the labels that the circuit gives them. A row that is
/// impossible is not asked about: its answers are no.
struct Decided {
  std::span<const Cell> cells;
  std::span<const LabelId> labels;
};

/// Words for a bit a row.
[[nodiscard]] std::size_t words_for(std::size_t rows);

/// Throws InputError on a cell outside its domain, a row too short or long, and 2^32 rows.
void check_rows(const Circuit& circuit, std::span<const Cell> cells, std::size_t rows);

/// The labels of rows of cells that are in their domains. Time O(rows * depth).
void decide_rows(const Circuit& circuit, std::span<const Cell> cells, std::span<LabelId> labels,
                 unsigned threads, Budget& budget);

/// Which decisions another one follows that differs on protected features only.
/// `witness` is empty or has room for the protected features of each row, which then gets, where it
/// is biased, their values in such an instance, otherwise its own. Time O(rows * size / 64) at
/// most.
[[nodiscard]] std::vector<std::uint64_t> biased_rows(const Circuit& circuit, const Decided& rows,
                                                     std::span<const FeatureId> loose,
                                                     std::span<Cell> witness, unsigned threads,
                                                     Budget& budget);

/// For each feature, one after another, the decisions it is necessary for.
[[nodiscard]] std::vector<std::uint64_t> necessary_rows(const Circuit& circuit, const Decided& rows,
                                                        unsigned threads, Budget& budget);

/// For each feature, one after another, the decisions one sufficient reason of which
/// mentions it: what dropping features in the given order leaves.
[[nodiscard]] std::vector<std::uint64_t> sufficient_rows(const Circuit& circuit,
                                                         const Decided& rows,
                                                         std::span<const FeatureId> drop_order,
                                                         unsigned threads, Budget& budget);

} // namespace reasons::batch
