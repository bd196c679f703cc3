#include "cnf/preprocess/preprocess.hpp"

#include "cnf/solver/solver.hpp"

#include <algorithm>

namespace reasons::cnf {
namespace {

constexpr int most_rounds = 3;
constexpr std::uint64_t most_propagated = 4'000'000; // literals, for all probes of a round

bool is_tautology(const Clause& sorted) {
  for (std::size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i] == negated(sorted[i - 1]))
      return true;
  return false;
}

class Simplifier {
public:
  Simplifier(const Cnf& cnf, Budget& budget) : variables_(cnf.variables), budget_(budget) {
    for (std::size_t c = 0; c < cnf.clauses(); ++c) {
      Clause clause;
      for (const std::int32_t l : cnf.clause(c))
        clause.push_back(from_dimacs(l));
      std::ranges::sort(clause);
      clause.erase(std::ranges::unique(clause).begin(), clause.end());
      if (!is_tautology(clause))
        clauses_.push_back(std::move(clause));
    }
    std::ranges::sort(clauses_);
    clauses_.erase(std::ranges::unique(clauses_).begin(), clauses_.end());
  }

  [[nodiscard]] PreprocessedCnf run() {
    bool possible = true;
    for (int round = 0; possible && round < most_rounds; ++round) {
      const auto before = size();
      possible = probe() && merge_equivalent(clauses_, variables_);
      subsume(clauses_, variables_, budget_);
      possible = possible && thin();
      if (size() == before)
        break;
    }
    result_.contradictory = !possible;
    if (!possible)
      clauses_.clear();
    result_.clauses = std::move(clauses_);
    return std::move(result_);
  }

private:
  [[nodiscard]] std::size_t size() const {
    std::size_t result = result_.units.size();
    for (const Clause& c : clauses_)
      result += c.size();
    return result;
  }

  /// A solver with the clauses of two or more, and the shorter ones set; false if they clash.
  [[nodiscard]] bool start(Solver& solver) {
    for (const Clause& clause : clauses_)
      if (clause.empty() || (clause.size() == 1 && !solver.assert_literal(clause[0])))
        return false;
    return solver.propagate();
  }

  [[nodiscard]] std::vector<Clause> longer() const {
    std::vector<Clause> result;
    std::ranges::copy_if(clauses_, std::back_inserter(result),
                         [](const Clause& c) { return c.size() > 1; });
    return result;
  }

  /// Takes over what the solver has set: satisfied clauses and false literals go.
  void apply(const Solver& solver) {
    for (const Lit l : solver.trail())
      result_.units.push_back(l);
    std::erase_if(clauses_, [&](Clause& clause) {
      if (std::ranges::any_of(clause, [&](Lit l) { return solver.value(l) > 0; }))
        return true;
      std::erase_if(clause, [&](Lit l) { return solver.value(l) < 0; });
      return false;
    });
  }

  /// Literals whose assumption fails are set the other way.
  [[nodiscard]] bool probe() {
    Solver solver(variables_, longer(), budget_);
    if (!start(solver))
      return false;
    std::uint64_t propagated = 0;
    for (Lit l = 0; l < 2 * variables_ && propagated < most_propagated; ++l) {
      if (solver.value(l) != 0)
        continue;
      const std::size_t before = solver.trail().size();
      solver.decide(l);
      const bool holds = solver.propagate();
      propagated += solver.trail().size() - before;
      solver.undo_to(0);
      if (!holds && (!solver.assert_literal(negated(l)) || !solver.propagate()))
        return false;
    }
    apply(solver);
    return true;
  }

  /// Drops clauses that follow from the others by propagation, longest first, and literals
  /// likewise. Nothing is learned meanwhile: a learned clause could stand in for the very
  /// clause it came from.
  [[nodiscard]] bool thin() {
    std::ranges::stable_sort(clauses_, std::ranges::greater{}, &Clause::size);
    Solver solver(variables_, longer(), budget_);
    if (!start(solver))
      return false;
    apply(solver);
    const std::vector<Solver::ClauseRef> places = solver.clauses();
    std::uint64_t propagated = 0;
    for (std::size_t c = 0; c < places.size() && propagated < most_propagated; ++c) {
      const auto literals = solver.literals(places[c]);
      const Clause clause(literals.begin(), literals.end());
      if (!reduce(solver, places[c], clause, propagated))
        return false;
    }
    collect(solver);
    return true;
  }

  /// Leaves of one clause what the others do not make superfluous; false on a contradiction.
  [[nodiscard]] bool reduce(Solver& solver, Solver::ClauseRef place, const Clause& clause,
                            std::uint64_t& propagated) {
    if (std::ranges::any_of(clause, [&](Lit l) { return solver.value(l) > 0; }))
      return true;
    solver.detach(place);
    Clause needed;
    const std::size_t before = solver.trail().size();
    bool follows = false;
    for (std::size_t i = 0; i < clause.size() && !follows; ++i) {
      const Lit l = clause[i];
      if (solver.value(l) != 0) {
        follows = solver.value(l) > 0;
        continue;
      }
      needed.push_back(l);
      solver.decide(negated(l));
      follows = !solver.holds();
    }
    propagated += solver.trail().size() - before;
    solver.undo_to(0);
    if (follows)
      result_.redundant.push_back(clause);
    else if (needed.size() > 1)
      solver.attach(needed);
    else
      return !needed.empty() && solver.assert_literal(needed[0]) && solver.holds();
    return true;
  }

  /// The clauses that the solver is left with, as far as nothing satisfies them.
  void collect(Solver& solver) {
    clauses_.clear();
    for (const Solver::ClauseRef c : solver.clauses()) {
      const auto literals = solver.literals(c);
      if (solver.is_attached(c))
        clauses_.emplace_back(literals.begin(), literals.end());
    }
    apply(solver);
    std::ranges::sort(result_.units);
    result_.units.erase(std::ranges::unique(result_.units).begin(), result_.units.end());
    for (Clause& clause : clauses_)
      std::ranges::sort(clause);
    std::ranges::sort(clauses_);
  }

  Var variables_;
  Budget& budget_;
  std::vector<Clause> clauses_;
  PreprocessedCnf result_;
};

} // namespace

PreprocessedCnf preprocess(const Cnf& cnf, Budget& budget) {
  return Simplifier(cnf, budget).run();
}

} // namespace reasons::cnf
