// sampler.hpp: random sampling of instances with a label, by a walk from the root.
//
// A choice is made by where a number falls among the shares of the ways, unless it falls so
// near to a border that their rounding could have moved it: then the walk gives up, and who
// knows the shares exactly must take it with the same numbers. So rounding favours nothing.
#pragma once

#include "counting/label_share.hpp"

#include <unordered_map>
#include <utility>

namespace reasons::counting {

class Sampler {
public:
  /// `allowed`: 1 or 0 for each value of each feature. `slack`: roundings allowed for at each
  /// choice beside those in the shares.
  Sampler(const Circuit& circuit, std::span<const double> allowed, LabelId label, double slack);

  enum class End { done, needs_exact, out_of_numbers };

  /// Takes one number for each choice; `taken` gets the arms of the tests passed. The last
  /// goal found is followed first. Requires that some instance has the label. Time O(depth).
  [[nodiscard]] End walk(std::span<const std::uint64_t> numbers,
                         std::vector<std::pair<SplitId, std::uint32_t>>& taken);

private:
  /// A label to be reached at a node; of a conjunction that is 0, from an input on.
  struct Goal {
    NodeId node;
    LabelId label;
    std::uint32_t start;
  };

  [[nodiscard]] const LabelShares& shares(LabelId label) const {
    return shares_[label == 0 ? 0 : shares_.size() - 1];
  }
  void weigh(const Goal& goal);
  void weigh_rest(const Goal& goal);
  const std::vector<ScaledFloat>& rest(NodeId n);
  [[nodiscard]] End choose(std::span<const std::uint64_t>& numbers, std::size_t& chosen) const;
  void follow(const Goal& goal, std::size_t way,
              std::vector<std::pair<SplitId, std::uint32_t>>& taken);

  const Circuit& circuit_;
  LabelId label_;
  std::vector<LabelShares> shares_; // of the label; of 0 and of 1 where conjunctions must be 0
  double roundings_;
  std::unordered_map<NodeId, std::vector<ScaledFloat>> rest_;
  std::vector<ScaledFloat> weight_; // of each way to the goal at hand
  std::vector<Goal> open_;
};

} // namespace reasons::counting
