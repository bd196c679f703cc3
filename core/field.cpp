// field.cpp: arithmetic modulo a prime below 2^63 through 128-bit products.
#include "field.hpp"

#include <vector>

namespace reasons {
namespace {

__extension__ typedef unsigned __int128 Wide; // not ISO, but on every 64-bit target

std::uint64_t times(std::uint64_t a, std::uint64_t b, std::uint64_t prime) {
  return static_cast<std::uint64_t>(Wide{a} * b % prime);
}

std::uint64_t inverse(std::uint64_t a, std::uint64_t prime) {
  std::uint64_t result = 1;
  for (std::uint64_t power = prime - 2; power != 0; power >>= 1) {
    if (power & 1)
      result = times(result, a, prime);
    a = times(a, a, prime);
  }
  return result;
}

} // namespace

std::uint64_t weighted_sum(const Circuit& circuit, std::span<const std::uint64_t> weights,
                           std::span<const std::uint64_t> leaf_values,
                           std::uint64_t impossible_value, std::uint64_t prime) {
  std::vector<std::uint32_t> weights_from(circuit.features() + 1, 0);
  for (FeatureId f = 0; f < circuit.features(); ++f)
    weights_from[f + 1] = weights_from[f] + circuit.domain(f);
  std::vector<std::uint64_t> arm_weight;
  std::vector<std::size_t> arms_from;
  for (SplitId s = 0; s < circuit.splits(); ++s) {
    arms_from.push_back(arm_weight.size());
    arm_weight.resize(arm_weight.size() + circuit.arms(s), 0);
    const auto arm_of = circuit.arm_of(s);
    const auto weight = weights.subspan(weights_from[circuit.tested(s)]);
    std::uint64_t total = 0;
    for (std::size_t v = 0; v < arm_of.size(); ++v)
      if (arm_of[v] != no_arm) {
        std::uint64_t& arm = arm_weight[arms_from[s] + arm_of[v]];
        arm = (arm + weight[v]) % prime;
        total = (total + weight[v]) % prime;
      }
    if (total != 1)
      for (std::size_t k = arms_from[s]; k < arm_weight.size(); ++k)
        arm_weight[k] = times(arm_weight[k], inverse(total, prime), prime);
  }
  std::vector<std::uint64_t> sum(circuit.size());
  for (NodeId n = 0; n < circuit.size(); ++n) {
    const std::uint32_t payload = circuit.payload(n);
    const auto inputs = circuit.inputs(n);
    if (circuit.kind(n) == Kind::leaf) {
      sum[n] = payload == impossible_label ? impossible_value : leaf_values[payload];
    } else if (circuit.kind(n) == Kind::conjunction) {
      sum[n] = 1;
      for (const NodeId input : inputs)
        sum[n] = times(sum[n], sum[input], prime);
    } else {
      Wide total = 0;
      for (std::size_t k = 0; k < inputs.size(); ++k)
        total += Wide{times(arm_weight[arms_from[payload] + k], sum[inputs[k]], prime)};
      sum[n] = static_cast<std::uint64_t>(total % prime);
    }
  }
  return sum[circuit.root()];
}

} // namespace reasons
