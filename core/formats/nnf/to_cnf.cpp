// to_cnf.cpp: Tseitin transformation of a graph in NNF.
#include "base/error.hpp"
#include "formats/nnf/gates.hpp"

#include <limits>

namespace reasons::formats {
namespace {

void add(cnf::Cnf& cnf, std::initializer_list<std::int32_t> literals) {
  cnf.literals.insert(cnf.literals.end(), literals);
  cnf.end_clause();
}

/// gate = AND of the inputs, where every sign is turned for OR. Without inputs: a constant.
void define(cnf::Cnf& cnf, std::int32_t gate, const Nnf& nnf, std::uint32_t n,
            const std::vector<std::int32_t>& literal_of, std::int32_t sign) {
  for (const auto input : nnf.inputs(n))
    add(cnf, {-sign * gate, sign * literal_of[input]});
  for (const auto input : nnf.inputs(n))
    cnf.literals.push_back(-sign * literal_of[input]);
  cnf.literals.push_back(sign * gate);
  cnf.end_clause();
}

} // namespace

cnf::Cnf defining_clauses(const Nnf& nnf) {
  const std::vector<bool> used = used_nodes(nnf);
  std::vector<std::int32_t> literal_of(nnf.size(), 0);
  cnf::Cnf cnf;
  cnf.variables = nnf.variables;
  for (std::uint32_t n = 0; n <= nnf.root; ++n) {
    if (!used[n])
      continue;
    if (nnf.kinds[n] == NnfKind::literal) {
      literal_of[n] = nnf.literals[n];
      continue;
    }
    if (cnf.variables >= std::numeric_limits<std::int32_t>::max())
      throw InputError("the graph has more gates than clauses can name");
    literal_of[n] = static_cast<std::int32_t>(++cnf.variables);
    const bool all = nnf.kinds[n] == NnfKind::conjunction || nnf.kinds[n] == NnfKind::verum;
    define(cnf, literal_of[n], nnf, n, literal_of, all ? 1 : -1);
  }
  add(cnf, {literal_of[nnf.root]});
  return cnf;
}

} // namespace reasons::formats
