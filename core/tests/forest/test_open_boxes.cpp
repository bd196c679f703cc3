// test_open_boxes.cpp: threads find what one thread finds first, depth first.
#include "base/error.hpp"
#include "forest/search/open_boxes.hpp"
#include "forest/search/planted/open_boxes.hpp"
#include "tests/forest/leaf_tables.hpp"
#include "tests/forest/random_forest.hpp"
#include "tests/support/harness.hpp"

#include <chrono>
#include <stdexcept>
#include <thread>

using namespace reasons;
using namespace reasons::forest;
using namespace reasons::testing;

namespace {

using Found = std::optional<std::vector<Cell>>;

constexpr unsigned thread_counts[] = {1, 2, 4};

/// An ensemble whose boxes are split down to single instances, some of which are looked for.
class Wanted {
public:
  explicit Wanted(std::uint32_t seed, unsigned one_of)
      : ensemble_(random_forest(
            {.domains = {3, 3, 3, 3}, .trees = 6, .depth = 4, .rule = Rule::cut}, seed)),
        seed_(seed), one_of_(one_of) {}

  [[nodiscard]] Relaxation root() const {
    Budget budget;
    const auto box = whole_box(ensemble_.forest().domains);
    const auto mapping = identity_mapping(ensemble_);
    return {lead_of(ensemble_, 0, 1, mapping, box, budget).table, std::vector<Cell>(4, 0)};
  }

  /// What is found in a box that no tree tells apart.
  [[nodiscard]] Found in(const Relaxation& box) const {
    if (box.features() > 0)
      return std::nullopt;
    std::vector<Cell> cells = box.cells({});
    std::size_t mixed = seed_;
    for (const Cell cell : cells)
      mixed = (mixed ^ cell) * 0x9E3779B97F4A7C15;
    if ((mixed >> 40) % one_of_ != 0)
      return std::nullopt;
    return cells;
  }

  /// Depth first, one box after another.
  [[nodiscard]] Found first() const {
    std::vector<Relaxation> open{root()};
    while (!open.empty()) {
      Relaxation at = std::move(open.back());
      open.pop_back();
      if (auto found = in(at))
        return found;
      if (at.features() > 0)
        split_in_two(at, open);
    }
    return std::nullopt;
  }

  template <class Visited> Visited visit(Relaxation& at) const {
    if (at.features() == 0) // later boxes are done before earlier ones
      std::this_thread::sleep_for(std::chrono::microseconds(at.cells({})[0] == 0 ? 200 : 10));
    Visited visited;
    visited.found = in(at);
    if (!visited.found && at.features() > 0)
      split_in_two(at, visited.parts);
    return visited;
  }

private:
  Ensemble ensemble_;
  std::uint32_t seed_;
  unsigned one_of_;
};

Budget with_threads(unsigned threads) {
  Budget budget;
  budget.threads(threads);
  return budget;
}

} // namespace

TEST(threads_find_the_first_in_order) {
  std::size_t some = 0, none = 0;
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const Wanted wanted(seed, seed % 3 == 0 ? 1000 : 20);
    const Found first = wanted.first();
    ++(first ? some : none);
    for (const unsigned threads : thread_counts) {
      Budget budget = with_threads(threads);
      const Found found = first_found(
          wanted.root(),
          [&](Relaxation& at, std::uint32_t, BudgetTicker&) {
            return wanted.visit<VisitedBox>(at);
          },
          budget);
      CHECK(found == first);
    }
  }
  CHECK(some > 10 && none > 10);
}

TEST(the_order_of_what_is_found_is_checked) {
  std::size_t wrong = 0;
  for (std::uint32_t seed = 1; seed < 30; ++seed) {
    const Wanted wanted(seed, 4);
    Budget budget = with_threads(2);
    wrong += planted::first_found(
                 wanted.root(),
                 [&](Relaxation& at, std::uint32_t, BudgetTicker&) {
                   return wanted.visit<planted::VisitedBox>(at);
                 },
                 budget) != wanted.first();
  }
  CHECK(wrong > 0);
}

TEST(what_a_visit_throws_is_thrown_on) {
  for (const unsigned threads : thread_counts) {
    const Wanted wanted(7, 1000000);
    Budget budget = with_threads(threads);
    std::atomic<int> visits = 0;
    CHECK_THROWS(std::runtime_error, first_found(
                                         wanted.root(),
                                         [&](Relaxation& at, std::uint32_t, BudgetTicker&) {
                                           if (++visits == 40)
                                             throw std::runtime_error("no");
                                           return wanted.visit<VisitedBox>(at);
                                         },
                                         budget));
  }
}

TEST(a_search_ends_with_its_budget_on_every_number_of_threads) {
  for (const unsigned threads : thread_counts) {
    const Wanted wanted(7, 1000000);
    Budget budget(Budget::unlimited, Budget::unlimited, 0.05);
    budget.threads(threads);
    CHECK_THROWS(BudgetExceeded, first_found(
                                     wanted.root(),
                                     [&](Relaxation& at, std::uint32_t, BudgetTicker& ticker) {
                                       ticker.add(1 << 20);
                                       std::this_thread::sleep_for(std::chrono::milliseconds(2));
                                       return wanted.visit<VisitedBox>(at);
                                     },
                                     budget));
  }
}
