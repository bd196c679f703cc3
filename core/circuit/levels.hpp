// levels.hpp: positions of features in the order, for walks down two ordered circuits at once.
#pragma once

#include "circuit/circuit.hpp"

#include <span>
#include <vector>

namespace reasons::circuit {

/// Positions in the order; leaves come last.
class Levels {
public:
  Levels(std::span<const FeatureId> order, FeatureId features) : level_(features, 0) {
    for (std::size_t i = 0; i < order.size(); ++i)
      level_[order[i]] = static_cast<std::uint32_t>(i);
  }
  [[nodiscard]] std::uint32_t of(FeatureId feature) const { return level_[feature]; }
  [[nodiscard]] std::uint32_t of(const Circuit& circuit, NodeId n) const {
    if (circuit.kind(n) != Kind::decision)
      return bottom;
    return level_[circuit.tested(circuit.payload(n))];
  }
  static constexpr std::uint32_t bottom = 0xFFFFFFFF;

private:
  std::vector<std::uint32_t> level_;
};

[[nodiscard]] inline NodeId follow(const Circuit& circuit, NodeId n, FeatureId feature,
                                   Cell value) {
  if (circuit.kind(n) != Kind::decision || circuit.tested(circuit.payload(n)) != feature)
    return n;
  return circuit.inputs(n)[circuit.arm_of(circuit.payload(n))[value]];
}

[[nodiscard]] inline std::uint64_t key_of(NodeId a, NodeId b) {
  return std::uint64_t{a} << 32 | b;
}

} // namespace reasons::circuit
