// subsumption.cpp: subsumption and self-subsuming resolution.
#include "cnf/preprocess/preprocess.hpp"

#include <algorithm>

namespace reasons::cnf {
namespace {

constexpr std::uint64_t most_work = 20'000'000;

std::uint64_t signature(const Clause& clause) {
  std::uint64_t result = 0;
  for (const Lit l : clause)
    result |= 1ull << (variable_of(l) * 0x9E3779B1u >> 26);
  return result;
}

class Subsumption {
public:
  Subsumption(std::vector<Clause>& clauses, Var variables, Budget& budget)
      : clauses_(clauses), budget_(budget), occurrences_(variables),
        mark_(2 * std::size_t{variables}) {
    for (std::uint32_t c = 0; c < clauses_.size(); ++c) {
      signatures_.push_back(signature(clauses_[c]));
      for (const Lit l : clauses_[c])
        occurrences_[variable_of(l)].push_back(c);
    }
  }

  void run() {
    std::vector<std::uint32_t> order(clauses_.size());
    for (std::uint32_t c = 0; c < order.size(); ++c)
      order[c] = c;
    std::ranges::stable_sort(order, {}, [&](std::uint32_t c) { return clauses_[c].size(); });
    for (const std::uint32_t c : order)
      if (!clauses_[c].empty() && work_ < most_work)
        use(c);
    std::erase_if(clauses_, [](const Clause& c) { return c.empty(); });
  }

private:
  /// Compares one clause with all that have its rarest variable.
  void use(std::uint32_t c) {
    const Clause& clause = clauses_[c];
    const auto rarest = *std::ranges::min_element(
        clause, {}, [&](Lit l) { return occurrences_[variable_of(l)].size(); });
    for (const std::uint32_t other : occurrences_[variable_of(rarest)]) {
      budget_.tick();
      ++work_;
      if (other != c && clauses_[other].size() >= clause.size() &&
          (signatures_[c] & ~signatures_[other]) == 0)
        compare(c, other);
    }
  }

  /// Empties `other` if `c` is in it; drops the one literal that stands negated in it.
  void compare(std::uint32_t c, std::uint32_t other) {
    for (const Lit l : clauses_[other])
      mark_[l] = 1;
    Lit flipped = no_literal;
    bool inside = true;
    for (const Lit l : clauses_[c]) {
      if (mark_[l])
        continue;
      inside = inside && flipped == no_literal && mark_[negated(l)];
      flipped = negated(l);
    }
    for (const Lit l : clauses_[other])
      mark_[l] = 0;
    work_ += clauses_[other].size();
    if (!inside)
      return;
    if (flipped == no_literal) {
      clauses_[other].clear();
    } else if (clauses_[other].size() > 2) { // shorter ones are for the solver
      std::erase(clauses_[other], flipped);
      signatures_[other] = signature(clauses_[other]);
    }
  }

  std::vector<Clause>& clauses_;
  Budget& budget_;
  std::vector<std::vector<std::uint32_t>> occurrences_;
  std::vector<std::uint64_t> signatures_;
  std::vector<std::uint8_t> mark_;
  std::uint64_t work_ = 0;
};

} // namespace

void subsume(std::vector<Clause>& clauses, Var variables, Budget& budget) {
  Subsumption(clauses, variables, budget).run();
}

} // namespace reasons::cnf
