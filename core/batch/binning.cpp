#include "batch/binning.hpp"

#include "batch/simd.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace reasons::batch {
namespace {

constexpr std::size_t block = 256, most_compared = 48;

/// Counters as wide as what is compared, so that one comparison's mask is added as it is.
template <class Number, class Count>
[[gnu::always_inline]] inline void count_below(const Number* numbers, std::span<const Number> cuts,
                                               bool below, Count* count) {
  std::fill_n(count, block, Count{0});
  if (below)
    for (const Number cut : cuts)
      for (std::size_t i = 0; i < block; ++i)
        count[i] += static_cast<Count>(numbers[i] > cut);
  else
    for (const Number cut : cuts)
      for (std::size_t i = 0; i < block; ++i)
        count[i] += static_cast<Count>(numbers[i] >= cut);
}

REASONS_WIDE void compare_single(const float* numbers, std::span<const float> cuts, bool below,
                                 std::uint32_t* count) {
  count_below(numbers, cuts, below, count);
}

REASONS_WIDE void compare_double(const double* numbers, std::span<const double> cuts, bool below,
                                 std::uint64_t* count) {
  count_below(numbers, cuts, below, count);
}

void compare(const float* numbers, std::span<const float> cuts, bool below, std::uint32_t* count) {
  compare_single(numbers, cuts, below, count);
}

void compare(const double* numbers, std::span<const double> cuts, bool below,
             std::uint64_t* count) {
  compare_double(numbers, cuts, below, count);
}

template <class Number, class Count>
void search(const Number* numbers, std::span<const Number> cuts, bool below, Count* count) {
  for (std::size_t i = 0; i < block; ++i) {
    const auto at = below ? std::lower_bound(cuts.begin(), cuts.end(), numbers[i])
                          : std::upper_bound(cuts.begin(), cuts.end(), numbers[i]);
    count[i] = static_cast<Count>(at - cuts.begin());
  }
}

template <class Number, class Count>
std::vector<Cell> cut(std::span<const double> numbers, const Cuts& cuts) {
  std::vector<Number> at(cuts.at.size());
  std::transform(cuts.at.begin(), cuts.at.end(), at.begin(),
                 [](double x) { return static_cast<Number>(x); });
  const bool few = at.size() <= most_compared;
  const auto absent = static_cast<Cell>(at.size() + 1);
  std::vector<Cell> cells(numbers.size());
  std::array<Number, block> own{};
  std::array<Count, block> count{};
  for (std::size_t from = 0; from < numbers.size(); from += block) {
    const std::size_t size = std::min(block, numbers.size() - from);
    for (std::size_t i = 0; i < size; ++i)
      own[i] = static_cast<Number>(numbers[from + i]);
    if (few)
      compare(own.data(), at, cuts.below, count.data());
    else
      search<Number, Count>(own.data(), at, cuts.below, count.data());
    for (std::size_t i = 0; i < size; ++i)
      cells[from + i] = std::isnan(own[i]) ? absent : static_cast<Cell>(count[i]);
  }
  return cells;
}

} // namespace

std::vector<Cell> cells_of_numbers(std::span<const double> numbers, const Cuts& cuts) {
  return cuts.single ? cut<float, std::uint32_t>(numbers, cuts)
                     : cut<double, std::uint64_t>(numbers, cuts);
}

} // namespace reasons::batch
