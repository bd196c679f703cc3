// test_cnf_reason.cpp: what clauses say of a positive decision, against every instance.
#include "reason/cnf_reason.hpp"
#include "tests/support/harness.hpp"
#include "tests/support/random_circuit.hpp"

#include <algorithm>
#include <functional>

using namespace reasons;
using namespace reasons::cnf;
using namespace reasons::reason;
using namespace reasons::testing;

namespace {

constexpr std::uint32_t variables = 5;

Cnf random_cnf(Rng& rng) {
  Cnf cnf;
  cnf.variables = variables;
  for (std::size_t clauses = rng() % 7; clauses > 0; --clauses) {
    for (std::size_t length = 1 + rng() % 4; length > 0; --length) {
      const auto variable = static_cast<std::int32_t>(1 + rng() % variables);
      cnf.literals.push_back(rng() % 2 ? variable : -variable);
    }
    cnf.end_clause();
  }
  return cnf;
}

/// By the file's clauses, tautologies and all.
bool satisfies(const Cnf& cnf, const Instance& x) {
  for (std::size_t c = 0; c < cnf.clauses(); ++c) {
    const auto clause = cnf.clause(c);
    if (std::none_of(clause.begin(), clause.end(), [&](auto v) {
          return x[static_cast<std::size_t>(std::abs(v) - 1)] == (v > 0);
        }))
      return false;
  }
  return true;
}

const std::vector<Instance>& every() {
  static const auto found = all_instances(std::vector<std::uint32_t>(variables, 2));
  return found;
}

/// Whether every instance that shares these features' values satisfies the clauses.
bool forces(const Cnf& cnf, const Instance& x, const std::vector<FeatureId>& kept) {
  return std::all_of(every().begin(), every().end(), [&](const Instance& y) {
    return satisfies(cnf, y) ||
           !std::all_of(kept.begin(), kept.end(), [&](FeatureId f) { return x[f] == y[f]; });
  });
}

void for_positive_decisions(
    const std::function<void(const Cnf&, const Clauses&, const Instance&)>& visit) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    Rng rng(seed);
    const Cnf cnf = random_cnf(rng);
    const Clauses clauses(cnf);
    for (const Instance& x : every()) {
      CHECK(decide(clauses, x) == LabelId{satisfies(cnf, x)});
      if (satisfies(cnf, x) && rng() % 4 == 0)
        visit(cnf, clauses, x);
    }
  }
}

} // namespace

TEST(the_reason_of_clauses_holds_where_what_is_shared_forces_the_label) {
  for_positive_decisions([](const Cnf& cnf, const Clauses& clauses, const Instance& x) {
    const Reason reason = complete_reason(clauses, x);
    for (const Instance& y : every()) {
      std::vector<std::uint8_t> shared;
      std::vector<FeatureId> kept;
      for (FeatureId f = 0; f < variables; ++f) {
        shared.push_back(x[f] == y[f]);
        if (x[f] == y[f])
          kept.push_back(f);
      }
      CHECK(evaluate(reason, shared) == forces(cnf, x, kept));
    }
  });
}

TEST(one_sufficient_reason_of_clauses_is_minimal_and_has_what_is_necessary) {
  for_positive_decisions([](const Cnf& cnf, const Clauses& clauses, const Instance& x) {
    const auto kept = sufficient(clauses, x, std::vector<FeatureId>{3, 1, 4, 0, 2});
    CHECK(forces(cnf, x, kept));
    for (const FeatureId dropped : kept) {
      auto fewer = kept;
      std::erase(fewer, dropped);
      CHECK(!forces(cnf, x, fewer));
    }
    const auto needed = necessary(clauses, x);
    CHECK(std::includes(kept.begin(), kept.end(), needed.begin(), needed.end()));
  });
}

TEST(the_cheapest_change_of_clauses_is_a_cheapest_minimal_clause) {
  const std::vector<double> costs{1, 2, 4, 8, 16};
  for_positive_decisions([&](const Cnf& cnf, const Clauses& clauses, const Instance& x) {
    Budget budget;
    const auto sets = minimal_clauses(clauses, x, budget);
    const auto change =
        cheapest_counterfactual(clauses, std::vector<bool>(variables, true), x, costs);
    CHECK(change.has_value() == !sets.empty());
    double least = 64;
    for (const auto& set : sets) {
      Instance changed = x;
      double cost = 0;
      for (const FeatureId f : set) {
        changed[f] ^= 1;
        cost += costs[f];
      }
      CHECK(!satisfies(cnf, changed));
      least = std::min(least, cost);
    }
    if (change)
      CHECK(change->cost == least && !satisfies(cnf, change->instance));
  });
}

TEST(rows_are_decided_in_words_as_one_by_one) {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    Rng rng(seed);
    const Clauses clauses(random_cnf(rng));
    std::vector<Cell> cells(rng() % 150 * variables);
    for (Cell& cell : cells)
      cell = static_cast<Cell>(rng() % 2);
    std::vector<LabelId> labels(cells.size() / variables);
    decide_rows(clauses, cells, labels);
    for (std::size_t row = 0; row < labels.size(); ++row)
      CHECK(labels[row] == decide(clauses, std::span(cells).subspan(row * variables, variables)));
  }
}
