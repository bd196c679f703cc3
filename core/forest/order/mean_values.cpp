#include "forest/order/mean_values.hpp"

namespace reasons::forest {

MeanValues::MeanValues(const Ensemble& ensemble, Budget& budget)
    : ensemble_(ensemble), scores_(ensemble.scores()),
      left_share_(ensemble.forest().node_test.size()), reach_(left_share_.size(), 1),
      mean_(left_share_.size() * scores_) {
  const Forest& forest = ensemble.forest();
  end_.assign(forest.tree_first.begin(), forest.tree_first.end());
  end_.push_back(forest.guard_first.empty() ? static_cast<std::uint32_t>(forest.node_test.size())
                                            : forest.guard_first[0]);
  end_.erase(end_.begin());
  for (std::size_t t = 0; t < ensemble.trees(); ++t) {
    for (std::uint32_t n = end_[t]; n-- > forest.tree_first[t];) {
      budget.tick();
      std::uint32_t left = 0;
      const std::uint32_t cells = ensemble.is_leaf(n) ? 0 : ensemble.domain(ensemble.feature(n));
      if (cells > 0)
        for (const CellRange& range : ensemble.left_cells(n))
          left += range.end - range.begin;
      const double share = cells == 0 ? 0 : left / static_cast<double>(cells);
      left_share_[n] = share;
      for (std::uint32_t score = 0; score < scores_; ++score)
        mean_[n * scores_ + score] = cells == 0
                                         ? static_cast<double>(ensemble.units(t, n, score))
                                         : share * mean(forest.node_left[n], score) +
                                               (1 - share) * mean(forest.node_right[n], score);
    }
    for (std::uint32_t n = forest.tree_first[t]; n < end_[t]; ++n)
      if (!ensemble.is_leaf(n)) {
        reach_[forest.node_left[n]] = reach_[n] * left_share_[n];
        reach_[forest.node_right[n]] = reach_[n] * (1 - left_share_[n]);
      }
  }
}

double MeanValues::explained(std::uint32_t node) const {
  const Forest& forest = ensemble_.forest();
  double sum = 0;
  for (std::uint32_t score = 0; score < scores_; ++score) {
    const double apart = mean(forest.node_left[node], score) - mean(forest.node_right[node], score);
    sum += apart * apart;
  }
  return sum * reach_[node] * left_share_[node] * (1 - left_share_[node]);
}

} // namespace reasons::forest
