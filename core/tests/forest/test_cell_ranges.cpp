// test_cell_ranges.cpp: sets of cells as ranges, beside flags.
#include "forest/bound/range_min.hpp"
#include "forest/cell_ranges.hpp"
#include "tests/support/harness.hpp"
#include "tests/support/random_circuit.hpp"

using namespace reasons;
using namespace reasons::forest;
using namespace reasons::testing;

namespace {

std::vector<bool> random_cells(std::size_t size, Rng& rng) {
  std::vector<bool> cells(size);
  for (std::size_t c = 0; c < size; ++c)
    cells[c] = rng() % 3 > 0;
  return cells;
}

} // namespace

TEST(common_cells_of_ranges_are_those_of_flags) {
  for (std::uint32_t seed = 0; seed < 2000; ++seed) {
    Rng rng(seed);
    const std::size_t size = 1 + rng() % 12;
    const std::vector<bool> one = random_cells(size, rng), other = random_cells(size, rng);
    for (const bool inside : {true, false}) {
      CellRanges common;
      append_common(ranges_of(one), ranges_of(other), inside, common);
      std::vector<bool> expected(size);
      for (std::size_t c = 0; c < size; ++c)
        expected[c] = one[c] && other[c] == inside;
      CHECK(common == ranges_of(expected));
      for (std::uint32_t c = 0; c < size; ++c)
        CHECK(contains(common, c) == expected[c]);
    }
  }
}

TEST(least_values_of_ranges_are_those_of_a_scan) {
  RangeMin<int> least;
  RangeLower<int> lowered;
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    Rng rng(seed);
    std::vector<int> values(1 + rng() % 70), expected(values.size(), 1000), low(values.size());
    for (int& value : values)
      value = static_cast<int>(rng() % 100);
    least.reset(values);
    lowered.reset(values.size(), 1000);
    for (int i = 0; i < 20; ++i) {
      const auto begin = static_cast<std::uint32_t>(rng() % values.size());
      const auto end = begin + 1 + static_cast<std::uint32_t>(rng() % (values.size() - begin));
      CHECK(least.least(begin, end) ==
            *std::min_element(values.begin() + begin, values.begin() + end));
      const int value = static_cast<int>(rng() % 100);
      lowered.lower(begin, end, value);
      for (std::uint32_t k = begin; k < end; ++k)
        expected[k] = std::min(expected[k], value);
    }
    lowered.finish(low);
    CHECK(low == expected);
  }
}
