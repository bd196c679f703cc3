// random_circuit.hpp: random circuits, and what they mean by brute force.
#pragma once

#include "circuit/builder.hpp"
#include "circuit/circuit.hpp"

#include <cstdint>
#include <random>
#include <vector>

namespace reasons::testing {

using Instance = std::vector<Cell>;
using Rng = std::mt19937;

/// The arrays of a circuit, owned, to be damaged before they are looked at.
struct Arrays {
  std::vector<std::uint32_t> domains, heads, first, edges, split_of, split_arms, split_from;
  std::vector<Arm> arm_of;
  std::uint32_t labels = 2;

  /// The arrays must outlive the circuit.
  [[nodiscard]] Circuit circuit() const;
};

/// B is not 0 and A is 1, for A of two values and B of three. Nodes 0 and 1 are leaves.
[[nodiscard]] Arrays sound_arrays();

struct Shape {
  std::vector<std::uint32_t> domains;
  std::uint32_t labels = 2;
  bool conjunctions = false, impossible = false;
};

/// An unordered circuit that may test features again, the same for the same seed.
[[nodiscard]] Circuit random_circuit(const Shape& shape, std::uint32_t seed);

/// The reduced ordered graph of a random table.
[[nodiscard]] Circuit random_graph(const Shape& shape, std::uint32_t seed);

/// Shapes with and without conjunctions, impossible leaves and a third label.
[[nodiscard]] std::vector<Shape> shapes();

[[nodiscard]] std::vector<Instance> all_instances(std::span<const std::uint32_t> domains);

/// The label of an instance by recursion from the root; shares nothing with decide().
[[nodiscard]] LabelId label_of(const Circuit& circuit, const Instance& instance);

/// For each feature, the values it may take.
using Box = std::vector<std::vector<bool>>;

[[nodiscard]] bool contains(const Box& box, const Instance& instance);
[[nodiscard]] Box fixing(const Circuit& circuit, const Instance& instance,
                         const std::vector<FeatureId>& features);

/// Whether every allowed instance of the box has the label, by looking at each.
[[nodiscard]] bool forces(const Circuit& circuit, const Box& box, LabelId label);

} // namespace reasons::testing
