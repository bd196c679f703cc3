// reason_circuit.hpp: complete reason of a decision as a monotone circuit (Darwiche, Hirth 2020).
//
// Ids: 0 is false, 1 is true, then the literals, then the gates, inputs before
// users. Every literal says that a feature has one of some values, and the
// instance satisfies them all; that is what makes each question below one pass.
#pragma once

#include "base/bit_set.hpp"
#include "base/uninitialized_vector.hpp"
#include "circuit/circuit.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace reasons::reason {

enum class Gate : std::uint8_t { conjunction, disjunction };

/// "The feature has one of these values."
struct Literal {
  FeatureId feature;
  BitSet values;
};

class Reason {
public:
  static constexpr NodeId falsum = 0, verum = 1;

  std::vector<Literal> literals;
  UninitializedVector<Gate> gates;
  UninitializedVector<std::uint32_t> first{0};
  UninitializedVector<NodeId> edges;
  NodeId root = falsum;

  [[nodiscard]] NodeId first_gate() const { return static_cast<NodeId>(2 + literals.size()); }
  [[nodiscard]] NodeId size() const { return static_cast<NodeId>(first_gate() + gates.size()); }
  [[nodiscard]] std::span<const NodeId> inputs(NodeId gate) const {
    const NodeId g = gate - first_gate();
    return std::span(edges).subspan(first[g], first[g + 1] - first[g]);
  }
};

/// The simple complete reason: literals keep the instance's value. Time O(size).
[[nodiscard]] Reason complete_reason(const Circuit& circuit, std::span<const Cell> instance,
                                     LabelId label);

/// The general complete reason: literals exclude the values of one arm. Time O(size).
[[nodiscard]] Reason general_reason(const Circuit& circuit, std::span<const Cell> instance,
                                    LabelId label);

/// A reason made of sets: of each, one feature keeps the instance's value. No set at all is true,
/// an empty one false.
class ReasonOfSets {
public:
  ReasonOfSets(std::span<const Cell> instance, std::span<const std::uint32_t> domains);
  void add(std::span<const FeatureId> set);
  [[nodiscard]] Reason finish() &&;

private:
  NodeId close(Gate kind);
  Reason reason_;
  std::vector<NodeId> parts_;
};

/// The value under given values of the literals. Time O(size).
[[nodiscard]] bool evaluate(const Reason& reason, std::span<const std::uint8_t> literal_values);

/// Literals replaced by constants (0 or 1) where not `keep`; constants propagated,
/// unused gates dropped. Time O(size).
inline constexpr std::uint8_t keep = 2;
[[nodiscard]] Reason substitute(const Reason& reason, std::span<const std::uint8_t> literal_values);

/// The negation: gates swapped, literals complemented. Time O(size).
[[nodiscard]] Reason negate(const Reason& reason, std::span<const std::uint32_t> domains);

} // namespace reasons::reason
