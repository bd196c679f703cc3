// cheapest_change.hpp: the cheapest instance of a box that gets another label.
//
// Branch and bound on the lead and the cost at once (Lagrangian relaxation): an instance that
// changes the label at a cost of k at most has a lead of at most the limit, so its lead plus a
// price p for each unit of cost is at most limit + p * k, whatever p. Costs join the relaxation as
// trees of one feature each, and a box whose bound is above that holds no such instance.
#pragma once

#include "forest/search/branch_and_bound.hpp"

namespace reasons::forest {

/// What each cell of each feature costs, whole numbers from 0 up to `most_cost` in sum.
using CellCosts = std::vector<std::vector<std::int64_t>>;
constexpr std::int64_t most_cost = std::int64_t{1} << 40;

struct Change {
  std::vector<Cell> cells;
  std::int64_t cost = 0;
};

struct ChangeQuestion {
  std::vector<Cell> instance;
  LabelId label = 0;                   // that is to be left
  LabelId wanted = Ensemble::no_label; // the label to get; any other one if none
  Box box;                             // where the changed instance lies
  CellCosts costs;
};

/// The best change so far, and what each costs at least, also where the budget ends the search.
struct ChangeFound {
  std::optional<Change> best;
  std::int64_t at_least = 0;
};

/// Finds the cheapest instance of the box with another label, or with the wanted one; no best if
/// there is none. Can take exponential time: budgeted.
void cheapest_change(const Ensemble& ensemble, const ChangeQuestion& question, Budget& budget,
                     ChangeFound& found);

} // namespace reasons::forest
