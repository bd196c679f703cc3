// test_batch.cpp: queries about many rows at once, against the queries about one.
#include "base/error.hpp"
#include "batch/batch.hpp"
#include "batch/dedup.hpp"
#include "batch/row_table.hpp"
#include "query/decision.hpp"
#include "query/sweep.hpp"
#include "tests/support/harness.hpp"
#include "tests/support/random_circuit.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <numeric>

using namespace reasons;
using namespace reasons::batch;
using namespace reasons::query;
using namespace reasons::testing;

namespace {

/// Rows of a circuit, more than fill a tile, in no order, with their labels.
struct Table {
  std::vector<Cell> cells;
  std::vector<LabelId> labels;
  std::size_t width;

  [[nodiscard]] Decided decided() const { return {cells, labels}; }
  [[nodiscard]] Instance row(std::size_t i) const {
    const auto first = cells.begin() + static_cast<std::ptrdiff_t>(i * width);
    return {first, first + static_cast<std::ptrdiff_t>(width)};
  }
};

Table table_of(const Circuit& circuit, std::size_t rows, Rng& rng) {
  Table table{{}, std::vector<LabelId>(rows), circuit.features()};
  for (std::size_t i = 0; i < rows; ++i)
    for (FeatureId f = 0; f < circuit.features(); ++f)
      table.cells.push_back(static_cast<Cell>(rng() % circuit.domain(f)));
  Budget budget;
  decide_rows(circuit, table.cells, table.labels, 2, budget);
  return table;
}

bool bit(const std::vector<std::uint64_t>& words, std::size_t i, std::size_t offset = 0) {
  return (words[offset + i / 64] >> (i % 64)) & 1;
}

using Visit = std::function<void(const Circuit&, const Table&, Rng&)>;

void for_tables(const Visit& visit) {
  for (const auto& shape : shapes())
    for (std::uint32_t seed = 0; seed < 24; ++seed) {
      const Circuit circuit =
          seed % 3 == 0 ? random_graph(shape, seed) : random_circuit(shape, seed);
      Rng rng(seed);
      visit(circuit, table_of(circuit, std::size_t{1} + rng() % 1300, rng), rng);
    }
}

std::vector<FeatureId> some_features(const Circuit& circuit, Rng& rng) {
  std::vector<FeatureId> some;
  for (FeatureId f = 0; f < circuit.features(); ++f)
    if (rng() % 3 == 0)
      some.push_back(f);
  return some;
}

} // namespace

TEST(biased_rows_are_those_with_a_counterexample_which_is_the_witness) {
  for_tables([](const Circuit& circuit, const Table& table, Rng& rng) {
    const auto loose = some_features(circuit, rng);
    std::vector<Cell> witness(table.labels.size() * loose.size());
    Budget budget;
    const auto found = biased_rows(circuit, table.decided(), loose, witness, 2, budget);
    CHECK(found == biased_rows(circuit, table.decided(), loose, {}, 1, budget));
    for (std::size_t i = 0; i < table.labels.size(); ++i) {
      const Instance row = table.row(i);
      if (table.labels[i] == impossible_label) {
        CHECK(!bit(found, i));
        continue;
      }
      Region region(circuit, row);
      for (const FeatureId f : loose)
        region.free(f);
      const auto wanted = counterexample(circuit, region, row, table.labels[i]);
      CHECK(bit(found, i) == wanted.has_value());
      for (std::size_t k = 0; k < loose.size(); ++k)
        CHECK(witness[i * loose.size() + k] == (wanted ? *wanted : row)[loose[k]]);
    }
  });
}

TEST(necessary_and_sufficient_rows_are_those_of_single_decisions) {
  for_tables([](const Circuit& circuit, const Table& table, Rng& rng) {
    std::vector<FeatureId> order(circuit.features());
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin(), order.end(), rng);
    Budget budget;
    const auto needed = necessary_rows(circuit, table.decided(), 2, budget);
    const auto enough = sufficient_rows(circuit, table.decided(), order, 2, budget);
    const std::size_t words = words_for(table.labels.size());
    for (std::size_t i = 0; i < table.labels.size(); ++i) {
      std::vector<FeatureId> one, other;
      for (FeatureId f = 0; f < circuit.features(); ++f) {
        if (bit(needed, i, f * words))
          one.push_back(f);
        if (bit(enough, i, f * words))
          other.push_back(f);
      }
      if (table.labels[i] == impossible_label) {
        CHECK(one.empty() && other.empty());
        continue;
      }
      const Instance row = table.row(i);
      CHECK(one == necessary(circuit, row, table.labels[i]));
      CHECK(other == sufficient(circuit, row, table.labels[i], order, budget));
    }
  });
}

TEST(no_rows_have_no_answers) {
  const Arrays arrays = sound_arrays();
  const Circuit circuit = arrays.circuit();
  Budget budget;
  CHECK(biased_rows(circuit, {}, {}, {}, 4, budget).empty());
  CHECK(necessary_rows(circuit, {}, 4, budget).empty());
}

TEST(what_stands_after_the_last_row_is_zero) {
  const Arrays arrays = sound_arrays();
  const Circuit circuit = arrays.circuit();
  Rng rng(1);
  Budget budget;
  for (const std::size_t rows : {1u, 63u, 64u, 65u, 511u, 513u}) {
    const Table table = table_of(circuit, rows, rng);
    const std::vector<FeatureId> all{0, 1};
    const auto found = biased_rows(circuit, table.decided(), all, {}, 2, budget);
    CHECK(found.size() == words_for(rows));
    for (std::size_t i = rows; i < found.size() * 64; ++i)
      CHECK(!bit(found, i));
  }
}

TEST(rows_that_are_alike_have_one_number_and_the_others_another) {
  Rng rng(7);
  for (const std::size_t width : {0u, 1u, 3u, 4u, 9u})
    for (const std::size_t rows : {0u, 1u, 511u, 512u, 513u}) {
      std::vector<Cell> cells(rows * width);
      for (auto& cell : cells)
        cell = static_cast<Cell>(rng() % 3);
      const DistinctRows found = distinct_rows(cells, rows, width);
      std::map<Instance, std::uint32_t> numbers;
      for (std::size_t i = 0; i < rows; ++i) {
        const Instance row(cells.begin() + static_cast<std::ptrdiff_t>(i * width),
                           cells.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
        const auto [known, is_new] = numbers.emplace(row, numbers.size());
        CHECK(found.number[i] == known->second);
        if (is_new)
          CHECK(found.first[known->second] == i);
      }
      CHECK(found.first.size() == numbers.size());
    }
}

TEST(rows_are_asked_about_once_each_and_each_row_knows_its_answers) {
  for_tables([](const Circuit& circuit, const Table& table, Rng& rng) {
    const auto loose = some_features(circuit, rng);
    std::vector<FeatureId> order(circuit.features());
    std::iota(order.begin(), order.end(), 0u);
    Budget budget;
    for (const unsigned threads : {1u, 3u}) {
      const std::size_t count = table.labels.size();
      const RowTable rows(circuit, table.cells, count, threads, budget, threads == 1 ? 4096 : 0);
      std::vector<Cell> witness(count * loose.size());
      const auto biased = biased_rows(circuit, table.decided(), loose, witness, 1, budget);
      const auto needed = necessary_rows(circuit, table.decided(), 1, budget);
      const auto enough = sufficient_rows(circuit, table.decided(), order, 1, budget);
      const auto found = rows.biased(loose, true, budget);
      const auto once_needed = rows.necessary(budget), once = rows.sufficient(order, budget);
      CHECK(rows.biased(loose, false, budget).biased == found.biased);
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t k = rows.distinct().number[i];
        CHECK(rows.labels()[k] == table.labels[i]);
        CHECK(bit(found.biased, k) == bit(biased, i));
        for (std::size_t f = 0; f < loose.size(); ++f)
          CHECK(found.witness[k * loose.size() + f] == witness[i * loose.size() + f]);
        for (FeatureId f = 0; f < circuit.features(); ++f) {
          const std::size_t own = f * words_for(rows.labels().size()), all = f * words_for(count);
          CHECK(bit(once_needed, k, own) == bit(needed, i, all));
          CHECK(bit(once, k, own) == bit(enough, i, all));
        }
      }
    }
  });
}

TEST(distinct_rows_are_sorted_by_what_the_circuit_tests_first) {
  for_tables([](const Circuit& circuit, const Table& table, Rng&) {
    const std::size_t count = table.labels.size();
    const DistinctRows met = distinct_rows(table.cells, count, table.width);
    DistinctRows sorted = met;
    sort_similar(sorted, circuit, table.cells);
    for (std::size_t i = 0; i < count; ++i) {
      CHECK(sorted.first[sorted.number[i]] == met.first[met.number[i]]);
    }
    const auto order =
        circuit.feature_order_from_root(); // no random circuit has more than fit a key
    const auto key = [&](std::uint32_t row) {
      Instance cells;
      for (const FeatureId f : circuit.is_ordered() ? circuit.order() : order)
        cells.push_back(table.row(row)[f]);
      return cells;
    };
    for (std::size_t k = 1; k < sorted.first.size(); ++k)
      CHECK(std::pair(key(sorted.first[k - 1]), sorted.first[k - 1]) <
            std::pair(key(sorted.first[k]), sorted.first[k]));
  });
}

TEST(rows_that_are_no_rows_of_the_circuit_are_refused) {
  const Arrays arrays = sound_arrays();
  const Circuit circuit = arrays.circuit();
  Budget budget;
  const std::vector<Cell> outside{0, 0, 0, 3}, odd{0, 0, 0};
  CHECK_THROWS(InputError, RowTable(circuit, outside, 2, 1, budget));
  CHECK_THROWS(InputError, RowTable(circuit, odd, 2, 1, budget));
  CHECK_THROWS(InputError, RowTable(circuit, {}, std::size_t{1} << 63, 1, budget));
}

TEST(a_budget_that_runs_out_stops_all_threads) {
  const Arrays arrays = sound_arrays();
  const Circuit circuit = arrays.circuit();
  Rng rng(1);
  const Table table = table_of(circuit, 100'000, rng);
  const std::vector<FeatureId> all{0, 1};
  Budget none(Budget::unlimited, Budget::unlimited, 0.0);
  CHECK_THROWS(BudgetExceeded, biased_rows(circuit, table.decided(), all, {}, 3, none));
}
