// ite.hpp: if-then-else of ordered circuits in one unique table (Brace, Rudell, Bryant 1990).
#pragma once

#include "base/budget.hpp"
#include "circuit/builder.hpp"
#include "circuit/circuit.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace reasons::circuit {

/// Ordered graphs in one unique table. A condition is a function to 0 and 1.
class Composer {
public:
  /// `order` lists every feature once, the top one first (InputError otherwise).
  Composer(std::vector<std::uint32_t> domains, std::uint32_t labels,
           std::span<const FeatureId> order, Budget budget);

  [[nodiscard]] NodeId leaf(LabelId label);
  /// The condition that a feature has one of the values, each listed as a 1.
  [[nodiscard]] NodeId test(FeatureId feature, std::span<const std::uint8_t> values);
  /// `yes` where the condition is 1, `no` where it is 0. Up to O(product of the sizes), budgeted.
  [[nodiscard]] NodeId choose(NodeId condition, NodeId yes, NodeId no);
  /// The function with other labels: `label[l]` for l, as far as listed, and `impossible` where
  /// it is that. Time O(size).
  [[nodiscard]] NodeId relabelled(NodeId root, std::span<const LabelId> label,
                                  LabelId impossible = impossible_label);
  /// A circuit's function. Throws PropertyError unless it follows the order.
  [[nodiscard]] NodeId copy(const Circuit& circuit);

  [[nodiscard]] Circuit build(NodeId root) const { return builder_.build(root); }
  /// Nodes made so far, those that nothing uses any more among them.
  [[nodiscard]] NodeId size() const { return builder_.size(); }

private:
  using Triple = std::array<NodeId, 3>; // condition, yes, no
  struct Hash {
    [[nodiscard]] std::size_t operator()(const Triple& triple) const;
  };

  [[nodiscard]] std::uint32_t level(NodeId n) const;
  [[nodiscard]] NodeId below(NodeId n, FeatureId feature, Cell value) const;
  [[nodiscard]] NodeId known(const Triple& triple) const;
  [[nodiscard]] bool enter(const Triple& triple);
  void require_known(NodeId n) const;

  Builder builder_;
  std::vector<FeatureId> order_;
  std::vector<std::uint32_t> levels_; // by feature
  std::unordered_map<Triple, NodeId, Hash> made_;
  std::vector<Triple> open_;
  std::vector<NodeId> children_;
};

/// `circuit` where `allowed` holds, and impossible elsewhere. Both must follow
/// `order`, which lists every feature. Up to O(product of the sizes), budgeted.
[[nodiscard]] Circuit constrain(const Circuit& circuit, const Circuit& allowed,
                                std::span<const FeatureId> order, Budget budget);

} // namespace reasons::circuit
