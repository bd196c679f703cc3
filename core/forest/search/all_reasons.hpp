// all_reasons.hpp: all sufficient reasons and contrastive sets of one decision, by dualization.
//
// A set of features that meets every contrastive set known, and is minimal with that, either
// suffices, which makes it a sufficient reason; or a counter-example is made into one more minimal
// contrastive set (dualization.hpp). So each question settles a set of one of the two families.
#pragma once

#include "forest/search/branch_and_bound.hpp"
#include "reason/dualization.hpp"

namespace reasons::forest {

class AllReasons {
public:
  struct Found {
    bool suffices; // otherwise it is contrastive
    std::vector<FeatureId> features;
  };

  /// Throws InputError unless the instance has the label.
  AllReasons(BranchAndBound search, std::vector<Cell> instance, LabelId label);

  /// The next set of one of the families; none if both are complete. Can be called again after a
  /// limit was passed. Can take exponential time: budgeted.
  [[nodiscard]] std::optional<Found> next(Budget& budget);

  [[nodiscard]] const reason::Dualization& dualization() const { return sets_; }

private:
  [[nodiscard]] std::optional<std::vector<FeatureId>>
  changed_without(std::span<const FeatureId> kept, Budget& budget) const;
  [[nodiscard]] std::optional<std::vector<FeatureId>> changed_within(const std::vector<bool>& loose,
                                                                     Budget& budget) const;
  [[nodiscard]] std::vector<FeatureId> shrunk(std::vector<FeatureId> changed, Budget& budget) const;

  BranchAndBound search_;
  std::vector<Cell> instance_;
  LabelId label_;
  std::vector<FeatureId> all_;
  reason::Dualization sets_;
  std::vector<FeatureId> necessary_;           // of which none is told yet, the first last
  std::optional<std::vector<FeatureId>> open_; // proposed, and not answered
  bool is_started_ = false;
};

} // namespace reasons::forest
