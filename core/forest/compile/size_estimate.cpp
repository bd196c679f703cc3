#include "forest/compile/size_estimate.hpp"

#include "forest/order/heuristics.hpp"
#include "forest/order/trials.hpp"

#include <algorithm>

namespace reasons::forest {

double explored_share(const Ensemble& ensemble, std::uint64_t effort, Budget budget) {
  constexpr std::size_t most_nodes = 30'000; // of the trees that are tried
  const MeanValues means(ensemble, budget);
  if (ensemble.trees() <= 1 || is_additive(ensemble, means))
    return 1;
  OrderTrials tried(ensemble, means, budget);
  const std::size_t nodes = ensemble.forest().node_test.size();
  if (nodes > most_nodes)
    tried.take_balanced(std::max<std::size_t>(1, ensemble.trees() * most_nodes / nodes));
  const std::uint64_t whole_effort = effort + 2 * std::min(nodes, most_nodes);
  double best = 0;
  for (const auto& order : simple_orders(ensemble, means, budget))
    if ((best = std::max(best, tried.share(order, whole_effort))) == 1)
      break;
  return best;
}

} // namespace reasons::forest
