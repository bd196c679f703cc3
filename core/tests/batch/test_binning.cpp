// test_binning.cpp: columns of numbers as cells, against counting the cuts one by one.
#include "batch/binning.hpp"
#include "tests/support/harness.hpp"
#include "tests/support/random_circuit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace reasons;
using namespace reasons::batch;
using namespace reasons::testing;

namespace {

/// Some whole numbers, which equal cuts, some others, and what has no place among them.
std::vector<double> some_numbers(std::size_t count, Rng& rng) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> odd{std::nan(""), infinity, -infinity, -0.0, 1e300, 1 + 1e-12};
  std::vector<double> numbers(count);
  for (auto& number : numbers)
    number = rng() % 4 == 0 ? odd[rng() % odd.size()] : static_cast<double>(rng() % 400) / 4 - 20;
  return numbers;
}

template <class Number> Cell counted(double number, const std::vector<double>& cuts, bool below) {
  const auto own = static_cast<Number>(number);
  if (std::isnan(own))
    return static_cast<Cell>(cuts.size() + 1);
  return static_cast<Cell>(std::count_if(cuts.begin(), cuts.end(), [&](double cut) {
    const auto at = static_cast<Number>(cut);
    return below ? own > at : own >= at;
  }));
}

} // namespace

TEST(cells_of_numbers_are_how_many_cuts_lie_below) {
  Rng rng(3);
  for (const std::size_t count : {0u, 1u, 47u, 48u, 49u, 70u}) {
    std::vector<double> cuts(count);
    for (std::size_t i = 0; i < count; ++i)
      cuts[i] = static_cast<double>(i) + (i % 3 == 0 ? 0.1 : 0.0);
    for (const std::size_t size : {0u, 1u, 255u, 256u, 257u, 1000u}) {
      const auto numbers = some_numbers(size, rng);
      for (const bool below : {false, true}) {
        const auto wide = cells_of_numbers(numbers, {cuts, below, false});
        const auto single = cells_of_numbers(numbers, {cuts, below, true});
        CHECK(wide.size() == size && single.size() == size);
        for (std::size_t i = 0; i < size; ++i) {
          CHECK(wide[i] == counted<double>(numbers[i], cuts, below));
          CHECK(single[i] == counted<float>(numbers[i], cuts, below));
        }
      }
    }
  }
}
