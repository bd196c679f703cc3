// planted.cpp: a reader with bugs, to show that the driver finds them. REASONS_PLANTED says
// which: overrun, wrong, slow, memory, exception or line.
#include "base/error.hpp"
#include "formats/nnf/reader.hpp"
#include "fuzz/graph.hpp"

#include <cstdlib>
#include <stdexcept>

using namespace reasons;
using namespace reasons::formats;
using namespace reasons::fuzz;

namespace {

volatile std::uint64_t sink = 0;

bool has_gate(const Nnf& nnf, NnfKind kind, std::size_t inputs) {
  for (std::uint32_t n = 0; n < nnf.size(); ++n)
    if (nnf.kinds[n] == kind && nnf.inputs(n).size() == inputs)
      return true;
  return false;
}

/// Wrong circuits come of conjunctions of three, the other bugs of conjunctions of four.
void misbehave(std::string_view bug, std::string_view text, Nnf& nnf) {
  if (!has_gate(nnf, NnfKind::conjunction, bug == "wrong" ? 3 : 4))
    return;
  if (bug == "overrun")
    sink = static_cast<unsigned char>(text.data()[text.size()]);
  else if (bug == "wrong")
    nnf.literals[0] = -nnf.literals[0];
  else if (bug == "slow")
    for (;;)
      sink = sink + 1;
  else if (bug == "memory")
    for (std::vector<std::vector<char>> kept;;)
      kept.emplace_back(16u << 20, 'x');
  else if (bug == "exception")
    throw std::out_of_range("planted");
  else if (bug == "line")
    throw FormatError("planted", 1'000'000);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const char* chosen = std::getenv("REASONS_PLANTED");
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  return attempt(text, [&] {
    const Nnf nnf = read_nnf(text).nnf;
    if (nnf.variables > 1000)
      return;
    Nnf changed = nnf;
    misbehave(chosen == nullptr ? "" : chosen, text, changed);
    require_circuit(decision_circuit(changed, small_budget()), assignments(nnf.variables, text),
                    [&](const Assignment& row) { return LabelId{values(nnf, row)[nnf.root]}; });
  });
}
