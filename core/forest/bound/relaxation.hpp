// relaxation.hpp: lower bound of a tree ensemble over a box, by dual decomposition.
//
// Each tree may choose its own leaf, so the sum of the trees' least values bounds the sum from
// below, badly: the leaves contradict each other. Prices make them agree. Every tree that tests
// a feature gets a price for each of its values; over the trees the prices of a value add up to
// nothing (or less), so that no sum rises, yet leaves that want unpopular values become dear.
// A sweep over a feature sets its prices so that all trees see the same least sum for each of
// its values: the bound rises to what branching on the feature would give, and values whose own
// bound passes the limit are closed. This is dual decomposition (min-sum diffusion) with whole
// numbers, rounded so that the bound stays one. Sweeps go forwards and backwards in turn, which
// reaches the same bound in about half as many.
//
// What of a tree tells the values of a feature apart is a *slot*: its classes are the ranges of
// values that the tree's leaves do not tell apart, and a leaf admits a range of classes or several.
// Boxes are narrowed by making a smaller relaxation, which starts from the prices found.
#pragma once

#include "forest/bound/leaf_table.hpp"
#include "forest/bound/range_min.hpp"

#include <memory>

namespace reasons::forest {

class Relaxation {
public:
  using Value = LeafTable::Value;
  static constexpr Value none = Value{1} << 60; // above every sum
  struct Workspace {                            // scratch of sweeps
    std::vector<Value> total, shares, gain;
    std::vector<std::int32_t> dead;
    RangeMin<Value> least_share, least_price;
    RangeLower<Value> lowered;
  };

  /// Over the box of the table. Of cells that no tree tells apart, those of the instance `like`
  /// are taken where they are in the box. Time O(size).
  Relaxation(const LeafTable& table, std::span<const Cell> like);

  /// The same over fewer values: `allowed` says of each feature which of them stay, one at
  /// least. Time O(size).
  [[nodiscard]] Relaxation restricted(const std::vector<std::vector<bool>>& allowed) const;
  /// The same over the cells of a box, which holds no cells that were left out or closed before.
  [[nodiscard]] Relaxation within(const std::vector<std::vector<bool>>& box) const;
  /// Takes the cells of closed values out of a box.
  void close(std::vector<std::vector<bool>>& box) const;
  /// Uses other scratch: relaxations made from one share theirs, and threads must not.
  void work_in(std::shared_ptr<Workspace> work) { work_ = std::move(work); }

  /// Raises the bound by one sweep over every feature; values whose bound is above the limit
  /// are closed. Time O(size + the leaves of each slot's tree).
  void sweep(Value limit);
  /// A lower bound of all sums in the box that do not exceed the limit of the sweeps; `none` if
  /// there are none.
  [[nodiscard]] Value bound() const;

  /// What a sweep has to look at, more or less.
  [[nodiscard]] std::size_t size() const { return entries_.size() + price_.size(); }

  /// The features that still matter, and their values: groups of cells that no tree tells apart.
  [[nodiscard]] std::size_t features() const { return features_.size(); }
  [[nodiscard]] std::size_t values(std::size_t f) const { return features_[f].values; }
  [[nodiscard]] bool is_open(std::size_t f, std::size_t value) const {
    return open_[features_[f].first_value + value];
  }
  [[nodiscard]] FeatureId feature(std::size_t f) const { return features_[f].id; }
  /// A cell of a value.
  [[nodiscard]] Cell cell(std::size_t f, std::size_t value) const {
    return cell_[features_[f].first_value + value];
  }
  /// The bound with one value of a feature alone, as of the last sweep over the feature.
  [[nodiscard]] Value bound_with(std::size_t f, std::size_t value) const {
    return value_bound_[features_[f].first_value + value];
  }
  /// Takes a value out; sweeps see it.
  void close(std::size_t f, std::size_t value) { open_[features_[f].first_value + value] = false; }
  /// The first cell of a value: its others, of those in the box, come before the next value's.
  [[nodiscard]] Cell first_cell(std::size_t f, std::size_t value) const {
    return first_cell_[features_[f].first_value + value];
  }
  /// The cell after the last one that a value can have.
  [[nodiscard]] std::size_t end_cell(std::size_t f, std::size_t value, std::size_t cells) const {
    return value + 1 < values(f) ? first_cell(f, value + 1) : cells;
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
    std::uint32_t first_class, classes; // in class_first_, price_, rest_
    std::uint32_t first_entry, entries; // in entries_
    Value least = 0;                    // of its prices
  };
  struct Entry { // a range of classes that a leaf admits, of a leaf that does not admit all
    std::uint32_t leaf, begin, end;
  };
  struct Tree {
    std::uint32_t first_leaf, leaves, first_slot, slots;
    Value least = 0;
  };
  class Builder;
  class Restriction;

  Relaxation() = default;
  void sweep(std::size_t f, Value limit);
  void find_rest(const Slot& slot);
  void reprice(Slot& slot);
  [[nodiscard]] std::uint32_t class_at(const Slot& slot, std::uint32_t value) const;
  [[nodiscard]] std::uint32_t class_end(const Slot& slot, std::uint32_t c) const {
    return c + 1 < slot.classes ? class_first_[slot.first_class + c + 1]
                                : features_[slot.feature].values;
  }
  [[nodiscard]] std::uint32_t leaf_end(const Slot& slot, std::uint32_t entry) const;
  [[nodiscard]] bool admits(std::uint32_t first, std::uint32_t end, std::uint32_t of_class) const;
  void profile(std::size_t f, std::span<const std::uint32_t> violated,
               std::span<const std::uint32_t> choice, std::vector<Value>& sums) const;
  void order_slots();
  void add_costs();

  Value fixed_ = 0;
  bool backwards_ = false;
  std::vector<Feature> features_;
  std::vector<std::uint32_t> slot_order_; // slots by feature
  std::vector<Cell> cell_, first_cell_;   // one of each value's, and the first
  std::vector<Cell> point_;               // of each feature of the table
  std::vector<bool> open_;
  std::vector<Value> value_bound_;
  std::vector<Tree> trees_;
  std::vector<Slot> slots_; // by tree
  std::vector<Entry> entries_;
  std::vector<Value> entry_price_;         // the least price that the leaf of the entry pays
  std::vector<std::uint32_t> class_first_; // the first value of each class
  std::vector<Value> price_, rest_;        // by class
  std::vector<Value> leaf_value_, cost_;
  std::shared_ptr<Workspace> work_; // shared by the relaxations made from one
};

/// The entry after those of the same leaf.
inline std::uint32_t Relaxation::leaf_end(const Slot& slot, std::uint32_t entry) const {
  const std::uint32_t last = slot.first_entry + slot.entries;
  std::uint32_t end = entry + 1;
  while (end < last && entries_[end].leaf == entries_[entry].leaf)
    ++end;
  return end;
}

inline bool Relaxation::admits(std::uint32_t first, std::uint32_t end,
                               std::uint32_t of_class) const {
  for (std::uint32_t e = first; e < end; ++e)
    if (entries_[e].begin <= of_class && of_class < entries_[e].end)
      return true;
  return false;
}

} // namespace reasons::forest
