#include "forest/search/branch_and_bound.hpp"

#include "base/error.hpp"
#include "forest/bound/leaf_table.hpp"
#include "forest/search/box.hpp"
#include "forest/search/probe.hpp"

#include <string>

namespace reasons::forest {
namespace {

using Value = Relaxation::Value;

constexpr std::uint64_t first_looks = 4, boxes_between_looks = 4;
constexpr Value first_patience = 100; // a first box that is swept longer passes its prices on

} // namespace

std::optional<std::vector<Cell>> BranchAndBound::other(LabelId label, const Box& box,
                                                       std::span<const Cell> like,
                                                       Budget& budget) const {
  if (label >= ensemble_->labels())
    throw InputError("there is no label number " + std::to_string(label));
  budget.check();
  if (auto found = Probe(*ensemble_, label, box, budget).descend({like.begin(), like.end()}))
    return found;
  for (LabelId rival = 0; rival < ensemble_->labels(); ++rival)
    if (rival != label)
      if (auto found = counterexample_against(label, rival, box, like, budget))
        return found;
  return std::nullopt;
}

std::optional<std::vector<Cell>>
BranchAndBound::counterexample_against(LabelId label, LabelId rival, const Box& box,
                                       std::span<const Cell> like, Budget& budget) const {
  BudgetTicker ticker(budget);
  std::vector<Relaxation> open;
  const FeatureMapping mapping = identity_mapping(*ensemble_);
  Value limit = 0; // sums above it leave the rival no chance
  {
    const Lead lead = lead_of(*ensemble_, label, rival, mapping, box, budget);
    ticker.add(lead.table.ranges.size());
    open.emplace_back(lead.table, like);
    limit = lead.limit;
  }
  std::vector<std::uint32_t> choice;
  std::uint64_t boxes = 0;
  while (!open.empty()) {
    ++boxes;
    Relaxation at = std::move(open.back());
    open.pop_back();
    if (refuted(at, limit, ticker, boxes == 1 ? first_patience : usual_patience))
      continue;
    const bool look = boxes <= first_looks || boxes % boxes_between_looks == 0;
    if ((look || at.features() == 0) && at.descend(choice) <= limit) {
      std::vector<Cell> cells = at.cells(choice);
      const LabelId found = ensemble_->decide(cells);
      if (found != label && found != impossible_label)
        return cells;
    }
    if (at.features() == 0)
      continue; // all instances in the box have the same leaves
    ticker.add(2 * at.size());
    split_in_two(at, open);
  }
  return std::nullopt;
}

} // namespace reasons::forest
