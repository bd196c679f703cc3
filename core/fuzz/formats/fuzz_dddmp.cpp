// fuzz_dddmp.cpp: every root of a diagram, followed edge by edge.
#include "base/error.hpp"
#include "formats/dddmp/dddmp.hpp"
#include "fuzz/target.hpp"

#include <algorithm>
#include <cstdlib>

using namespace reasons;
using namespace reasons::formats;
using namespace reasons::fuzz;

namespace {

constexpr std::size_t most_roots = 4;

LabelId followed(const Dddmp& diagram, std::int32_t edge, const Assignment& row) {
  std::uint32_t flipped = 0;
  for (;;) {
    flipped ^= edge < 0 ? 1u : 0u;
    const auto n = static_cast<std::size_t>(std::abs(edge)) - 1;
    if (diagram.high[n] == 0)
      return diagram.tests[n] ^ flipped;
    const FeatureId feature = diagram.feature_of[diagram.tests[n]];
    edge = row[feature] == 1 ? diagram.high[n] : diagram.low[n];
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  return attempt(text, [&] {
    Budget budget = small_budget();
    const Dddmp diagram = read_dddmp(text, budget);
    if (!diagram.root_names.empty() && diagram.root_names.size() != diagram.roots.size())
      broken("roots and their names differ in number");
    const auto rows = assignments(diagram.features.size(), text);
    for (std::size_t i = 0; i < std::min(diagram.roots.size(), most_roots); ++i)
      if (const std::int32_t root = diagram.roots[i]; root != 0)
        require_circuit(dddmp_circuit(diagram, root, small_budget()), rows,
                        [&](const Assignment& row) { return followed(diagram, root, row); });
  });
}
