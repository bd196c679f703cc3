// dimacs.hpp: reader of DIMACS CNF, with the weights and projections of model counting.
#pragma once

#include "cnf/cnf.hpp"
#include "formats/scanner.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace reasons::formats {

struct LiteralWeight {
  std::int32_t literal;
  std::string text; ///< as written: numbers of any length, which doubles would round
  std::uint64_t line;
};

struct ShownVariable {
  std::uint32_t variable;
  std::uint64_t line;
};

struct Dimacs {
  cnf::Cnf cnf; ///< clauses as they stand, with tautologies and literals that occur twice
  std::vector<Warning> warnings;
  bool is_projected = false;        ///< some `c p show` line is there, even an empty one
  std::vector<ShownVariable> shown; ///< of all `c p show` lines
  std::vector<LiteralWeight> weights;
  std::string task; ///< `mc`, `wmc`, ... of a `c t` line
};

/// Reads a DIMACS file; FormatError where it cannot be what was meant. Wrong numbers of
/// variables and clauses and a missing last 0 are warnings: published files have them, and
/// their published counts are those of the clauses that are there. Memory O(text), whatever
/// the header says.
[[nodiscard]] Dimacs read_dimacs(std::string_view text);

} // namespace reasons::formats
