// interval_cache.hpp: interval cache: the range of sums for which a node is right.
//
// A state is a tuple of residuals and, for each pair of labels, the least lead that the sums so
// far and the residuals give (`floor`). Two states of one tuple differ by a shift of the sums,
// and a node that was made for one is right for the other as long as no leaf below changes
// hands: if no pair's lead shrinks by more than its `slack`, the least surplus among the
// leaves below. With two labels that is an interval of leads, with more a matrix of
// differences.
#pragma once

#include "circuit/builder.hpp"
#include "forest/ensemble.hpp"

#include <optional>
#include <span>
#include <vector>

namespace reasons::forest {

using Units = Ensemble::Units;
inline constexpr Units no_bound = INT64_MAX;

class IntervalCache {
public:
  explicit IntervalCache(std::size_t pairs) : pairs_(pairs) {}

  /// The node that was kept for such sums, if any; `slack` becomes what is left of it.
  [[nodiscard]] std::optional<NodeId> find(std::uint32_t tuple, std::span<const Units> floor,
                                           std::span<Units> slack);
  /// Requires that nothing is found for these sums.
  void keep(std::uint32_t tuple, std::span<const Units> floor, std::span<const Units> slack,
            NodeId node);
  [[nodiscard]] std::uint64_t bytes() const;

private:
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  /// Of two labels: leads of label 1 from `low` to `high`. A treap by `low` for each tuple,
  /// of intervals that do not meet.
  struct Interval {
    Units low, high;
    NodeId node;
    std::uint32_t before, after;
  };
  /// Of more labels: a list for each tuple; the least floors are in `least_`.
  struct Entry {
    NodeId node;
    std::uint32_t next;
  };

  [[nodiscard]] std::uint32_t neighbour(std::uint32_t tuple, Units lead, bool below) const;
  void insert(std::uint32_t tuple, Interval made);
  [[nodiscard]] std::optional<NodeId> find_entry(std::uint32_t tuple, std::span<const Units> floor,
                                                 std::span<Units> slack);

  std::size_t pairs_;
  std::vector<std::uint32_t> first_; // of each tuple
  std::vector<Interval> intervals_;
  std::vector<Entry> entries_;
  std::vector<Units> least_;
};

} // namespace reasons::forest
