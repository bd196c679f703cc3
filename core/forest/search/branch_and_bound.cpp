#include "forest/search/branch_and_bound.hpp"

#include "base/error.hpp"
#include "forest/bound/leaf_table.hpp"
#include "forest/search/box.hpp"
#include "forest/search/open_boxes.hpp"
#include "forest/search/probe.hpp"

#include <string>

namespace reasons::forest {
namespace {

using Value = Relaxation::Value;

constexpr std::uint32_t first_looks = 4, splits_between_looks = 4;
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
  std::optional<Relaxation> root;
  Value limit = 0; // sums above it leave the rival no chance
  {
    const FeatureMapping mapping = identity_mapping(*ensemble_);
    const Lead lead = lead_of(*ensemble_, label, rival, mapping, box, budget);
    root.emplace(lead.table, like);
    limit = lead.limit;
  }
  budget.check();
  const auto visit = [&](Relaxation& at, std::uint32_t depth, BudgetTicker& ticker) {
    VisitedBox visited;
    if (refuted(at, limit, ticker, depth == 0 ? first_patience : usual_patience))
      return visited;
    const bool look = depth < first_looks || depth % splits_between_looks == 0;
    std::vector<std::uint32_t> choice;
    if ((look || at.features() == 0) && at.descend(choice) <= limit) {
      std::vector<Cell> cells = at.cells(choice);
      const LabelId found = ensemble_->decide(cells);
      if (found != label && found != impossible_label) {
        visited.found = std::move(cells);
        return visited;
      }
    }
    if (at.features() == 0)
      return visited; // all instances in the box have the same leaves
    ticker.add(2 * at.size());
    split_in_two(at, visited.parts);
    return visited;
  };
  return first_found(std::move(*root), visit, budget);
}

} // namespace reasons::forest
