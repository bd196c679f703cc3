#include "rows.hpp"

#include <algorithm>

namespace reasons {

Rows::Rows(const Circuit& circuit, std::span<const Cell> cells, std::size_t rows, unsigned threads,
           Budget& budget)
    : circuit_(circuit), threads_(threads) {
  check_rows(circuit, cells, rows);
  const std::size_t width = circuit.features();
  distinct_ = distinct_rows(cells, rows, width);
  sort_alike(distinct_, circuit, cells);
  cells_.resize(distinct_.first.size() * width);
  for (std::size_t i = 0; i < distinct_.first.size(); ++i)
    std::copy_n(cells.data() + distinct_.first[i] * width, width, cells_.data() + i * width);
  labels_.resize(distinct_.first.size());
  decide_rows(circuit, cells_, labels_, threads, budget);
}

Rows::Bias Rows::biased(std::span<const FeatureId> loose, bool with_witness, Budget& budget) const {
  std::vector<Cell> witness(with_witness ? labels_.size() * loose.size() : 0);
  auto words = biased_rows(circuit_, decided(), loose, witness, threads_, budget);
  return {std::move(words), std::move(witness)};
}

std::vector<std::uint64_t> Rows::necessary(Budget& budget) const {
  return necessary_rows(circuit_, decided(), threads_, budget);
}

std::vector<std::uint64_t> Rows::sufficient(std::span<const FeatureId> drop_order,
                                            Budget& budget) const {
  return sufficient_rows(circuit_, decided(), drop_order, threads_, budget);
}

} // namespace reasons
