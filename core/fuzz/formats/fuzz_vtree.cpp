// fuzz_vtree.cpp: what is read is one binary tree, in order.
#include "formats/sdd.hpp"
#include "fuzz/target.hpp"

#include <set>

using namespace reasons;
using namespace reasons::formats;
using namespace reasons::fuzz;

namespace {

void require_tree(const Vtree& tree) {
  std::set<std::uint32_t> variables;
  bool has_root = false;
  for (std::uint32_t p = 0; p < tree.size(); ++p) {
    const bool is_leaf = tree.variable[p] != 0;
    if (is_leaf != (p % 2 == 0) || (is_leaf && !variables.insert(tree.variable[p]).second))
      broken("leaves and inner nodes do not alternate, or a variable has two leaves");
    if (is_leaf ? tree.first[p] != p || tree.last[p] != p
                : tree.first[p] >= p || tree.last[p] <= p || tree.last[p] >= tree.size())
      broken("a subtree is not around its root");
    has_root = has_root || (tree.first[p] == 0 && tree.last[p] + 1 == tree.size());
  }
  if (!has_root)
    broken("no node is above all");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  return attempt(text, [&] {
    Budget budget = small_budget();
    require_tree(read_vtree(text, budget));
  });
}
