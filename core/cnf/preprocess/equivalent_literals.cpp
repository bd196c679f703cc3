// equivalent_literals.cpp: equivalent literals: strongly connected components of binary clauses.
//
// Strongly connected components of the implications (Tarjan), with a stack of its own.
#include "cnf/preprocess/preprocess.hpp"

#include <algorithm>

namespace reasons::cnf {
namespace {

constexpr std::uint32_t unseen = 0xFFFFFFFF;

class Classes {
public:
  Classes(const std::vector<Clause>& clauses, Var variables)
      : implied_(2 * std::size_t{variables}), number_(implied_.size(), unseen),
        low_(implied_.size(), 0), of_(implied_.size(), no_literal) {
    for (const Clause& clause : clauses)
      if (clause.size() == 2) {
        implied_[negated(clause[0])].push_back(clause[1]);
        implied_[negated(clause[1])].push_back(clause[0]);
      }
    for (Lit l = 0; l < implied_.size(); ++l)
      if (number_[l] == unseen)
        visit(l);
  }

  /// The least literal that is equivalent to this one.
  [[nodiscard]] Lit of(Lit l) const { return of_[l]; }

private:
  void visit(Lit start) {
    std::vector<std::pair<Lit, std::size_t>> path{{start, 0}};
    open(start);
    while (!path.empty()) {
      const Lit l = path.back().first;
      if (path.back().second < implied_[l].size()) {
        const Lit next = implied_[l][path.back().second++];
        if (number_[next] == unseen) {
          open(next);
          path.emplace_back(next, 0);
        } else if (of_[next] == no_literal) {
          low_[l] = std::min(low_[l], number_[next]);
        }
        continue;
      }
      path.pop_back();
      if (!path.empty())
        low_[path.back().first] = std::min(low_[path.back().first], low_[l]);
      if (low_[l] == number_[l])
        close(l);
    }
  }

  void open(Lit l) {
    number_[l] = low_[l] = next_++;
    stack_.push_back(l);
  }

  void close(Lit l) {
    const auto begin = std::find(stack_.rbegin(), stack_.rend(), l).base() - 1;
    const Lit least = *std::min_element(begin, stack_.end());
    for (auto it = begin; it != stack_.end(); ++it)
      of_[*it] = least;
    stack_.erase(begin, stack_.end());
  }

  std::vector<std::vector<Lit>> implied_;
  std::vector<std::uint32_t> number_, low_;
  std::vector<Lit> of_, stack_;
  std::uint32_t next_ = 0;
};

/// The clause with each literal replaced; empty if that makes it true.
Clause replaced(const Clause& clause, const Classes& classes) {
  Clause result;
  for (const Lit l : clause)
    result.push_back(classes.of(l));
  std::ranges::sort(result);
  result.erase(std::ranges::unique(result).begin(), result.end());
  for (std::size_t i = 1; i < result.size(); ++i)
    if (result[i] == negated(result[i - 1]))
      return {};
  return result;
}

} // namespace

bool merge_equivalent(std::vector<Clause>& clauses, Var variables) {
  const Classes classes(clauses, variables);
  std::vector<Clause> result;
  for (Var v = 0; v < variables; ++v) {
    const Lit l = 2 * v, least = classes.of(l);
    if (least == classes.of(negated(l)))
      return false;
    // The classes of l and of its negation mirror each other, so this ties the negation too.
    if (variable_of(least) != v) {
      result.push_back({least, negated(l)});
      result.push_back({negated(least), l});
    }
  }
  for (const Clause& clause : clauses)
    if (Clause made = replaced(clause, classes); !made.empty())
      result.push_back(std::move(made));
  for (Clause& clause : result)
    std::ranges::sort(clause);
  std::ranges::sort(result);
  result.erase(std::ranges::unique(result).begin(), result.end());
  clauses = std::move(result);
  return true;
}

} // namespace reasons::cnf
