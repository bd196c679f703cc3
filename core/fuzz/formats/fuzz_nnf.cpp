// fuzz_nnf.cpp: both dialects of .nnf, their circuits and their defining clauses.
#include "base/error.hpp"
#include "formats/nnf/gates.hpp"
#include "formats/nnf/reader.hpp"
#include "fuzz/graph.hpp"

#include <algorithm>

using namespace reasons;
using namespace reasons::cnf;
using namespace reasons::formats;
using namespace reasons::fuzz;

namespace {

constexpr std::uint32_t most_variables = 100'000; // the Python side has a limit of its own

/// Under the one extension of a row, which gives every gate its value, all clauses hold but,
/// where the root is false, the last.
void require_clauses(const Nnf& nnf, const Cnf& cnf, const Assignment& row) {
  const std::vector<bool> value = values(nnf, row), used = used_nodes(nnf);
  std::vector<bool> extended(row.begin(), row.end());
  for (std::uint32_t n = 0; n < nnf.size(); ++n)
    if (used[n] && nnf.kinds[n] != NnfKind::literal)
      extended.push_back(value[n]);
  if (extended.size() != cnf.variables)
    broken("the clauses have other variables than the gates");
  for (std::size_t c = 0; c < cnf.clauses(); ++c) {
    const bool holds = std::ranges::any_of(cnf.clause(c), [&](std::int32_t literal) {
      return extended[static_cast<std::size_t>(std::abs(literal)) - 1] == (literal > 0);
    });
    if (holds != (c + 1 < cnf.clauses() || value[nnf.root]))
      broken("a clause and the graph disagree");
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  return attempt(text, [&] {
    const Nnf nnf = read_nnf(text).nnf;
    require_graph(nnf);
    const Cnf cnf = defining_clauses(nnf);
    if (nnf.variables > most_variables)
      return;
    const auto rows = assignments(nnf.variables, text);
    require_clauses(nnf, cnf, rows.front());
    require_circuit(decision_circuit(nnf, small_budget()), rows,
                    [&](const Assignment& row) { return LabelId{values(nnf, row)[nnf.root]}; });
  });
}
