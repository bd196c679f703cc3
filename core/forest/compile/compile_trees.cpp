#include "forest/compile/compile_trees.hpp"

#include "base/error.hpp"
#include "forest/compile/single_tree.hpp"
#include "forest/compile/state_search.hpp"
#include "forest/order/heuristics.hpp"

#include <algorithm>
#include <numeric>

namespace reasons::forest {
namespace {

void require_order(const Ensemble& ensemble, std::span<const FeatureId> order) {
  std::vector<FeatureId> sorted(order.begin(), order.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<FeatureId> all(ensemble.features());
  std::iota(all.begin(), all.end(), 0);
  if (sorted != all)
    throw InputError("an order names every feature once");
}

} // namespace

Circuit compile_trees(const Ensemble& ensemble, std::span<const FeatureId> order, Budget& budget,
                      CompileTreesStats* stats) {
  CompileTreesStats unused;
  CompileTreesStats& counts = stats == nullptr ? unused : *stats;
  counts = {};
  budget.check();
  if (!order.empty())
    require_order(ensemble, order);
  if (ensemble.trees() == 1 && ensemble.forest().guard_first.empty() && order.empty())
    return compile_tree(ensemble, budget, counts.settled);
  counts.order = order.empty() ? chosen_order(ensemble, budget, counts.trials)
                               : std::vector<FeatureId>(order.begin(), order.end());
  std::vector<std::uint32_t> trees(ensemble.trees());
  std::iota(trees.begin(), trees.end(), 0);
  StateSearch search(ensemble, counts.order, trees, start_leads(ensemble), budget, {});
  search.run(Budget::unlimited);
  counts.states = search.states();
  counts.settled = search.settled();
  return search.circuit();
}

} // namespace reasons::forest
