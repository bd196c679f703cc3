#include "order_features.hpp"

#include <algorithm>
#include <numeric>

namespace reasons {

std::vector<Units> start_leads(const Ensemble& ensemble) {
  std::vector<Units> sums(ensemble.scores()), leads;
  for (std::uint32_t score = 0; score < sums.size(); ++score)
    sums[score] = ensemble.start(score);
  for (LabelId a = 0; a < ensemble.labels(); ++a)
    for (LabelId b = 0; b < ensemble.labels(); ++b)
      if (a != b)
        leads.push_back(ensemble.lead(sums, a, b));
  return leads;
}

std::vector<FeatureId> chosen_order(const Ensemble& ensemble, const Budget&, std::uint64_t&) {
  std::vector<FeatureId> order(ensemble.features());
  std::iota(order.begin(), order.end(), 0);
  return order;
}

} // namespace reasons
