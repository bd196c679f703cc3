#include "fuzz/graph.hpp"

#include <algorithm>
#include <cstdlib>

namespace reasons::fuzz {

void require_graph(const formats::Nnf& nnf) {
  const std::size_t size = nnf.size();
  if (nnf.root >= size || nnf.literals.size() != size || nnf.first.size() != size + 1 ||
      nnf.names.size() != size || nnf.lines.size() != size || nnf.first.back() != nnf.edges.size())
    broken("the arrays of the graph do not fit together");
  for (std::uint32_t n = 0; n < size; ++n) {
    if (nnf.first[n] > nnf.first[n + 1] ||
        std::ranges::any_of(nnf.inputs(n), [&](auto input) { return input >= n; }))
      broken("a node of the graph uses one that does not stand before it");
    const auto variable = static_cast<std::uint32_t>(std::abs(nnf.literals[n]));
    if (nnf.kinds[n] == formats::NnfKind::literal && (variable == 0 || variable > nnf.variables))
      broken("a literal of no variable");
  }
}

std::vector<bool> values(const formats::Nnf& nnf, const Assignment& row) {
  std::vector<bool> value(nnf.size());
  for (std::uint32_t n = 0; n < nnf.size(); ++n) {
    const auto inputs = nnf.inputs(n);
    const auto is_true = [&](std::uint32_t input) { return bool(value[input]); };
    if (nnf.kinds[n] == formats::NnfKind::literal)
      value[n] = (row[static_cast<std::size_t>(std::abs(nnf.literals[n])) - 1] == 1) ==
                 (nnf.literals[n] > 0);
    else if (nnf.kinds[n] == formats::NnfKind::conjunction ||
             nnf.kinds[n] == formats::NnfKind::verum)
      value[n] = std::ranges::all_of(inputs, is_true);
    else
      value[n] = std::ranges::any_of(inputs, is_true);
  }
  return value;
}

} // namespace reasons::fuzz
