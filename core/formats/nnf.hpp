// nnf.hpp: a graph of literals, conjunctions and disjunctions, as files hold it.
//
// What every reader of the field's formats makes first, before anything is claimed
// about it. `decision_circuit` turns it into a circuit, or says which node is not a
// decision or shares variables.
#pragma once

#include "budget.hpp"
#include "circuit.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace reasons {

enum class NnfKind : std::uint8_t { falsum, verum, literal, conjunction, disjunction };

/// Nodes stand inputs before users; `name` and `line` say what the file calls each.
struct Nnf {
  std::uint32_t variables = 0;
  std::vector<NnfKind> kinds;
  std::vector<std::int32_t> literals; ///< of a literal node; otherwise 0
  std::vector<std::uint32_t> first{0};
  std::vector<std::uint32_t> edges;
  std::vector<std::uint64_t> names, lines;
  std::uint32_t root = 0;

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(kinds.size()); }
  [[nodiscard]] std::span<const std::uint32_t> inputs(std::uint32_t n) const {
    return std::span(edges).subspan(first[n], first[n + 1] - first[n]);
  }
};

} // namespace reasons
