#include "forest/search/cheapest_change.hpp"

#include "base/error.hpp"
#include "forest/bound/leaf_table.hpp"
#include "forest/search/box.hpp"
#include "forest/search/probe.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <string>

namespace reasons::forest {
namespace {

using Value = Relaxation::Value;
using Cost = std::int64_t;

constexpr Value most_price = Value{1} << 56; // of all features together
constexpr int trial_sweeps = 4;
constexpr Value first_patience = 100; // a first box that is swept longer passes its prices on

class ChangeSearch {
public:
  ChangeSearch(const Ensemble& ensemble, const ChangeQuestion& question, Budget& budget,
               ChangeFound& found)
      : ensemble_(ensemble), question_(question), budget_(budget), ticker_(budget), found_(found) {}

  void run() {
    seed();
    found_.at_least = std::min(best_cost(), cost_of_two());
    std::vector<LabelId> rivals;
    for (LabelId rival = 0; rival < ensemble_.labels(); ++rival)
      if (rival != question_.label && (is_any() || rival == question_.wanted))
        rivals.push_back(rival);
    for (const LabelId rival : rivals)
      try {
        against(rival);
      } catch (const BudgetExceeded&) {
        if (rival == rivals.back())
          found_.at_least = std::max(found_.at_least, least_of_open());
        throw;
      }
    found_.at_least = best_cost();
  }

private:
  static constexpr Cost unlimited_cost = std::numeric_limits<Cost>::max() / 2;
  struct Open {
    Relaxation box;
    std::vector<Cost> least; // of each feature: what its cheapest cell in the box costs
  };

  [[nodiscard]] bool is_any() const { return question_.wanted == Ensemble::no_label; }
  [[nodiscard]] bool changes(std::span<const Cell> cells) const {
    const LabelId label = ensemble_.decide(cells);
    return is_any() ? label != question_.label && label != impossible_label
                    : label == question_.wanted;
  }
  [[nodiscard]] Cost cost_of(std::span<const Cell> cells) const {
    Cost cost = 0;
    for (FeatureId f = 0; f < cells.size(); ++f)
      cost += question_.costs[f][cells[f]];
    return cost;
  }

  /// Instances to improve on, where some show at once: one changed feature, or many.
  void seed() {
    const std::vector<Cell> start = nearest();
    offer(start);
    Probe probe(ensemble_, question_.label, question_.box, budget_);
    for (FeatureId f = 0; f < start.size(); ++f) {
      std::vector<Cell> cells = start;
      if (take_cheapest(probe, cells, f,
                        best_cost() - cost_of(start) + question_.costs[f][start[f]]))
        found_.best = Change{cells, cost_of(cells)};
    }
    if (!found_.best)
      if (auto found = probe.descend(question_.instance))
        offer(std::move(*found));
  }

  /// The cheapest cells of the box; the instance itself where it lies there.
  [[nodiscard]] std::vector<Cell> nearest() const {
    std::vector<Cell> cells = question_.instance;
    for (FeatureId f = 0; f < cells.size(); ++f)
      for (std::size_t c = 0; c < question_.box[f].size(); ++c)
        if (question_.box[f][c] &&
            (!question_.box[f][cells[f]] || question_.costs[f][c] < question_.costs[f][cells[f]]))
          cells[f] = static_cast<Cell>(c);
    return cells;
  }

  /// What changing two features costs at least: single ones are all tried at the start.
  [[nodiscard]] Cost cost_of_two() const {
    Cost spent = 0;
    std::vector<Cost> more;
    for (FeatureId f = 0; f < question_.box.size(); ++f) {
      std::vector<Cost> costs;
      for (std::size_t c = 0; c < question_.box[f].size(); ++c)
        if (question_.box[f][c])
          costs.push_back(question_.costs[f][c]);
      const Cost least = *std::ranges::min_element(costs);
      spent += least;
      std::erase(costs, least);
      if (!costs.empty())
        more.push_back(*std::ranges::min_element(costs) - least);
    }
    std::ranges::sort(more);
    return more.size() < 2 ? spent : spent + more[0] + more[1];
  }

  /// What the instances of the boxes that are still open cost at least.
  [[nodiscard]] Cost least_of_open() const {
    Cost least = best_cost();
    for (const Open& at : open_) {
      const Cost spent = std::accumulate(at.least.begin(), at.least.end(), Cost{0});
      const Value above = at.box.bound() - limit_at_nothing_;
      const Cost by_bound = price_ > 0 && above > 0 ? (above - 1) / price_ + 1 : 0;
      least = std::min(least, std::max(spent, by_bound));
    }
    return least;
  }

  [[nodiscard]] Cost best_cost() const { return found_.best ? found_.best->cost : unlimited_cost; }

  /// Keeps an instance, made cheaper feature by feature, if it changes the label and is the
  /// cheapest so far.
  bool offer(std::vector<Cell> cells) {
    if (!changes(cells))
      return false;
    make_cheaper(cells);
    const Cost cost = cost_of(cells);
    if (found_.best && cost >= found_.best->cost)
      return false;
    found_.best = Change{std::move(cells), cost};
    return true;
  }

  void make_cheaper(std::vector<Cell>& cells) {
    Probe probe(ensemble_, question_.label, question_.box, budget_);
    std::vector<FeatureId> order(cells.size());
    std::iota(order.begin(), order.end(), 0);
    const auto cost = [&](FeatureId f) { return question_.costs[f][cells[f]]; };
    for (bool moved = true; moved;) {
      moved = false;
      std::ranges::stable_sort(order, std::greater(), cost);
      for (const FeatureId f : order)
        if (cost(f) > 0)
          moved |= take_cheapest(probe, cells, f, cost(f));
    }
  }

  /// Gives a feature the cheapest cell, of those that cost less than some, with which the label
  /// changes. False, and nothing done, where there is none.
  bool take_cheapest(Probe& probe, std::vector<Cell>& cells, FeatureId f, Cost below) const {
    const std::vector<Cost>& costs = question_.costs[f];
    const std::vector<bool>& allowed = question_.box[f];
    const Cell own = cells[f];
    const std::vector<std::uint32_t> turns = probe.turns(f, cells);
    std::vector<std::pair<Cost, Cell>> cheaper; // of each run of cells that decide alike
    for (std::size_t i = 0; i < turns.size(); ++i) {
      const std::size_t end = i + 1 < turns.size() ? turns[i + 1] : costs.size();
      std::optional<std::pair<Cost, Cell>> best;
      for (std::size_t c = turns[i]; c < end; ++c)
        if (allowed[c] && (!best || costs[c] < best->first))
          best = {costs[c], static_cast<Cell>(c)};
      if (best && best->first < below)
        cheaper.push_back(*best);
    }
    std::ranges::sort(cheaper);
    for (const auto& [cost, cell] : cheaper) {
      cells[f] = cell;
      if (changes(cells))
        return true;
    }
    cells[f] = own;
    return false;
  }

  /// Cells that are not dearer than all of a change that is cheaper than the best.
  [[nodiscard]] Box affordable() const {
    Box box = question_.box;
    if (!found_.best)
      return box;
    Cost spent = 0;
    std::vector<Cost> least(box.size(), unlimited_cost);
    for (FeatureId f = 0; f < box.size(); ++f) {
      for (Cell c = 0; c < box[f].size(); ++c)
        if (box[f][c])
          least[f] = std::min(least[f], question_.costs[f][c]);
      spent += least[f];
    }
    for (FeatureId f = 0; f < box.size(); ++f)
      for (std::size_t c = 0; c < box[f].size(); ++c)
        if (box[f][c] && spent - least[f] + question_.costs[f][c] >= found_.best->cost)
          box[f][c] = question_.costs[f][c] == least[f];
    return box;
  }

  /// Searches for a change to another label, or for a cheaper one, until there is none.
  void against(LabelId rival) {
    for (bool again = true; again && best_cost() > 0;) {
      open_.clear();
      const Box box = affordable();
      Lead lead =
          lead_of(ensemble_, question_.label, rival, identity_mapping(ensemble_), box, budget_);
      ticker_.add(lead.table.ranges.size());
      again = !found_.best ? explore(lead, 0) : explore(lead, chosen_price(lead));
    }
  }

  /// A price of cost with which the bound of the whole box says most about the cost.
  Value chosen_price(const Lead& lead) {
    constexpr std::array tenths{100, 30, 9, 4};
    const Value gap = own_lead(lead.table) - lead.limit;
    const auto most = most_price / (found_.best->cost * static_cast<Cost>(lead.table.box.size()));
    Value best_price = 0;
    double best = -std::numeric_limits<double>::infinity();
    for (const int tenth : tenths) {
      const Value price = std::clamp<Value>(gap / 10 * tenth / found_.best->cost, 1, most);
      Relaxation root = relaxation(lead, price);
      const Value limit = limit_of(lead, price);
      for (int i = 0; i < trial_sweeps && root.bound() <= limit; ++i) {
        ticker_.add(root.size());
        root.sweep(limit);
      }
      const double bound =
          static_cast<double>(root.bound() - lead.limit) / static_cast<double>(price);
      if (bound > best) {
        best = bound;
        best_price = price;
      }
    }
    return best_price;
  }

  /// The lead of the label in the instance itself, on the scale of a table.
  [[nodiscard]] Value own_lead(const LeafTable& table) const {
    Value sum = table.fixed;
    for (std::size_t t = 0; t < table.trees(); ++t)
      for (const LeafTable::Leaf& leaf : table.leaves_of(t)) {
        const auto limits = table.limits_of(leaf);
        if (std::ranges::all_of(limits, [&](const LeafTable::Limit& limit) {
              return contains(table.cells_of(limit), question_.instance[limit.feature]);
            })) {
          sum += leaf.value;
          break;
        }
      }
    return sum;
  }

  [[nodiscard]] Value limit_of(const Lead& lead, Value price) const {
    return price == 0 ? lead.limit : lead.limit + price * (found_.best->cost - 1);
  }

  /// The relaxation of a lead with a price for each unit of cost.
  [[nodiscard]] Relaxation relaxation(const Lead& lead, Value price) const {
    if (price == 0)
      return {lead.table, question_.instance};
    LeafTable table = lead.table;
    for (FeatureId f = 0; f < table.box.size(); ++f) {
      std::map<Cost, CellRanges> by_cost;
      for (const CellRange& range : table.box[f])
        for (std::uint32_t c = range.begin; c < range.end; ++c) {
          CellRanges& ranges = by_cost[question_.costs[f][c]];
          if (!ranges.empty() && ranges.back().end == c)
            ++ranges.back().end;
          else
            ranges.push_back({c, c + 1});
        }
      if (by_cost.size() == 1) {
        table.fixed += price * by_cost.begin()->first;
        continue;
      }
      for (const auto& [cost, ranges] : by_cost) {
        const auto first = static_cast<std::uint32_t>(table.ranges.size());
        table.ranges.insert(table.ranges.end(), ranges.begin(), ranges.end());
        table.limits.push_back({f, first, static_cast<std::uint32_t>(table.ranges.size())});
        table.leaves.push_back({price * cost, table.limits.size() - 1, table.limits.size()});
      }
      table.tree_first.push_back(table.leaves.size());
    }
    return {table, question_.instance};
  }

  [[nodiscard]] Cost cost_of(const Relaxation& box, std::size_t f, std::size_t v) const {
    return question_.costs[box.feature(f)][box.cell(f, v)];
  }

  /// Closes values that are too dear together with the cheapest of the others. False where the
  /// box is too dear as a whole.
  bool close_dear(Open& at) const {
    if (!found_.best)
      return true;
    Relaxation& box = at.box;
    for (std::size_t f = 0; f < box.features(); ++f) {
      Cost least = unlimited_cost;
      for (std::size_t v = 0; v < box.values(f); ++v)
        if (box.is_open(f, v))
          least = std::min(least, cost_of(box, f, v));
      at.least[box.feature(f)] = least;
    }
    Cost spent = 0;
    for (const Cost least : at.least)
      spent += least;
    const Cost left = found_.best->cost - 1 - spent;
    if (left < 0)
      return false;
    for (std::size_t f = 0; f < box.features(); ++f)
      for (std::size_t v = 0; v < box.values(f); ++v)
        if (box.is_open(f, v) && cost_of(box, f, v) - at.least[box.feature(f)] > left)
          box.close(f, v);
    return true;
  }

  /// Parts a box into the cheapest values of a feature and the others; the more promising half
  /// comes last. False if every feature's values cost the same.
  bool split_by_cost(Open& at) {
    Relaxation& box = at.box;
    const auto own_bound = static_cast<double>(box.bound());
    double best = -1;
    std::size_t feature = 0;
    bool cheap_first = false;
    for (std::size_t f = 0; f < box.features(); ++f) {
      Value cheap = Relaxation::none, dear = Relaxation::none;
      bool mixed = false;
      for (std::size_t v = 0; v < box.values(f); ++v)
        if (box.is_open(f, v)) {
          const bool is_cheap = cost_of(box, f, v) == at.least[box.feature(f)];
          mixed |= !is_cheap;
          Value& least = is_cheap ? cheap : dear;
          least = std::min(least, box.bound_with(f, v));
        }
      if (!mixed)
        continue;
      const double gain = (static_cast<double>(cheap) - own_bound + 1) *
                          (static_cast<double>(dear) - own_bound + 1);
      if (gain > best) {
        best = gain;
        feature = f;
        cheap_first = cheap <= dear;
      }
    }
    if (best < 0)
      return false;
    std::vector<std::vector<bool>> cheap(box.features()), dear;
    for (std::size_t f = 0; f < box.features(); ++f)
      for (std::size_t v = 0; v < box.values(f); ++v)
        cheap[f].push_back(box.is_open(f, v));
    dear = cheap;
    for (std::size_t v = 0; v < box.values(feature); ++v)
      (cost_of(box, feature, v) == at.least[box.feature(feature)] ? dear : cheap)[feature][v] =
          false;
    open_.push_back({box.restricted(cheap_first ? dear : cheap), at.least});
    open_.push_back({box.restricted(cheap_first ? cheap : dear), at.least});
    return true;
  }

  /// Goes through the boxes. Whether the price should be chosen again, the best being much cheaper.
  bool explore(const Lead& lead, Value price) {
    price_ = price;
    limit_at_nothing_ = lead.limit;
    open_.push_back({relaxation(lead, price), least_costs(lead.table)});
    const Cost tuned_for = best_cost();
    std::vector<std::uint32_t> choice;
    for (bool first = true; !open_.empty(); first = false) {
      Open& at = open_.back();
      const Value limit = limit_of(lead, price);
      if (!close_dear(at) ||
          refuted(at.box, limit, ticker_, first ? first_patience : usual_patience)) {
        open_.pop_back();
        continue;
      }
      if (at.box.descend(choice) <= limit && offer(at.box.cells(choice)) &&
          (price == 0 || 4 * best_cost() <= 3 * tuned_for))
        return true;
      ticker_.add(2 * at.box.size());
      split();
    }
    return false;
  }

  [[nodiscard]] std::vector<Cost> least_costs(const LeafTable& table) const {
    std::vector<Cost> least;
    for (FeatureId f = 0; f < table.box.size(); ++f) {
      least.push_back(unlimited_cost);
      for (const CellRange& range : table.box[f])
        for (std::uint32_t c = range.begin; c < range.end; ++c)
          least.back() = std::min(least.back(), question_.costs[f][c]);
    }
    return least;
  }

  /// Parts the box that was opened last, unless all its instances have the same leaves.
  void split() {
    Open at = std::move(open_.back());
    open_.pop_back();
    if (at.box.features() == 0 || (price_ > 0 && split_by_cost(at)))
      return;
    std::vector<Relaxation> halves;
    split_in_two(at.box, halves);
    for (Relaxation& half : halves)
      open_.push_back({std::move(half), at.least});
  }

  const Ensemble& ensemble_;
  const ChangeQuestion& question_;
  Budget& budget_;
  BudgetTicker ticker_;
  ChangeFound& found_;
  std::vector<Open> open_;
  Value price_ = 0, limit_at_nothing_ = 0; // of a unit of cost; of the lead
};

void require_costs(const Ensemble& ensemble, const ChangeQuestion& question) {
  if (question.label >= ensemble.labels() ||
      (question.wanted != Ensemble::no_label && question.wanted >= ensemble.labels()))
    throw InputError("there is no such label");
  if (question.costs.size() != ensemble.features())
    throw InputError("each feature needs the costs of its values");
  Cost sum = 0;
  for (FeatureId f = 0; f < ensemble.features(); ++f) {
    const std::vector<Cost>& costs = question.costs[f];
    if (costs.size() != ensemble.domain(f))
      throw InputError("each value of a feature needs a cost");
    const auto [least, most] = std::ranges::minmax(costs);
    if (least < 0 || most > most_cost || (sum += most) > most_cost)
      throw InputError("costs are whole numbers from 0 on, and their sum is limited");
  }
}

} // namespace

void cheapest_change(const Ensemble& ensemble, const ChangeQuestion& question, Budget& budget,
                     ChangeFound& found) {
  require_costs(ensemble, question);
  budget.check();
  ChangeSearch(ensemble, question, budget, found).run();
}

} // namespace reasons::forest
