// label_share.cpp: label shares in one upward pass.
#include "counting/label_share.hpp"

#include <algorithm>

namespace reasons::counting {
namespace {

/// 1 minus a share; of a share below 2^-256 that is 1.
ScaledFloat complement(ScaledFloat a) {
  return ScaledFloat{a.blocks < 0 ? 1 : std::max(0.0, 1 - a.value), 0}.normal();
}

} // namespace

LabelShares::LabelShares(const Circuit& circuit, std::span<const double> weights, LabelId label)
    : circuit_(circuit), label_(label), weights_from_{0}, values_(circuit.size()),
      blocks_(circuit.size()), roundings_(circuit.size()) {
  for (FeatureId f = 0; f < circuit.features(); ++f)
    weights_from_.push_back(weights_from_.back() + circuit.domain(f));
  for (SplitId s = 0; s < circuit.splits(); ++s)
    add_split(s, weights);
  for (NodeId n = 0; n < circuit.size(); ++n) {
    double roundings = 0;
    const ScaledFloat found = share(n, roundings);
    values_[n] = found.value;
    blocks_[n] = found.blocks;
    roundings_[n] = static_cast<float>(roundings * 1.0001); // to be above when it is rounded
    most_roundings_ = std::max(most_roundings_, roundings);
  }
}

void LabelShares::add_split(SplitId s, std::span<const double> weights) {
  const std::size_t from = arm_share_.size();
  arms_from_.push_back(from);
  arm_share_.resize(from + circuit_.arms(s));
  const auto arm_of = circuit_.arm_of(s);
  const auto weight = weights.subspan(weights_from_[circuit_.tested(s)]);
  double largest = 0, total = 0;
  for (std::size_t v = 0; v < arm_of.size(); ++v)
    if (arm_of[v] != no_arm)
      largest = std::max(largest, weight[v]);
  // A ratio to the largest neither overflows nor, unless it is hopeless, underflows.
  for (std::size_t v = 0; v < arm_of.size(); ++v)
    if (arm_of[v] != no_arm && weight[v] > 0) {
      arm_share_[from + arm_of[v]].value += weight[v] / largest;
      total += weight[v] / largest;
    }
  for (std::size_t k = from; k < arm_share_.size(); ++k)
    if (total > 0)
      arm_share_[k] = ScaledFloat{arm_share_[k].value / total, 0}.normal();
}

ScaledFloat LabelShares::share(NodeId n, double& roundings) const {
  if (circuit_.kind(n) == Kind::leaf)
    return {circuit_.payload(n) == label_ ? 1.0 : 0.0, 0};
  if (circuit_.kind(n) == Kind::conjunction)
    return of_inputs(n, roundings);
  const auto inputs = circuit_.inputs(n);
  const ScaledFloat* arm = arm_share_.data() + arms_from_[circuit_.payload(n)];
  ScaledFloat total;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    total = total + arm[k] * at(inputs[k]);
    roundings = std::max(roundings, double{roundings_[inputs[k]]});
  }
  // Two for each arm's share, one for its product, the sums.
  roundings += 4 + 2 * static_cast<double>(inputs.size());
  return total;
}

/// Both are true together (label 1), or some one has the label (label 0): then the first
/// input has it, or the first has not and one of the others has.
ScaledFloat LabelShares::of_inputs(NodeId n, double& roundings) const {
  const auto inputs = circuit_.inputs(n);
  ScaledFloat result{label_ == 0 ? 0.0 : 1.0, 0};
  for (std::size_t k = inputs.size(); k-- > 0;) {
    const ScaledFloat input = at(inputs[k]);
    result = label_ == 0 ? input + complement(input) * result : input * result;
    roundings += double{roundings_[inputs[k]]} + 3;
  }
  return result;
}

} // namespace reasons::counting
