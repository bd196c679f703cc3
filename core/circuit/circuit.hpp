// circuit.hpp: decision circuits (Decision-DNNF, OBDD) over discrete features, as a node table.
//
// Nodes stand in topological order, inputs before users, the root last. A node
// is one 32-bit head (its kind and a payload) and a run of the edge array:
// 16 bytes for a decision with two arms. What a decision tests is interned once
// as a *split*: a feature and, for each of its values, the arm that takes it.
// Values that cannot reach the node any more (an earlier test on the path ruled
// them out) are in no arm. The arrays are spans, so that a file can be mapped
// and used as it is; `storage` keeps whatever holds them alive.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace reasons::circuit {

using NodeId = std::uint32_t;
using FeatureId = std::uint32_t;
using SplitId = std::uint32_t;
using LabelId = std::uint32_t;
using Arm = std::uint16_t;
using Cell = std::uint16_t;

enum class Kind : std::uint32_t { decision = 0, leaf = 1, conjunction = 2 };

inline constexpr std::uint32_t payload_bits = 30;
inline constexpr std::uint32_t payload_mask = (1u << payload_bits) - 1;
inline constexpr LabelId impossible_label = payload_mask;
inline constexpr Arm no_arm = 0xFFFF;
inline constexpr std::uint32_t most_cells = 0xFFFF;

[[nodiscard]] constexpr std::uint32_t head_of(Kind kind, std::uint32_t payload) {
  return static_cast<std::uint32_t>(kind) << payload_bits | payload;
}

/// The arrays of a circuit, as they lie in memory and in a file.
struct CircuitArrays {
  std::span<const std::uint32_t> domains;    ///< number of cells of each feature
  std::span<const std::uint32_t> heads;      ///< kind and split / label of each node
  std::span<const std::uint32_t> first;      ///< first edge of each node, and the end
  std::span<const std::uint32_t> edges;      ///< inputs, arm by arm
  std::span<const std::uint32_t> split_of;   ///< feature of each split
  std::span<const std::uint32_t> split_arms; ///< number of arms of each split
  std::span<const std::uint32_t> split_from; ///< first entry in arm_of, and the end
  std::span<const Arm> arm_of;               ///< arm of each value of each split
  std::uint32_t labels = 0;                  ///< number of labels
};

class Circuit {
public:
  /// Takes arrays that are known to be well formed (from the builder) or throws
  /// PropertyError naming the first node that is not. Time O(size).
  Circuit(CircuitArrays arrays, std::shared_ptr<const void> storage);

  [[nodiscard]] const CircuitArrays& arrays() const { return a_; }
  [[nodiscard]] NodeId size() const { return static_cast<NodeId>(a_.heads.size()); }
  [[nodiscard]] NodeId root() const { return size() - 1; }
  [[nodiscard]] FeatureId features() const { return static_cast<FeatureId>(a_.domains.size()); }
  [[nodiscard]] std::uint32_t domain(FeatureId f) const { return a_.domains[f]; }
  [[nodiscard]] std::uint32_t labels() const { return a_.labels; }

  [[nodiscard]] Kind kind(NodeId n) const { return static_cast<Kind>(a_.heads[n] >> payload_bits); }
  [[nodiscard]] std::uint32_t payload(NodeId n) const { return a_.heads[n] & payload_mask; }
  [[nodiscard]] std::span<const NodeId> inputs(NodeId n) const {
    return a_.edges.subspan(a_.first[n], a_.first[n + 1] - a_.first[n]);
  }

  [[nodiscard]] std::uint32_t splits() const {
    return static_cast<std::uint32_t>(a_.split_of.size());
  }
  [[nodiscard]] FeatureId tested(SplitId s) const { return a_.split_of[s]; }
  [[nodiscard]] std::uint32_t arms(SplitId s) const { return a_.split_arms[s]; }
  [[nodiscard]] std::span<const Arm> arm_of(SplitId s) const {
    return a_.arm_of.subspan(a_.split_from[s], a_.split_from[s + 1] - a_.split_from[s]);
  }

  [[nodiscard]] bool has_conjunctions() const { return conjunctions_; }
  [[nodiscard]] bool has_impossible() const { return impossible_; }
  /// Whether some test leaves out values, because an earlier one ruled them out.
  [[nodiscard]] bool has_retests() const { return retests_; }
  /// Features from top to bottom where every path tests them in that order and
  /// there are no conjunctions; otherwise empty.
  [[nodiscard]] const std::vector<FeatureId>& order() const { return order_; }
  /// The tested features, each where it is first met from the root down.
  [[nodiscard]] std::vector<FeatureId> feature_order_from_root() const;
  [[nodiscard]] bool is_ordered() const { return ordered_; }
  [[nodiscard]] std::size_t bytes() const;

private:
  void validate() const;
  void validate_splits() const;
  void survey();

  CircuitArrays a_;
  std::shared_ptr<const void> storage_;
  bool conjunctions_ = false, impossible_ = false, retests_ = false, ordered_ = false;
  std::vector<FeatureId> order_;
};

} // namespace reasons::circuit

/// The words that every folder uses.
namespace reasons {
using circuit::Arm, circuit::Cell, circuit::FeatureId, circuit::LabelId, circuit::NodeId;
using circuit::Circuit, circuit::CircuitArrays, circuit::Kind, circuit::SplitId;
using circuit::impossible_label, circuit::most_cells, circuit::no_arm;
} // namespace reasons
