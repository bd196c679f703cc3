// branch_and_bound.hpp: branch and bound: an instance in a box that gets another label.
//
// Branch and bound over boxes. For each rival label the lead of the label over it is a sum of
// trees; a box whose lower bound (relaxation.hpp) leaves the rival no chance is done with, and
// every instance that looks like a counter-example is decided as the library decides it.
#pragma once

#include "base/budget.hpp"
#include "forest/bound/relaxation.hpp"
#include "forest/ensemble.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace reasons::forest {

/// The cells that each feature may take.
using Box = std::vector<std::vector<bool>>;

class BranchAndBound {
public:
  explicit BranchAndBound(std::shared_ptr<const Ensemble> ensemble)
      : ensemble_(std::move(ensemble)) {}

  [[nodiscard]] const Ensemble& ensemble() const { return *ensemble_; }

  /// An instance in the box with another label, or none if that is proved. Where no tree minds,
  /// it is like the given instance. Can take exponential time: budgeted.
  [[nodiscard]] std::optional<std::vector<Cell>>
  other(LabelId label, const Box& box, std::span<const Cell> like, Budget& budget) const;

private:
  struct Competitor {
    Relaxation all;
    Relaxation::Value limit; // sums above it leave the rival no chance
  };
  [[nodiscard]] const std::vector<Competitor>& competitors(LabelId label) const;
  [[nodiscard]] Competitor competitor(LabelId label, LabelId other) const;
  [[nodiscard]] std::optional<std::vector<Cell>> beaten(const Competitor& competitor, LabelId label,
                                                        const Box& box, std::span<const Cell> like,
                                                        Budget& budget) const;

  std::shared_ptr<const Ensemble> ensemble_;
  mutable std::mutex making_;
  mutable std::map<LabelId, std::vector<Competitor>> competitors_;
};

} // namespace reasons::forest
