// solver.hpp: conflict-driven clause learning (CDCL) below a fixed trail of decisions.
//
// The compiler holds a trail of decisions; under it, `satisfiable` asks whether the
// variables of one component can be completed. A conflict is learned from as in any
// modern solver, but no jump ever goes below the compiler's own level: the learned
// literal is then set at that level, which is later than it could be and still sound.
#pragma once

#include "base/budget.hpp"
#include "cnf/literal.hpp"
#include "cnf/solver/heap.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace reasons::cnf {

class Solver {
public:
  using ClauseRef = std::uint32_t;
  static constexpr ClauseRef no_clause = 0xFFFFFFFF;
  static constexpr std::uint32_t header = 2; // words of a clause before its literals

  /// Clauses of two or more different literals over different variables.
  Solver(Var variables, const std::vector<std::vector<Lit>>& clauses, Budget& budget);

  [[nodiscard]] Var variables() const { return static_cast<Var>(level_.size()); }
  [[nodiscard]] int value(Lit l) const { return value_[l]; } ///< 1 true, -1 false, 0 open
  [[nodiscard]] bool is_open(Var v) const { return value_[2 * v] == 0; }
  [[nodiscard]] std::span<const Lit> trail() const { return trail_; }
  [[nodiscard]] std::uint32_t level() const { return static_cast<std::uint32_t>(starts_.size()); }

  /// Opens a level with a decision; `propagate` follows.
  void decide(Lit l);
  /// Everything that follows by unit propagation; false on a conflict, which is learned from.
  [[nodiscard]] bool propagate();
  /// Sets what was learned to follow from the levels below and was undone since.
  void set_late();
  /// Whether the open ones of these variables can be given values that satisfy all clauses
  /// over them. Leaves the trail at this level (longer, if something was learned), and the
  /// values in `model`. False also means that this level is in conflict.
  [[nodiscard]] bool satisfiable(std::span<const Var> variables);
  void undo_to(std::uint32_t level);

  [[nodiscard]] bool model(Var v) const { return model_[v] != 0; }
  /// All values of `model`, to go back to later.
  [[nodiscard]] const std::vector<std::uint8_t>& models() const { return model_; }
  void restore(const std::vector<std::uint8_t>& models) { model_ = models; }
  [[nodiscard]] double activity(Var v) const { return activity_[v] / increment_; }
  [[nodiscard]] std::uint64_t conflicts() const { return conflicts_; }

  /// Whether unit propagation finds no conflict; nothing is learned from one.
  [[nodiscard]] bool holds() { return conflict() == no_clause; }
  /// The places of all clauses, detached ones too.
  [[nodiscard]] std::vector<ClauseRef> clauses() const;
  [[nodiscard]] std::span<const Lit> literals(ClauseRef c) const {
    return std::span(arena_).subspan(c + header, arena_[c]);
  }
  [[nodiscard]] bool is_attached(ClauseRef c) const { return arena_[c + 1] != detached; }
  /// Takes a clause out of propagation. Only at level 0.
  void detach(ClauseRef c);
  /// Adds a clause of two or more open literals, never to be forgotten. Only at level 0.
  void attach(std::span<const Lit> clause) { (void)add(clause, 0); }

  /// Sets a literal for good; false if that contradicts. Only at level 0.
  [[nodiscard]] bool assert_literal(Lit l);

private:
  struct Watch {
    ClauseRef clause;
    Lit blocker;
  };

  /// A literal that was learned to follow at a lower level than it was set at.
  struct LateUnit {
    Lit literal;
    ClauseRef clause;
    std::uint32_t level;
  };

  static constexpr std::uint32_t detached = 0xFFFFFFFF; // in place of a clause's glue

  [[nodiscard]] std::uint32_t level_of(Lit l) const { return level_[variable_of(l)]; }
  [[nodiscard]] ClauseRef add(std::span<const Lit> clause, std::uint32_t glue);
  void set(Lit l, ClauseRef reason, std::uint32_t level);
  [[nodiscard]] ClauseRef conflict();
  /// Learns from a conflict above `floor`, undoes and sets the learned literal; false if
  /// the conflict needs nothing above `floor`.
  [[nodiscard]] bool learn(ClauseRef conflict, std::uint32_t floor);
  void analyze(ClauseRef conflict, std::uint32_t at);
  [[nodiscard]] bool is_implied(Lit l) const;
  [[nodiscard]] std::uint32_t glue_of(std::span<const Lit> clause);
  void bump(Var v);
  using Moves = std::vector<std::pair<ClauseRef, ClauseRef>>;
  void reduce_db();
  [[nodiscard]] std::vector<ClauseRef> superfluous() const;
  [[nodiscard]] Moves close_gaps(const std::vector<ClauseRef>& dropped);
  template <class Place> void renumber(const Place& place);
  void choose_by_activity(std::span<const Var> variables);
  [[nodiscard]] Lit next_decision(std::span<const Var> variables, std::size_t& scanned);

  Budget& budget_;
  std::vector<std::uint32_t> arena_; // size, glue (0: given), literals
  std::vector<std::vector<Watch>> watches_;
  std::vector<std::int8_t> value_; // by literal
  std::vector<std::uint32_t> level_;
  std::vector<ClauseRef> reason_;
  std::vector<Lit> trail_;
  std::vector<std::uint32_t> starts_;
  std::size_t propagated_ = 0;

  std::vector<ClauseRef> learned_clauses_;
  std::vector<Lit> learned_;
  std::vector<std::uint8_t> seen_;
  std::vector<Var> to_clear_;
  std::vector<std::uint64_t> level_stamp_;
  std::uint64_t stamp_ = 0;
  std::uint64_t conflicts_ = 0, most_learned_ = 4000;

  std::vector<double> activity_;
  double increment_ = 1;
  std::vector<std::uint8_t> phase_, model_;
  std::vector<std::uint64_t> scope_stamp_;
  std::uint64_t scope_ = 0;
  Heap heap_;
  bool by_activity_ = false;
  std::vector<LateUnit> late_;
};

} // namespace reasons::cnf
