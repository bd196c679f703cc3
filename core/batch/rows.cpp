#include "rows.hpp"

#include <algorithm>

namespace reasons {
namespace {

/// One of `width` items a row, for the rows in the order given.
template <class T>
std::vector<T> taken(std::span<const T> items, std::span<const std::uint32_t> rows,
                     std::size_t width) {
  std::vector<T> found(rows.size() * width);
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::copy_n(items.data() + rows[i] * width, width, found.data() + i * width);
  return found;
}

} // namespace

Rows::Rows(const Circuit& circuit, std::span<const Cell> cells, std::size_t rows, unsigned threads,
           Budget& budget)
    : circuit_(circuit), threads_(threads) {
  check_rows(circuit, cells, rows);
  distinct_ = distinct_rows(cells, rows, circuit.features());
  once_ = distinct_.first.size() * 3 <= rows * 2;
  if (once_)
    cells_ = taken(cells, distinct_.first, circuit.features());
  else
    cells_.assign(cells.begin(), cells.end());
  labels_.resize(once_ ? distinct_.first.size() : rows);
  decide_rows(circuit, cells_, labels_, threads, budget);
}

std::vector<LabelId> Rows::labels() const {
  return once_ ? taken<LabelId>(labels_, distinct_.number, 1) : labels_;
}

std::vector<std::uint64_t> Rows::for_all(std::vector<std::uint64_t> words,
                                         std::size_t columns) const {
  return once_ ? spread(distinct_, words, columns) : std::move(words);
}

Rows::Bias Rows::biased(std::span<const FeatureId> loose, bool with_witness, Budget& budget) const {
  std::vector<Cell> witness(with_witness ? labels_.size() * loose.size() : 0);
  auto words = biased_rows(circuit_, decided(), loose, witness, threads_, budget);
  if (once_ && with_witness)
    witness = taken<Cell>(witness, distinct_.number, loose.size());
  return {for_all(std::move(words), 1), std::move(witness)};
}

std::vector<std::uint64_t> Rows::necessary(Budget& budget) const {
  return for_all(necessary_rows(circuit_, decided(), threads_, budget), circuit_.features());
}

std::vector<std::uint64_t> Rows::sufficient(std::span<const FeatureId> drop_order,
                                            Budget& budget) const {
  return for_all(sufficient_rows(circuit_, decided(), drop_order, threads_, budget),
                 circuit_.features());
}

} // namespace reasons
