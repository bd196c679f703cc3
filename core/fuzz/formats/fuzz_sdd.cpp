// fuzz_sdd.cpp: an SDD, with the vtree that stands before a line `%%` if there is one.
#include "base/error.hpp"
#include "formats/nnf/to_obdd.hpp"
#include "formats/sdd.hpp"
#include "fuzz/graph.hpp"

#include <optional>

using namespace reasons;
using namespace reasons::formats;
using namespace reasons::fuzz;

namespace {

constexpr std::string_view border = "%%\n";

void read_with(std::string_view text, const Vtree* vtree, VtreeUse use) {
  Budget budget = small_budget();
  const Sdd sdd = read_sdd(text, vtree, use, budget);
  const Nnf& nnf = sdd.nnf;
  require_graph(nnf);
  if (sdd.variables.size() != nnf.variables || sdd.order.size() != nnf.variables)
    broken("the variables of the SDD and of its graph differ");
  require_circuit(ordered_circuit(nnf, sdd.order, small_budget()), assignments(nnf.variables, text),
                  [&](const Assignment& row) { return LabelId{values(nnf, row)[nnf.root]}; });
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view both(reinterpret_cast<const char*>(data), size);
  const std::size_t cut = both.find(border);
  const bool has_tree = cut != std::string_view::npos;
  const std::string_view tree = both.substr(0, has_tree ? cut : 0);
  const std::string_view text = both.substr(has_tree ? cut + border.size() : 0);
  std::optional<Vtree> vtree;
  if (has_tree && attempt(tree, [&] {
                    Budget budget = small_budget();
                    vtree = read_vtree(tree, budget);
                  }) == refused)
    return refused;
  const Vtree* given = vtree ? &*vtree : nullptr;
  const Verdict loose = attempt(text, [&] { read_with(text, given, VtreeUse::variables); });
  const Verdict strict = attempt(text, [&] { read_with(text, given, VtreeUse::shape); });
  if (strict == accepted && loose == refused)
    broken("a vtree that fits the file is refused where its shape does not matter");
  return loose;
}
