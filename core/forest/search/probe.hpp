// probe.hpp: coordinate descent on the trees: a counter-example before anything is proved.
//
// One feature after another takes the value with the lowest lead, the others staying as they are.
// Nothing is built for it: each tree is walked with one feature free. Most boxes that hold a
// counter-example show one this way, and need no relaxation.
#pragma once

#include "forest/bound/leaf_table.hpp"

#include <compare>
#include <optional>

namespace reasons::forest {

class Probe {
public:
  /// Looks for instances in the box with another label than `label`.
  Probe(const Ensemble& ensemble, LabelId label, const Box& box, Budget& budget);

  /// Descends from the cell of each feature that is nearest to the start's. An instance with
  /// another label, or nothing, which proves nothing. Time O(features * trees * depth) a round.
  [[nodiscard]] std::optional<std::vector<Cell>> descend(std::vector<Cell> start);

  /// The cells of one feature from which on some tree has another leaf, the others being as in an
  /// instance of the box: between two of them, all decisions are the same.
  [[nodiscard]] std::vector<std::uint32_t> turns(FeatureId f, std::vector<Cell> instance);

private:
  using Units = Ensemble::Units;
  struct Price { // the guards that an instance breaks, then the lead of its label
    std::int64_t broken = 0;
    Units lead = 0;
    friend auto operator<=>(const Price&, const Price&) = default;
  };
  struct Event { // what is added to the price from a cell on
    std::uint32_t cell;
    Price change;
  };
  [[nodiscard]] bool improve(FeatureId f, LabelId rival);
  void walk(std::uint32_t root, FeatureId f, const auto& price_of);
  [[nodiscard]] bool is_other() const;
  [[nodiscard]] LabelId strongest_rival() const;

  struct Open {
    std::uint32_t node;
    CellRange cells;
  };
  const Ensemble& ensemble_;
  LabelId label_;
  Budget& budget_;
  std::vector<CellRanges> box_;
  std::vector<FeatureId> loose_; // features with more than one cell
  std::vector<Cell> cells_;
  std::vector<Event> events_;
  std::vector<Open> open_;
  CellRanges parts_;
};

} // namespace reasons::forest
