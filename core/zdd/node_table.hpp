// node_table.hpp: node table of decision diagrams: unique table and lossy operation cache.
//
// Shared by the two kinds of diagram in minimal_models.cpp: a binary one for monotone
// functions and a zero-suppressed one for families of sets. They differ in one
// rule, which node is superfluous. Ids 0 and 1 are the terminals; a node's
// children are made before it, so ids are a topological order for free.
#pragma once

#include "base/budget.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace reasons::zdd {

using Variable = std::uint32_t;
inline constexpr Variable no_variable = 0xFFFFFFFF; // of terminals: below every variable

struct DiagramNode {
  Variable variable;
  std::uint32_t low, high;
};

/// A node whose children agree tests nothing.
struct BddRule {
  static bool is_superfluous(std::uint32_t low, std::uint32_t high) { return low == high; }
};

/// A node whose high child is the empty family adds nothing.
struct ZddRule {
  static bool is_superfluous(std::uint32_t, std::uint32_t high) { return high == 0; }
};

template <class Rule> class NodeTable {
public:
  explicit NodeTable(Budget& budget) : budget_(budget), nodes_(2, {no_variable, 0, 0}) {
    table_.assign(first_slots, 0);
    cache_.assign(first_slots, {});
  }

  [[nodiscard]] const DiagramNode& operator[](std::uint32_t id) const { return nodes_[id]; }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(nodes_.size()); }
  [[nodiscard]] const std::vector<DiagramNode>& nodes() const { return nodes_; }

  [[nodiscard]] std::uint32_t make(Variable variable, std::uint32_t low, std::uint32_t high) {
    if (Rule::is_superfluous(low, high))
      return low;
    std::size_t slot = hash(variable, low, high) & (table_.size() - 1);
    for (; table_[slot] != 0; slot = (slot + 1) & (table_.size() - 1)) {
      const DiagramNode& node = nodes_[table_[slot]];
      if (node.variable == variable && node.low == low && node.high == high)
        return table_[slot];
    }
    const std::uint32_t made = size();
    budget_.require(made - 1, bytes());
    nodes_.push_back({variable, low, high});
    table_[slot] = made;
    if (nodes_.size() * 2 > table_.size())
      grow();
    return made;
  }

  /// The remembered result of an operation on two nodes, or `unknown`.
  static constexpr std::uint32_t unknown = 0xFFFFFFFF;
  [[nodiscard]] std::uint32_t recall(std::uint32_t op, std::uint32_t a, std::uint32_t b) const {
    const Entry& entry = cache_[hash(op, a, b) & (cache_.size() - 1)];
    return entry.op == op && entry.a == a && entry.b == b ? entry.result : unknown;
  }
  void remember(std::uint32_t op, std::uint32_t a, std::uint32_t b, std::uint32_t result) {
    if (++remembered_ > 2 * cache_.size() && cache_.size() < most_cached)
      widen();
    cache_[hash(op, a, b) & (cache_.size() - 1)] = {op, a, b, result};
  }

  /// Account for one step of an operation.
  void tick() { budget_.tick(); }

private:
  struct Entry {
    std::uint32_t op = 0, a = 0, b = 0, result = 0; // op 0 is no operation
  };
  static constexpr std::size_t first_slots = 1u << 12, most_cached = 1u << 24;

  static std::size_t hash(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    std::uint64_t h = (std::uint64_t{a} << 32 | b) * 0x9E3779B97F4A7C15ull;
    h = (h ^ (h >> 29) ^ c) * 0xBF58476D1CE4E5B9ull;
    return static_cast<std::size_t>(h ^ (h >> 32));
  }

  [[nodiscard]] std::uint64_t bytes() const {
    return nodes_.size() * sizeof(DiagramNode) + table_.size() * sizeof(std::uint32_t) +
           cache_.size() * sizeof(Entry);
  }

  void grow() {
    std::vector<std::uint32_t> larger(table_.size() * 4, 0);
    for (std::uint32_t id = 2; id < size(); ++id) {
      std::size_t slot = hash(nodes_[id].variable, nodes_[id].low, nodes_[id].high);
      for (slot &= larger.size() - 1; larger[slot] != 0;)
        slot = (slot + 1) & (larger.size() - 1);
      larger[slot] = id;
    }
    table_ = std::move(larger);
  }

  /// The cache grows with the work, not with the nodes: operations whose results are few
  /// would otherwise push each other out and be done again and again.
  void widen() {
    budget_.require(0, bytes() + 4 * cache_.size() * sizeof(Entry));
    std::vector<Entry> wider(4 * cache_.size());
    for (const Entry& entry : cache_)
      if (entry.op != 0)
        wider[hash(entry.op, entry.a, entry.b) & (wider.size() - 1)] = entry;
    cache_ = std::move(wider);
  }

  Budget& budget_;
  std::vector<DiagramNode> nodes_;
  std::vector<std::uint32_t> table_;
  std::vector<Entry> cache_;
  std::uint64_t remembered_ = 0;
};

} // namespace reasons::zdd
