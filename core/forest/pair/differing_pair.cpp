#include "forest/pair/differing_pair.hpp"

#include "base/error.hpp"
#include "forest/pair/pair_search.hpp"
#include "forest/pair/random_walk.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace reasons::forest {
namespace {

/// Which features some node before another one tests.
std::vector<bool> tested_before(const Ensemble& ensemble, std::size_t end) {
  std::vector<bool> tested(ensemble.features(), false);
  for (std::uint32_t node = 0; node < end; ++node)
    if (!ensemble.is_leaf(node))
      tested[ensemble.feature(node)] = true;
  return tested;
}

/// The protected features that anything tests, if a tree that adds to a score tests one.
std::vector<FeatureId> that_matter(const Ensemble& ensemble,
                                   std::span<const FeatureId> protected_features) {
  const Forest& forest = ensemble.forest();
  const std::size_t nodes = forest.node_test.size();
  const auto anywhere = tested_before(ensemble, nodes);
  const auto scored =
      tested_before(ensemble, forest.guard_first.empty() ? nodes : forest.guard_first[0]);
  std::vector<FeatureId> found;
  bool any = false;
  for (const FeatureId f : protected_features) {
    if (f >= ensemble.features())
      throw InputError("there is no feature number " + std::to_string(f));
    if (anywhere[f])
      found.push_back(f);
    any = any || scored[f];
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return any ? found : std::vector<FeatureId>();
}

/// Takes back what need not differ.
query::InstancePair closer(const Ensemble& ensemble, query::InstancePair pair) {
  for (FeatureId f = 0; f < ensemble.features(); ++f) {
    const Cell was = std::exchange(pair.second[f], pair.first[f]);
    if (!differ(ensemble, pair))
      pair.second[f] = was;
  }
  return pair;
}

} // namespace

std::optional<query::InstancePair> differing_pair(const BranchAndBound& search,
                                                  std::span<const FeatureId> protected_features,
                                                  Budget& budget) {
  const Ensemble& ensemble = search.ensemble();
  const std::vector<FeatureId> loose = that_matter(ensemble, protected_features);
  if (loose.empty())
    return std::nullopt;
  if (auto found = pair_by_random_walk(ensemble, loose, budget))
    return closer(ensemble, std::move(*found));
  PairSearch pairs(ensemble, loose, budget);
  for (LabelId one = 0; one < ensemble.labels(); ++one)
    for (LabelId other = one + 1; other < ensemble.labels(); ++other)
      if (auto found = pairs.with_labels(one, other))
        return closer(ensemble, std::move(*found));
  return std::nullopt;
}

} // namespace reasons::forest
