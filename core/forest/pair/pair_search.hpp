// pair_search.hpp: branch and bound over two copies of an instance.
#pragma once

#include "forest/bound/leaf_table.hpp"
#include "forest/search/box.hpp"
#include "forest/search/branch_and_bound.hpp"
#include "query/differing_pair.hpp"

namespace reasons::forest {

class PairSearch {
public:
  /// The protected features are listed once each.
  PairSearch(const Ensemble& ensemble, std::span<const FeatureId> protected_features,
             Budget& budget);

  /// A differing pair, or none if there is none in which the labels are these.
  [[nodiscard]] std::optional<query::InstancePair> with_labels(LabelId one, LabelId other);

private:
  struct Part { // a sum that a pair needs to be at most the limit
    Relaxation relaxation;
    Relaxation::Value limit;
  };
  struct Open {
    Box box;
    std::vector<Part> parts;
  };
  [[nodiscard]] std::vector<Part> parts_of(LabelId one, LabelId other);
  [[nodiscard]] Open narrowed(const Open& open, Box box);
  [[nodiscard]] bool is_refuted(Open& at);
  [[nodiscard]] std::optional<query::InstancePair> low_pair(const Open& at) const;
  [[nodiscard]] std::optional<query::InstancePair> checked(const std::vector<Cell>& cells) const;
  [[nodiscard]] bool split(Open at, std::vector<Open>& open);

  const Ensemble& ensemble_;
  Budget& budget_;
  BudgetTicker ticker_;
  FeatureMapping one_, other_; // the names of both copies' features in one table
};

} // namespace reasons::forest
