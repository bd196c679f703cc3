// branch_and_bound.hpp: branch and bound: an instance in a box that gets another label.
//
// Branch and bound over boxes. For each rival label the lead of the label over it is a sum of
// trees; a box whose lower bound (relaxation.hpp) leaves the rival no chance is done with, and
// every instance that looks like a counter-example is decided as the library decides it.
#pragma once

#include "base/budget.hpp"
#include "forest/bound/relaxation.hpp"

#include <memory>
#include <optional>

namespace reasons::forest {

class BranchAndBound {
public:
  explicit BranchAndBound(std::shared_ptr<const Ensemble> ensemble)
      : ensemble_(std::move(ensemble)) {}

  [[nodiscard]] const Ensemble& ensemble() const { return *ensemble_; }

  /// An instance in the box with another label, or none if that is proved. On features that no tree
  /// tells apart, it keeps the given instance's values. Can take exponential time: budgeted.
  [[nodiscard]] std::optional<std::vector<Cell>>
  other(LabelId label, const Box& box, std::span<const Cell> like, Budget& budget) const;

private:
  [[nodiscard]] std::optional<std::vector<Cell>>
  counterexample_against(LabelId label, LabelId rival, const Box& box, std::span<const Cell> like,
                         Budget& budget) const;

  std::shared_ptr<const Ensemble> ensemble_;
};

} // namespace reasons::forest
