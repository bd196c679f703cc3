// compile_network.hpp: compilation of a binarized neural network to an ordered circuit.
//
// From the top down, level by level: a state is which units of the first layer are certain, the
// sums so far of the others, and how many flips are left. Units become certain long before the
// last input, most of all within few flips, and what is certain of them often decides the label
// (Outcome); both make states meet. Later layers are only ever evaluated. Composing a diagram
// of each unit instead passes through diagrams of the whole layer, whose nodes are these states.
#pragma once

#include "base/budget.hpp"
#include "bnn/network.hpp"
#include "circuit/circuit.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace reasons::bnn {

/// Which inputs are possible; all others are impossible.
struct InputRegion {
  static constexpr std::uint8_t free = 2;
  std::vector<std::uint8_t> fixed;    // 0, 1 or `free` for each input
  std::optional<std::uint32_t> flips; // how many inputs may differ from the centre
  std::vector<std::uint8_t> centre;   // of the flips
};

struct CompileNetworkStats {
  std::uint64_t states = 0;
  std::uint64_t settled = 0; // largest scores that the caller decided, since rounding matters
};

/// The ordered circuit of a network within a region, in an order that names every input once
/// and the fixed ones first. Throws PropertyError where rounding leaves a unit in doubt.
/// Can explode: budgeted.
[[nodiscard]] Circuit compile_network(const Network& network, const InputRegion& region,
                                      std::span<const FeatureId> order, Budget& budget,
                                      CompileNetworkStats* stats = nullptr);

} // namespace reasons::bnn
