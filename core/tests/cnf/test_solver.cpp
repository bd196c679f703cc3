// test_solver.cpp: propagation, learning and undoing, against all models.
#include "base/error.hpp"
#include "cnf/solver/solver.hpp"
#include "tests/cnf/random_cnf.hpp"
#include "tests/support/harness.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <numeric>
#include <optional>

using namespace reasons;
using namespace reasons::cnf;
using namespace reasons::testing;

namespace {

/// Clauses of two and more over different variables, as the solver wants them.
Clauses long_ones(const Cnf& cnf) {
  Clauses clauses = plain(cnf);
  std::erase_if(clauses, [](const auto& clause) { return clause.size() < 2; });
  return clauses;
}

std::vector<Var> every(Var variables) {
  std::vector<Var> all(variables);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

bool holds_in(std::uint32_t x, Lit l) {
  return ((x >> variable_of(l)) & 1) == (is_positive(l) ? 1 : 0);
}

/// A solver led through decisions as the compiler would, and the models left at each step.
class Walk {
public:
  Walk(Clauses clauses, Var variables)
      : clauses_(std::move(clauses)), solver_(variables, clauses_, budget_) {
    const Truth truth = models(clauses_, variables);
    for (std::uint32_t x = 0; x < truth.size(); ++x)
      if (truth[x])
        models_.push_back(x);
  }

  [[nodiscard]] bool start() {
    const bool possible = solver_.propagate() && solver_.satisfiable(every(solver_.variables()));
    CHECK(possible == !models_.empty());
    return possible;
  }

  /// A decision that stays if it has a model, and is undone if not.
  void descend(Rng& rng) {
    const std::vector<Var> open = open_variables();
    if (open.empty())
      return solver_.undo_to(0), decisions_.clear();
    descend(literal_of(open[rng() % open.size()], rng() % 2 == 0));
  }

  void descend(Lit l) {
    if (solver_.value(l) != 0)
      return;
    const std::vector<Var> open = open_variables();
    decisions_.push_back(l);
    solver_.decide(l);
    solver_.set_late();
    const bool possible = solver_.propagate() && solver_.satisfiable(open);
    CHECK(possible == !left().empty());
    if (possible)
      return look();
    decisions_.pop_back();
    solver_.undo_to(static_cast<std::uint32_t>(decisions_.size()));
  }

  void ascend(std::size_t to) {
    decisions_.resize(to);
    solver_.undo_to(static_cast<std::uint32_t>(to));
    CHECK(solver_.level() == to);
  }

  [[nodiscard]] std::size_t level() const { return decisions_.size(); }

  /// Every clause that the solver has by now, learned ones too, follows from the given ones.
  void look_at_clauses() {
    for (const auto c : solver_.clauses()) {
      const auto literals = solver_.literals(c);
      CHECK(std::ranges::all_of(models_, [&](std::uint32_t x) {
        return std::ranges::any_of(literals, [&](Lit l) { return holds_in(x, l); });
      }));
    }
  }

  [[nodiscard]] std::size_t learned() const { return solver_.clauses().size() - clauses_.size(); }

private:
  [[nodiscard]] std::vector<std::uint32_t> left() const {
    std::vector<std::uint32_t> result;
    std::ranges::copy_if(models_, std::back_inserter(result), [&](std::uint32_t x) {
      return std::ranges::all_of(decisions_, [&](Lit l) { return holds_in(x, l); });
    });
    return result;
  }

  [[nodiscard]] std::vector<Var> open_variables() const {
    std::vector<Var> open = every(solver_.variables());
    std::erase_if(open, [&](Var v) { return !solver_.is_open(v); });
    return open;
  }

  /// What is on the trail follows from the decisions, no given clause is left with one open
  /// literal, and the model found is one.
  void look() {
    const auto now = left();
    for (const Lit l : solver_.trail()) {
      CHECK(solver_.value(l) == 1 && solver_.value(negated(l)) == -1);
      CHECK(std::ranges::all_of(now, [&](std::uint32_t x) { return holds_in(x, l); }));
    }
    for (const auto& clause : clauses_) {
      const auto is_open = [&](Lit l) { return solver_.value(l) == 0; };
      const bool satisfied =
          std::ranges::any_of(clause, [&](Lit l) { return solver_.value(l) > 0; });
      CHECK(satisfied || std::ranges::count_if(clause, is_open) > 1);
    }
    std::uint32_t model = 0;
    for (Var v = 0; v < solver_.variables(); ++v)
      if (solver_.is_open(v) ? solver_.model(v) : solver_.value(2 * v) > 0)
        model |= 1u << v;
    CHECK(std::ranges::count(now, model) == 1);
  }

  Clauses clauses_;
  Budget budget_;
  Solver solver_;
  std::vector<std::uint32_t> models_;
  std::vector<Lit> decisions_;
};

/// Pigeons in one hole fewer: no model, and no short proof of it by resolution.
Clauses pigeons(Var holes) {
  Clauses clauses;
  const auto in = [&](Var pigeon, Var hole) { return 2 * (pigeon * holes + hole); };
  for (Var p = 0; p <= holes; ++p) {
    clauses.emplace_back();
    for (Var h = 0; h < holes; ++h)
      clauses.back().push_back(in(p, h));
  }
  for (Var h = 0; h < holes; ++h)
    for (Var p = 0; p <= holes; ++p)
      for (Var q = 0; q < p; ++q)
        clauses.push_back({negated(in(q, h)), negated(in(p, h))});
  return clauses;
}

} // namespace

TEST(what_follows_by_units_is_set_and_undone) {
  Budget budget;
  Solver solver(4, {{1, 2}, {3, 4}, {5, 6}}, budget); // a implies b, c and d in a row
  CHECK(solver.propagate() && solver.trail().empty());
  solver.decide(0);
  CHECK(solver.propagate() && solver.level() == 1);
  CHECK(std::ranges::equal(solver.trail(), std::vector<Lit>{0, 2, 4, 6}));
  CHECK(solver.value(6) == 1 && solver.value(7) == -1 && !solver.is_open(3));
  solver.undo_to(0);
  CHECK(solver.trail().empty() && solver.is_open(0) && solver.value(6) == 0);
  solver.decide(7);
  CHECK(solver.propagate() && solver.value(1) == 1);
}

TEST(a_refuted_decision_is_learned_from) {
  Budget budget;
  Solver solver(3, {{1, 2}, {1, 3, 4}, {1, 3, 5}}, budget); // a implies b, and that c and not c
  const std::size_t before = solver.clauses().size();
  solver.decide(0);
  CHECK(!solver.propagate() && solver.conflicts() == 1);
  solver.undo_to(0);
  CHECK(solver.clauses().size() >= before && solver.is_open(0));
  // What was learned holds at every level below, and is set when one is opened.
  solver.decide(4);
  solver.set_late();
  CHECK(solver.propagate() && (solver.value(1) == 1 || solver.value(3) == 1));
}

TEST(a_literal_for_good_contradicts_its_negation) {
  Budget budget;
  Solver solver(2, {{0, 2}}, budget);
  CHECK(solver.assert_literal(1) && solver.assert_literal(1) && !solver.assert_literal(0));
  CHECK(solver.propagate() && solver.value(2) == 1);
}

TEST(detached_clauses_do_not_propagate) {
  Budget budget;
  Solver solver(3, {{0, 2, 4}, {1, 2}}, budget);
  const auto places = solver.clauses();
  CHECK(places.size() == 2 && solver.is_attached(places[0]));
  solver.detach(places[0]);
  CHECK(!solver.is_attached(places[0]) && solver.is_attached(places[1]));
  solver.decide(3);
  CHECK(solver.holds() && solver.value(1) == 1 && solver.is_open(2));
  solver.undo_to(0);
  solver.attach(std::vector<Lit>{2, 4});
  solver.decide(3);
  CHECK(solver.holds() && solver.value(4) == 1);
}

TEST(walks_of_decisions_agree_with_all_models) {
  std::size_t learned = 0;
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    const auto look = static_cast<Look>(seed % looks);
    const Cnf cnf = seed % 3 == 0 ? ring_cnf(11, 3.2, 11, seed) : random_cnf(look, 11, seed);
    Walk walk(long_ones(cnf), cnf.variables);
    if (!walk.start())
      continue;
    Rng rng(seed);
    for (int step = 0; step < 60; ++step)
      if (walk.level() > 0 && rng() % 4 == 0)
        walk.ascend(rng() % walk.level());
      else
        walk.descend(rng);
    walk.look_at_clauses();
    learned += walk.learned();
  }
  CHECK(learned > 500);
}

TEST(deciding_against_what_was_learned_late_teaches_nothing_wrong) {
  // A late literal whose clause a decision has made true must not be set with that clause for
  // its reason. Found by walks like the ones above, over more seeds, and made small.
  Walk walk({{11, 17, 7}, {10, 7, 4}, {11, 6}}, 9);
  CHECK(walk.start());
  for (const Lit l : {5u, 16u, 6u, 10u, 6u})
    walk.descend(l);
  walk.look_at_clauses();
}

TEST(components_are_satisfiable_each_by_itself) {
  // Two of three variables each are equal, in both parts; the second part has no model under c.
  const Clauses one{{0, 3}, {1, 2}, {2, 5}, {3, 4}};
  const Clauses two{{12, 6, 8}, {12, 6, 9}, {12, 7, 8}, {12, 7, 9}};
  Clauses both = one;
  both.insert(both.end(), two.begin(), two.end());
  Budget budget;
  Solver solver(7, both, budget);
  solver.decide(13);
  CHECK(solver.propagate());
  CHECK(solver.satisfiable(std::vector<Var>{0, 1, 2}) && solver.level() == 1);
  CHECK(solver.model(0) == solver.model(1) && solver.model(1) == solver.model(2));
  CHECK(!solver.satisfiable(std::vector<Var>{3, 4}));
  solver.undo_to(0);
  CHECK(solver.satisfiable(every(7)) && solver.model(6));
}

TEST(pigeons_do_not_fit_and_clauses_are_forgotten_on_the_way) {
  Budget budget;
  constexpr Var holes = 7;
  const Clauses clauses = pigeons(holes);
  Solver solver(holes * (holes + 1), clauses, budget);
  CHECK(solver.propagate() && !solver.satisfiable(every(holes * (holes + 1))));
  CHECK(solver.conflicts() > 100);
  // One pigeon less fits, in holes! ways; found after much was learned and forgotten.
  Clauses fewer(clauses.begin() + 1, clauses.end());
  Solver fits(holes * (holes + 1), fewer, budget);
  CHECK(fits.propagate() && fits.satisfiable(every(holes * (holes + 1))));
  for (Var p = 1; p <= holes; ++p) {
    Var home = 0;
    for (Var h = 0; h < holes; ++h)
      home += fits.model(p * holes + h) ? 1 : 0;
    CHECK(home >= 1);
  }
}

TEST(answers_stay_right_under_the_pressure_to_forget) {
  // Pigeons need more clauses than the 4,000 that are kept at most; a part beside them, asked
  // in between, must not notice.
  Budget budget;
  constexpr Var holes = 8, pigeon_variables = holes * (holes + 1);
  const Cnf beside = ring_cnf(10, 3, 10, 4);
  Clauses clauses = pigeons(holes);
  const Lit key = 2 * pigeon_variables; // without it the pigeons need no home
  for (Var p = 0; p <= holes; ++p)
    clauses[p].push_back(key);
  for (auto clause : long_ones(beside)) {
    for (Lit& l : clause)
      l += key + 2;
    clauses.push_back(clause);
  }
  const Var variables = pigeon_variables + 1 + beside.variables;
  std::vector<Var> pigeons_only = every(pigeon_variables), rest;
  for (Var v = pigeon_variables + 1; v < variables; ++v)
    rest.push_back(v);
  Solver solver(variables, clauses, budget);
  CHECK(solver.propagate() && solver.satisfiable(every(variables)));
  for (int round = 0; round < 2; ++round) {
    solver.decide(negated(key));
    solver.set_late();
    CHECK(!(solver.propagate() && solver.satisfiable(pigeons_only)));
    solver.undo_to(0);
    for (const Lit l : {key + 2, key + 3}) {
      solver.decide(l);
      solver.set_late();
      CHECK(solver.propagate() && solver.satisfiable(rest));
      for (const auto& clause : long_ones(beside))
        CHECK(std::ranges::any_of(clause, [&](Lit k) {
          const Lit own = k + key + 2;
          return solver.value(own) > 0 ||
                 (solver.value(own) == 0 && solver.model(variable_of(own)) == is_positive(own));
        }));
      solver.undo_to(0);
    }
  }
  CHECK(solver.conflicts() > 5'000);
  CHECK(solver.clauses().size() - clauses.size() < solver.conflicts());
}

TEST(a_hard_question_stops_when_the_budget_is_spent) {
  Budget budget(Budget::unlimited, Budget::unlimited, 0.2);
  constexpr Var holes = 14;
  Solver solver(holes * (holes + 1), pigeons(holes), budget);
  CHECK(solver.propagate());
  CHECK_THROWS(BudgetExceeded, solver.satisfiable(every(holes * (holes + 1))));
}
