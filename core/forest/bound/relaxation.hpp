// relaxation.hpp: lower bound of a tree ensemble over a box, by dual decomposition.
//
// Each tree may choose its own leaf, so the sum of the trees' least values bounds the sum from
// below, badly: the leaves contradict each other. Prices make them agree. Every tree that tests
// a feature gets a price for each of its values; over the trees the prices of a value add up to
// nothing (or less), so that no sum rises, yet leaves that want unpopular values become dear.
// A sweep over a feature sets its prices so that all trees see the same least sum for each of
// its values: the bound rises to what branching on the feature would give, and values whose own
// bound passes the limit are closed. This is dual decomposition (min-sum diffusion) with whole
// numbers, rounded so that the bound stays one.
//
// What of a tree tells the values of a feature apart is a *slot*: its classes are the sets of
// values that the tree's leaves do not tell apart. Boxes are narrowed by making a smaller
// relaxation, which starts from the prices found.
#pragma once

#include "circuit/circuit.hpp"

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace reasons::forest {

/// Trees as their leaves: what a relaxation begins with. A leaf names, for some features, the
/// cells with which it can be reached; of the others, any.
struct LeafTable {
  using Value = std::int64_t;
  struct Limit {
    FeatureId feature;
    std::vector<bool> cells;
  };
  struct Leaf {
    Value value;
    std::vector<Limit> limits;
  };
  std::vector<std::uint32_t> domains;
  std::vector<std::vector<Leaf>> trees;
  Value fixed = 0;
};

class Relaxation {
public:
  using Value = LeafTable::Value;
  static constexpr Value none = Value{1} << 60; // above every sum

  /// Over all cells: the values of a feature are then its cells. Time O(limits * cells).
  explicit Relaxation(const LeafTable& table);

  /// The same over fewer values: `allowed` says of each feature which of them stay, one at
  /// least. Time O(size).
  [[nodiscard]] Relaxation restricted(const std::vector<std::vector<bool>>& allowed) const;
  /// Of cells that no tree tells apart, those of the instance are taken from now on.
  [[nodiscard]] Relaxation restricted(const std::vector<std::vector<bool>>& allowed,
                                      std::span<const Cell> like) const;
  /// The same over the cells of a box, which holds no cells that were left out or closed before.
  [[nodiscard]] Relaxation within(const std::vector<std::vector<bool>>& box) const;
  /// Takes the cells of closed values out of a box.
  void close(std::vector<std::vector<bool>>& box) const;

  /// Raises the bound by one sweep over every feature; values whose bound is above the limit
  /// are closed. Time O(size).
  void sweep(Value limit);
  /// No sum in the box is below, of those up to the limit of the sweeps; `none` where there is
  /// none.
  [[nodiscard]] Value bound() const;

  /// What a sweep has to look at, more or less.
  [[nodiscard]] std::size_t size() const { return entries_.size() + price_.size(); }

  /// The features that still matter, and their values: groups of cells that no tree tells apart.
  [[nodiscard]] std::size_t features() const { return features_.size(); }
  [[nodiscard]] std::size_t values(std::size_t f) const { return features_[f].values; }
  [[nodiscard]] std::size_t slots(std::size_t f) const { return features_[f].slots; }
  [[nodiscard]] bool is_open(std::size_t f, std::size_t value) const {
    return open_[features_[f].first_value + value];
  }
  [[nodiscard]] FeatureId feature(std::size_t f) const { return features_[f].id; }
  /// The first cell of a value: its others, of those in the box, come before the next value's.
  [[nodiscard]] Cell first_cell(std::size_t f, std::size_t value) const {
    return first_cell_[features_[f].first_value + value];
  }
  /// The cell after the last one that a value can have.
  [[nodiscard]] std::size_t end_cell(std::size_t f, std::size_t value, std::size_t cells) const {
    return value + 1 < values(f) ? first_cell(f, value + 1) : cells;
  }
  /// The bound of the sums with this value, as of the last sweep.
  [[nodiscard]] Value bound(std::size_t f, std::size_t value) const {
    return value_bound_[features_[f].first_value + value];
  }

  /// By how much the bound rises at least if the feature's values are parted: `below[v]` with the
  /// values before v alone, `from[v]` with the others. Time O(size of its slots).
  void gains(std::size_t f, std::vector<Value>& below, std::vector<Value>& from);

  /// Choices of values for which the sum is low: begins with the best values of the last sweep
  /// and changes one feature at a time while that helps. Returns the sum. Time O(size) a round.
  Value descend(std::vector<std::uint32_t>& choice) const;
  /// The cells that a choice stands for, those of features that do not matter included.
  [[nodiscard]] std::vector<Cell> cells(std::span<const std::uint32_t> choice) const;

protected:
  struct Feature {
    FeatureId id;
    std::uint32_t first_value, values;       // in open_, value_bound_, cell_
    std::uint32_t first_slot = 0, slots = 0; // in slot_order_
    Value folded = 0;                        // the prices of slots that are gone
  };
  struct Slot {
    std::uint32_t tree, feature;
    std::uint32_t first_class, classes; // in price_, rest_
    std::uint32_t first_entry, entries; // in entries_
    std::uint32_t first_run, runs;      // in runs_
    std::uint32_t words;                // of an entry's set
    Value least = 0;                    // of its prices
  };
  struct Entry { // a leaf that does not admit all classes of a slot
    std::uint32_t leaf, set;
  };
  struct Run { // values from `first` on are of the class, up to the next run
    std::uint32_t first, of_class;
  };
  struct Tree {
    std::uint32_t first_leaf, leaves, first_slot, slots;
    Value least = 0;
  };
  class Builder;

  Relaxation() = default;
  void sweep(std::size_t f, Value limit);
  void find_rest(const Slot& slot);
  void reprice(Slot& slot);
  [[nodiscard]] Value least_price(const Slot& slot, const Entry& entry) const;
  template <class Visit> void each_class(const Slot& slot, const Entry& entry, Visit visit) const;
  [[nodiscard]] bool admits(const Entry& entry, std::uint32_t of_class) const;
  [[nodiscard]] std::uint32_t class_at(const Slot& slot, std::uint32_t value) const;
  [[nodiscard]] std::uint32_t run_end(const Slot& slot, std::uint32_t run) const;
  void profile(std::size_t f, std::span<const std::uint32_t> violated,
               std::span<const std::uint32_t> choice, std::vector<Value>& sums) const;
  void order_slots();
  void add_costs();

  Value fixed_ = 0;
  std::vector<Feature> features_;
  std::vector<std::uint32_t> slot_order_; // slots by feature
  std::vector<Cell> cell_, first_cell_;   // one of each value's, and the first
  std::vector<Cell> point_;               // of each feature of the table
  std::vector<bool> open_;
  std::vector<Value> value_bound_;
  std::vector<Tree> trees_;
  std::vector<Slot> slots_; // by tree
  std::vector<Entry> entries_;
  std::vector<std::uint64_t> words_;
  std::vector<Run> runs_;
  std::vector<Value> price_, rest_; // by class
  std::vector<Value> leaf_value_, cost_;
  std::vector<Value> total_, own_;         // scratch of a sweep
  std::vector<std::int32_t> dead_;         // scratch of a sweep
  std::vector<std::vector<Value>> lowest_; // level k: the least share of 2^k values
};

template <class Visit>
void Relaxation::each_class(const Slot& slot, const Entry& entry, Visit visit) const {
  for (std::uint32_t w = 0; w < slot.words; ++w)
    for (std::uint64_t bits = words_[entry.set + w]; bits != 0; bits &= bits - 1)
      visit(slot.first_class + 64 * w + static_cast<std::uint32_t>(std::countr_zero(bits)));
}

inline bool Relaxation::admits(const Entry& entry, std::uint32_t of_class) const {
  return words_[entry.set + of_class / 64] >> (of_class % 64) & 1;
}

inline std::uint32_t Relaxation::run_end(const Slot& slot, std::uint32_t run) const {
  return run + 1 < slot.first_run + slot.runs ? runs_[run + 1].first
                                              : features_[slot.feature].values;
}

} // namespace reasons::forest
