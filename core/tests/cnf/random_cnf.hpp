// random_cnf.hpp: random CNFs of many shapes, and what they mean by looking at every assignment.
#pragma once

#include "circuit/circuit.hpp"
#include "cnf/cnf.hpp"
#include "cnf/literal.hpp"
#include "tests/support/random_circuit.hpp"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace reasons::testing {

/// Which of the 2^variables assignments are models; variable v is bit v of the index.
using Truth = std::vector<bool>;
using Clauses = std::vector<std::vector<cnf::Lit>>;

[[nodiscard]] cnf::Cnf make_cnf(std::uint32_t variables,
                                std::initializer_list<std::initializer_list<std::int32_t>> clauses);
void add_clause(cnf::Cnf& cnf, const std::vector<std::int32_t>& clause);

/// What a random CNF looks like; each is made of clauses that follow its name.
enum class Look {
  uniform,      ///< three literals, near the threshold
  loose,        ///< two to four literals, below it
  parities,     ///< exclusive ors of two to four, all their clauses
  chains,       ///< implications, many of them both ways
  at_most_one,  ///< groups of which at most or exactly one holds
  long_clauses, ///< half of the variables each
  parts,        ///< groups that share no variable, and variables in no clause
  doubled,      ///< literals that occur twice, tautologies, clauses that occur twice
  units,        ///< many of one literal
  contradictory,
  mixed, ///< clauses of all of these
};
inline constexpr int looks = 11;

/// The same for the same look and seed. Up to `most` variables, sometimes none, and
/// sometimes no clauses or an empty one.
[[nodiscard]] cnf::Cnf random_cnf(Look look, std::uint32_t most, std::uint32_t seed);

/// Random clauses of three over neighbours within `reach` in a ring.
[[nodiscard]] cnf::Cnf ring_cnf(std::uint32_t variables, double clauses_each, std::uint32_t reach,
                                std::uint32_t seed);

[[nodiscard]] Truth models(const cnf::Cnf& cnf);
[[nodiscard]] Truth models(const Clauses& clauses, cnf::Var variables);
/// By label_of: recursion from the root.
[[nodiscard]] Truth models(const Circuit& circuit);

/// Clauses as the compiler has them after reading: sorted, no literal twice, no tautology.
[[nodiscard]] Clauses plain(const cnf::Cnf& cnf);

/// As DIMACS, to replay what failed.
[[nodiscard]] std::string text_of(const cnf::Cnf& cnf);
[[nodiscard]] bool is_sound(const Circuit& circuit);
/// The share of models, modulo 2^61 - 1.
[[nodiscard]] std::uint64_t share_of_models(const Circuit& circuit);

} // namespace reasons::testing
