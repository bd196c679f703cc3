#include "batch/dedup.hpp"

#include "base/hashing.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <numeric>

namespace reasons::batch {
namespace {

/// Four cells a step; what is left over is filled up with zeros.
std::uint64_t row_hash(const Cell* row, std::size_t width) {
  std::uint64_t hash = 0x9E3779B97F4A7C15ull;
  for (std::size_t i = 0; i < width; i += 4) {
    std::uint64_t four = 0;
    std::memcpy(&four, row + i, sizeof(Cell) * std::min<std::size_t>(4, width - i));
    hash = mix(hash, four);
  }
  return hash;
}

struct Keyed {
  std::uint32_t key, number;
};

constexpr unsigned key_bits = 32, digit_bits = 11;

/// The features tested first are the highest bits. Returns how many bits keys have.
unsigned make_keys(std::vector<Keyed>& rows, const Circuit& circuit, std::span<const Cell> cells,
                   std::span<const FeatureId> without) {
  unsigned bits = 0;
  for (const FeatureId f :
       circuit.is_ordered() ? circuit.order() : circuit.feature_order_from_root()) {
    if (std::find(without.begin(), without.end(), f) != without.end())
      continue;
    const auto more = static_cast<unsigned>(std::bit_width(circuit.domain(f) - 1));
    if (bits + more > key_bits)
      break;
    bits += more;
    for (auto& row : rows)
      row.key = row.key << more | cells[row.number * circuit.features() + f];
  }
  return bits;
}

/// By counting, and such that rows of one digit stay in their order.
void sort_by_digit(const std::vector<Keyed>& rows, std::vector<Keyed>& sorted, unsigned shift) {
  constexpr std::uint32_t mask = (1u << digit_bits) - 1;
  std::array<std::uint32_t, mask + 2> from{};
  for (const auto& row : rows)
    ++from[((row.key >> shift) & mask) + 1];
  std::partial_sum(from.begin(), from.end(), from.begin());
  for (const auto& row : rows)
    sorted[from[(row.key >> shift) & mask]++] = row;
}

} // namespace

DistinctRows distinct_rows(std::span<const Cell> cells, std::size_t rows, std::size_t width) {
  DistinctRows found{{}, std::vector<std::uint32_t>(rows)};
  const std::size_t mask = std::bit_ceil(2 * rows + 1) - 1;
  std::vector<std::uint32_t> slots(mask + 1, 0); // the number of a distinct row, and 1
  for (std::size_t row = 0; row < rows; ++row) {
    const Cell* own = cells.data() + row * width;
    std::size_t at = row_hash(own, width) & mask;
    while (slots[at] != 0 && width != 0 &&
           std::memcmp(cells.data() + found.first[slots[at] - 1] * width, own,
                       width * sizeof(Cell)) != 0)
      at = (at + 1) & mask;
    if (slots[at] == 0) {
      found.first.push_back(static_cast<std::uint32_t>(row));
      slots[at] = static_cast<std::uint32_t>(found.first.size());
    }
    found.number[row] = slots[at] - 1;
  }
  return found;
}

std::vector<std::uint32_t> sorted_similar(const Circuit& circuit, std::span<const Cell> cells,
                                          std::span<const std::uint32_t> chosen,
                                          std::span<const FeatureId> without) {
  std::vector<Keyed> rows(chosen.size()), other(chosen.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i] = {0, chosen[i]};
  const unsigned bits = make_keys(rows, circuit, cells, without);
  for (unsigned shift = 0; shift < bits; shift += digit_bits) {
    sort_by_digit(rows, other, shift);
    rows.swap(other);
  }
  std::vector<std::uint32_t> sorted(rows.size());
  std::transform(rows.begin(), rows.end(), sorted.begin(),
                 [](const Keyed& row) { return row.number; });
  return sorted;
}

void sort_similar(DistinctRows& distinct, const Circuit& circuit, std::span<const Cell> cells) {
  auto first = sorted_similar(circuit, cells, distinct.first, {});
  std::vector<std::uint32_t> place(first.size());
  for (std::size_t i = 0; i < first.size(); ++i)
    place[distinct.number[first[i]]] = static_cast<std::uint32_t>(i);
  distinct.first.swap(first);
  for (auto& number : distinct.number)
    number = place[number];
}

} // namespace reasons::batch
