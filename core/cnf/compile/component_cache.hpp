// component_cache.hpp: component cache: residual formulas that were compiled, and their nodes.
//
// A component is its open variables and what is left of the clauses of which
// something was falsified; untouched clauses follow from the variables. Equal keys
// are compared byte for byte, never by hash alone. Keys are written as differences
// in a variable number of bytes. When the limit is reached, what was not asked for
// since the last time goes.
#pragma once

#include "circuit/circuit.hpp"
#include "cnf/compile/components.hpp"

#include <cstdint>
#include <vector>

namespace reasons::cnf {

class ComponentCache {
public:
  static constexpr NodeId unknown = 0xFFFFFFFF;
  using Entry = std::uint32_t;

  explicit ComponentCache(std::uint64_t most_bytes) : most_bytes_(most_bytes), table_(1024, 0) {}

  /// The entry of a component, made if it is new.
  [[nodiscard]] Entry entry(const Component& component, const Components& components,
                            const Solver& solver);
  [[nodiscard]] NodeId node(Entry e) const { return entries_[e].node; }
  void set(Entry e, NodeId node) { entries_[e].node = node; }
  [[nodiscard]] bool is_full() const { return bytes() > most_bytes_; }
  [[nodiscard]] std::uint64_t bytes() const {
    return keys_.capacity() + entries_.capacity() * sizeof(Slot) + 4 * table_.capacity();
  }
  /// Drops what was not used lately; `pending` are entries still in use, renumbered in place.
  void shrink(std::vector<Entry*>& pending);

private:
  struct Slot {
    std::uint64_t hash;
    std::uint64_t key; // place in keys_
    std::uint32_t length;
    NodeId node;
    bool used;
  };

  void write_key(const Component& component, const Components& components, const Solver& solver);
  void write_clauses(const Component& component, const Components& components,
                     const Solver& solver);
  void write(std::uint32_t number);
  void grow();

  std::uint64_t most_bytes_;
  std::vector<std::uint8_t> keys_, key_;
  std::vector<Slot> entries_;
  std::vector<std::uint32_t> table_; // open addressing, entries + 1
  std::vector<Lit> residues_;
  std::vector<std::pair<std::uint64_t, std::pair<std::uint32_t, std::uint32_t>>> order_;
  std::uint64_t hash_ = 0;
};

} // namespace reasons::cnf
