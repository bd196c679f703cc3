// nnf.hpp: graphs in negation normal form (NNF), as files hold them.
//
// What every reader of the field's formats makes first, before anything is claimed
// about it. `decision_circuit` turns it into a circuit, or says which node is not a
// decision or shares variables.
#pragma once

#include "base/budget.hpp"
#include "circuit/circuit.hpp"
#include "cnf/cnf.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace reasons::formats {

enum class NnfKind : std::uint8_t { falsum, verum, literal, conjunction, disjunction };

/// Nodes stand inputs before users; `name` and `line` say what the file calls each.
struct Nnf {
  std::uint32_t variables = 0;
  std::vector<NnfKind> kinds;
  std::vector<std::int32_t> literals; ///< of a literal node; of a disjunction the variable
                                      ///< that the file says it decides; otherwise 0
  std::vector<std::uint32_t> first{0};
  std::vector<std::uint32_t> edges;
  std::vector<std::uint64_t> names, lines;
  std::uint32_t root = 0;

  /// Ends the node whose inputs were just appended to `edges`.
  std::uint32_t add(NnfKind kind, std::int32_t literal, std::uint64_t name, std::uint64_t line) {
    kinds.push_back(kind);
    literals.push_back(literal);
    first.push_back(static_cast<std::uint32_t>(edges.size()));
    names.push_back(name);
    lines.push_back(line);
    return size() - 1;
  }

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(kinds.size()); }
  [[nodiscard]] std::span<const std::uint32_t> inputs(std::uint32_t n) const {
    return std::span(edges).subspan(first[n], first[n + 1] - first[n]);
  }
};

/// The circuit of a graph each of whose disjunctions decides a variable and none of whose
/// conjunctions has inputs that share one; otherwise PropertyError with the name and line of
/// the first node that does not. Features are the variables, in order. Time O(edges log
/// variables) where scopes are shared as compilers share them.
[[nodiscard]] Circuit decision_circuit(const Nnf& nnf, Budget budget);

/// Clauses whose models are those of the graph, each with its one extension: every gate
/// below the root has a new variable, after `nnf.variables`, defined both ways (Tseitin).
/// For any graph whatever. Time O(edges).
[[nodiscard]] cnf::Cnf defining_clauses(const Nnf& nnf);

} // namespace reasons::formats
