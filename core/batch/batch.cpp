#include "batch/batch.hpp"

#include "base/error.hpp"
#include "batch/parallel_for.hpp"
#include "query/decision.hpp"

#include <limits>
#include <string>

namespace reasons::batch {

std::size_t words_for(std::size_t rows) {
  return (rows + 63) / 64;
}

void check_rows(const Circuit& circuit, std::span<const Cell> cells, std::size_t rows) {
  const std::size_t width = circuit.features();
  if (rows >= std::numeric_limits<std::uint32_t>::max())
    throw InputError("more rows than can be asked about at once; ask in parts");
  if (cells.size() != rows * width)
    throw InputError("the rows do not have one cell for each feature");
  const Cell* cell = cells.data();
  for (std::size_t row = 0; row < rows; ++row)
    for (FeatureId f = 0; f < width; ++f, ++cell)
      if (*cell >= circuit.domain(f))
        throw InputError("row " + std::to_string(row) + " has no value number " +
                         std::to_string(*cell) + " of feature " + std::to_string(f));
}

void decide_rows(const Circuit& circuit, std::span<const Cell> cells, std::span<LabelId> labels,
                 unsigned threads, Budget& budget) {
  const std::size_t width = circuit.features();
  parallel_for(labels.size(), threads, budget, [&] {
    return [&](std::size_t first, std::size_t count) {
      for (std::size_t row = first; row < first + count; ++row)
        labels[row] = query::decide(circuit, cells.subspan(row * width, width));
    };
  });
}

} // namespace reasons::batch
