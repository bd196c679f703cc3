#include "forest/search/widen_reason.hpp"

#include "base/error.hpp"
#include "forest/search/greedy_reason.hpp"
#include "forest/search/probe.hpp"

#include <algorithm>

namespace reasons::forest {
namespace {

class Widening {
public:
  Widening(const BranchAndBound& search, std::span<const Cell> instance, LabelId label,
           std::span<const WidenedFeature> reason, Budget& budget)
      : search_(search), ensemble_(search.ensemble()), instance_(instance), label_(label),
        reason_(reason), budget_(budget),
        free_(ensemble_, label,
              box_around(ensemble_, instance, std::vector<bool>(ensemble_.features(), true)),
              budget),
        box_(box_around(ensemble_, instance, std::vector<bool>(ensemble_.features(), true))) {
    for (const WidenedFeature& each : reason) {
      cells_.emplace_back(ensemble_.domain(each.feature), false);
      last_first_.push_back(each.feature);
      box_[each.feature] = only(each.feature);
    }
    std::reverse(last_first_.begin(), last_first_.end());
  }

  std::vector<std::vector<Cell>> widen() {
    for (std::size_t j = 0; j < reason_.size(); ++j) {
      limit(j + 1);
      while (auto example = probe())
        add(std::move(*example)), limit(j + 1);
    }
    while (auto example = search_.other(label_, box_, instance_, budget_)) {
      add(std::move(*example)), limit(reason_.size());
      while ((example = probe()))
        add(std::move(*example)), limit(reason_.size());
    }
    std::vector<std::vector<Cell>> widened(reason_.size());
    for (std::size_t j = 0; j < reason_.size(); ++j)
      for (std::uint32_t c = 0; c < cells_[j].size(); ++c)
        if (cells_[j][c])
          widened[j].push_back(static_cast<Cell>(c));
    return widened;
  }

private:
  struct Example {
    std::vector<Cell> cells;
    std::size_t last;      // of the reason's features that it changes, the last
    std::vector<bool> bad; // the cells of that feature with which it has another label
  };

  std::vector<bool> only(FeatureId f) const {
    std::vector<bool> cells(ensemble_.domain(f), false);
    cells[instance_[f]] = true;
    return cells;
  }

  /// Makes the box of the first features' widest cells, as far as is known, and the others' own.
  void limit(std::size_t features) {
    for (std::size_t j = 0; j < features; ++j) {
      std::vector<bool>& cells = cells_[j];
      cells.assign(cells.size(), true);
      for (const Example& example : examples_)
        if (example.last == j && is_before(example))
          for (std::size_t c = 0; c < cells.size(); ++c)
            if (example.bad[c])
              cells[c] = false;
      if (reason_[j].numbers > 0)
        keep_interval(cells, instance_[reason_[j].feature], reason_[j].numbers);
      box_[reason_[j].feature] = cells;
    }
  }

  /// Whether the features before the example's last one are within their cells.
  bool is_before(const Example& example) const {
    for (std::size_t i = 0; i < example.last; ++i)
      if (!cells_[i][example.cells[reason_[i].feature]])
        return false;
    return true;
  }

  static void keep_interval(std::vector<bool>& cells, Cell own, std::uint32_t numbers) {
    std::uint32_t first = own, end = own + 1u;
    while (first > 0 && cells[first - 1])
      --first;
    while (end < numbers && cells[end])
      ++end;
    std::fill(cells.begin(), cells.begin() + first, false);
    std::fill(cells.begin() + end, cells.end(), false);
  }

  /// A counter-example in the box, near the instance or one that was found before.
  std::optional<std::vector<Cell>> probe() {
    budget_.check();
    Probe probe(ensemble_, label_, box_, budget_);
    if (auto found = probe.descend({instance_.begin(), instance_.end()}))
      return found;
    const std::size_t known = examples_.size();
    for (std::size_t i = 1; i <= std::min(known, most_starts); ++i)
      if (auto found = probe.descend(examples_[known - i].cells))
        return found;
    return std::nullopt;
  }

  void add(std::vector<Cell> cells) {
    move_back(ensemble_, cells, instance_, label_, last_first_);
    // A move back can make another one possible that was not before: of the last feature it counts.
    for (std::size_t j = reason_.size(); j-- > 0;) {
      const FeatureId f = reason_[j].feature;
      if (cells[f] == instance_[f])
        continue;
      std::vector<bool> bad = bad_cells(cells, f);
      if (!bad[instance_[f]]) {
        examples_.push_back({std::move(cells), j, std::move(bad)});
        return;
      }
      cells[f] = instance_[f];
    }
    throw InputError("the features to be widened do not suffice");
  }

  /// The cells of a feature with which an instance has another label.
  std::vector<bool> bad_cells(std::vector<Cell> cells, FeatureId f) {
    std::vector<std::uint32_t> turns = free_.turns(f, cells);
    turns.push_back(ensemble_.domain(f));
    std::vector<bool> bad(ensemble_.domain(f), false);
    for (std::size_t i = 0; i + 1 < turns.size(); ++i) {
      cells[f] = static_cast<Cell>(turns[i]);
      const LabelId now = ensemble_.decide(cells);
      if (now != label_ && now != impossible_label)
        std::fill(bad.begin() + turns[i], bad.begin() + turns[i + 1], true);
    }
    return bad;
  }

  static constexpr std::size_t most_starts = 4;
  const BranchAndBound& search_;
  const Ensemble& ensemble_;
  std::span<const Cell> instance_;
  LabelId label_;
  std::span<const WidenedFeature> reason_;
  Budget& budget_;
  Probe free_; // of all instances
  Box box_;
  std::vector<std::vector<bool>> cells_; // of each feature of the reason
  std::vector<FeatureId> last_first_;
  std::vector<Example> examples_;
};

void require_reason(const Ensemble& ensemble, std::span<const Cell> instance,
                    std::span<const WidenedFeature> reason) {
  std::vector<bool> met(ensemble.features(), false);
  for (const auto& [f, numbers] : reason) {
    if (f >= met.size() || met[f])
      throw InputError("a feature that is to be widened is unknown or listed twice");
    met[f] = true;
    if (numbers > ensemble.domain(f) || (numbers > 0 && instance[f] >= numbers))
      throw InputError("the interval to be widened does not hold the instance's value");
  }
}

} // namespace

std::vector<std::vector<Cell>> widened(const BranchAndBound& search, std::span<const Cell> instance,
                                       LabelId label, std::span<const WidenedFeature> reason,
                                       Budget& budget) {
  require_reason(search.ensemble(), instance, reason);
  if (label == impossible_label || search.ensemble().decide(instance) != label)
    throw InputError("the instance does not have the label that is to be explained");
  return Widening(search, instance, label, reason, budget).widen();
}

} // namespace reasons::forest
