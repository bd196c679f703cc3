#include "batch/row_table.hpp"

#include <algorithm>
#include <numeric>

namespace reasons::batch {
namespace {

/// The `width` items of each row, for the rows in the order given.
template <class T>
std::vector<T> taken(std::span<const T> items, std::span<const std::uint32_t> rows,
                     std::size_t width) {
  std::vector<T> found(rows.size() * width);
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::copy_n(items.data() + rows[i] * width, width, found.data() + i * width);
  return found;
}

} // namespace

RowTable::RowTable(const Circuit& circuit, std::span<const Cell> cells, std::size_t rows,
                   unsigned threads, Budget& budget, std::size_t sorted_again)
    : circuit_(circuit), threads_(threads), sorted_again_(sorted_again) {
  check_rows(circuit, cells, rows);
  const std::size_t width = circuit.features();
  distinct_ = distinct_rows(cells, rows, width);
  sort_similar(distinct_, circuit, cells);
  cells_ = taken(cells, distinct_.first, width);
  labels_.resize(distinct_.first.size());
  decide_rows(circuit, cells_, labels_, threads, budget);
}

RowTable::Bias RowTable::biased(std::span<const FeatureId> loose, bool with_witness,
                                Budget& budget) const {
  if (circuit_.size() > sorted_again_)
    return biased_sorted(loose, with_witness, budget);
  std::vector<Cell> witness(with_witness ? labels_.size() * loose.size() : 0);
  auto words = biased_rows(circuit_, decided(), loose, witness, threads_, budget);
  return {std::move(words), std::move(witness)};
}

RowTable::Bias RowTable::biased_sorted(std::span<const FeatureId> loose, bool with_witness,
                                       Budget& budget) const {
  const std::size_t count = labels_.size();
  std::vector<std::uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0u);
  const auto order = sorted_similar(circuit_, cells_, all, loose);
  const auto cells = taken<Cell>(cells_, order, circuit_.features());
  const auto labels = taken<LabelId>(labels_, order, 1);
  std::vector<Cell> witness(with_witness ? count * loose.size() : 0);
  const auto words = biased_rows(circuit_, {cells, labels}, loose, witness, threads_, budget);
  Bias found{std::vector<std::uint64_t>(words.size()), std::vector<Cell>(witness.size())};
  for (std::size_t i = 0; i < count; ++i)
    found.biased[order[i] / 64] |= ((words[i / 64] >> (i % 64)) & 1) << (order[i] % 64);
  for (std::size_t i = 0; i < (with_witness ? count : 0); ++i)
    std::copy_n(witness.data() + i * loose.size(), loose.size(),
                found.witness.data() + order[i] * loose.size());
  return found;
}

std::vector<std::uint64_t> RowTable::necessary(Budget& budget) const {
  return necessary_rows(circuit_, decided(), threads_, budget);
}

std::vector<std::uint64_t> RowTable::sufficient(std::span<const FeatureId> drop_order,
                                                Budget& budget) const {
  return sufficient_rows(circuit_, decided(), drop_order, threads_, budget);
}

} // namespace reasons::batch
