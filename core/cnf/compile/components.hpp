// components.hpp: connected components of the residual formula under a partial assignment.
//
// A component is a run of open variables and a run of clauses of three or more
// literals that are not satisfied, both in ascending order, on two stacks that grow
// and shrink with the search. Clauses of two literals need no list: they are active
// exactly when both of their variables are open.
#pragma once

#include "cnf/literal.hpp"
#include "cnf/solver/solver.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace reasons::cnf {

struct Component {
  std::uint32_t first_variable, end_variable, first_clause, end_clause;
};

class Components {
public:
  Components(Var variables, const std::vector<std::vector<Lit>>& clauses);

  [[nodiscard]] std::span<const Var> variables(const Component& c) const {
    return std::span(variables_).subspan(c.first_variable, c.end_variable - c.first_variable);
  }
  [[nodiscard]] std::span<const std::uint32_t> clauses(const Component& c) const {
    return std::span(clauses_).subspan(c.first_clause, c.end_clause - c.first_clause);
  }
  [[nodiscard]] std::span<const Lit> literals(std::uint32_t clause) const {
    return std::span(literals_).subspan(first_[clause], first_[clause + 1] - first_[clause]);
  }
  /// The other literals of the clauses of two that have this one.
  [[nodiscard]] std::span<const Lit> partners(Lit l) const {
    return std::span(partners_).subspan(first_partner_[l],
                                        first_partner_[l + 1] - first_partner_[l]);
  }

  /// All variables and clauses, as the first component.
  [[nodiscard]] Component whole() const;
  /// Puts the components of what is still open of `parent` on the stacks and in `found`.
  /// Variables that are in no clause any more are in none. Time O(size of `parent`).
  void split(const Component& parent, const Solver& solver, std::vector<Component>& found);
  struct Mark {
    std::size_t variables, clauses;
  };
  [[nodiscard]] Mark mark() const { return {variables_.size(), clauses_.size()}; }
  [[nodiscard]] std::uint64_t bytes() const {
    return sizeof(Var) * (variables_.capacity() + clauses_.capacity());
  }
  /// Takes from the stacks everything put there after the mark.
  void shrink_to(const Mark& mark);

private:
  void join(Var a, Var b);
  [[nodiscard]] Var root(Var v);
  void join_clauses(const Component& parent, const Solver& solver);
  void join_partners(const Component& parent, const Solver& solver);

  std::vector<Lit> literals_;
  std::vector<std::uint32_t> first_{0};
  std::vector<Lit> partners_;
  std::vector<std::uint32_t> first_partner_;
  std::vector<Var> variables_;
  std::vector<std::uint32_t> clauses_;

  std::vector<Var> parent_;
  std::vector<std::uint32_t> size_, index_;
  std::vector<std::pair<std::uint32_t, Var>> active_; // a clause, one of its open variables
};

} // namespace reasons::cnf
