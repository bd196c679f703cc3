// cnf.hpp: formulas in conjunctive normal form: clauses in one array.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace reasons::cnf {

/// Variables are 1 to `variables`; a literal is a variable or its negative, as in DIMACS.
struct Cnf {
  std::uint32_t variables = 0;
  std::vector<std::int32_t> literals;
  std::vector<std::uint64_t> first{0}; ///< first literal of each clause, and the end

  [[nodiscard]] std::size_t clauses() const { return first.size() - 1; }
  [[nodiscard]] std::span<const std::int32_t> clause(std::size_t c) const {
    return std::span(literals).subspan(first[c], first[c + 1] - first[c]);
  }
  void end_clause() { first.push_back(literals.size()); }
};

} // namespace reasons::cnf
