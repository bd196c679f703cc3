// sampler.hpp: one way through a circuit to a label, chosen by random numbers.
//
// A choice is made by where a number falls among the shares of the ways, unless it falls so
// near to a border that their rounding could have moved it: then the walk gives up, and who
// knows the shares exactly must take it with the same numbers. So rounding favours nothing.
#pragma once

#include "counting/label_share.hpp"

#include <unordered_map>
#include <utility>

namespace reasons {

class Drawing {
public:
  /// `allowed`: 1 or 0 for each value of each feature. `slack`: roundings allowed for at each
  /// choice beside those in the shares.
  Drawing(const Circuit& circuit, std::span<const double> allowed, LabelId label, double slack);

  enum class End { done, doubtful, out_of_numbers };

  /// Takes one number for each choice; `taken` gets the arms of the tests passed. The last
  /// aim found is followed first. Requires that some instance has the label. Time O(depth).
  [[nodiscard]] End walk(std::span<const std::uint64_t> numbers,
                         std::vector<std::pair<SplitId, std::uint32_t>>& taken);

private:
  /// A label to be reached at a node; of a conjunction that is 0, from an input on.
  struct Aim {
    NodeId node;
    LabelId label;
    std::uint32_t start;
  };

  [[nodiscard]] const Shares& shares(LabelId label) const {
    return shares_[label == 0 ? 0 : shares_.size() - 1];
  }
  void weigh(const Aim& aim);
  void weigh_rest(const Aim& aim);
  const std::vector<Scaled>& rest(NodeId n);
  [[nodiscard]] End choose(std::span<const std::uint64_t>& numbers, std::size_t& chosen) const;
  void follow(const Aim& aim, std::size_t way,
              std::vector<std::pair<SplitId, std::uint32_t>>& taken);

  const Circuit& circuit_;
  LabelId label_;
  std::vector<Shares> shares_; // of the label; of 0 and of 1 where conjunctions must be 0
  double roundings_;
  std::unordered_map<NodeId, std::vector<Scaled>> rest_;
  std::vector<Scaled> weight_; // of each way to the aim at hand
  std::vector<Aim> open_;
};

} // namespace reasons
