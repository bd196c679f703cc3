// literal.hpp: variables and literals as numbers.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace reasons::cnf {

using Var = std::uint32_t;
using Lit = std::uint32_t; // twice the variable, plus one if negated

inline constexpr Lit no_literal = 0xFFFFFFFF;

[[nodiscard]] constexpr Lit literal_of(Var v, bool value) {
  return 2 * v + (value ? 0 : 1);
}
[[nodiscard]] constexpr Var variable_of(Lit l) {
  return l >> 1;
}
[[nodiscard]] constexpr bool is_positive(Lit l) {
  return (l & 1) == 0;
}
[[nodiscard]] constexpr Lit negated(Lit l) {
  return l ^ 1;
}
[[nodiscard]] inline Lit from_dimacs(std::int32_t l) {
  return literal_of(static_cast<Var>(std::abs(l)) - 1, l > 0);
}

} // namespace reasons::cnf
