#include "batch/propagation/tile.hpp"

#include "batch/simd.hpp"

#include <cassert>

namespace reasons::batch {

Arms::Arms(const Circuit& circuit) {
  std::vector<std::vector<Run>> runs;
  for (SplitId s = 0; s < circuit.splits(); ++s) {
    const auto arm_of = circuit.arm_of(s);
    runs.assign(circuit.arms(s), {});
    for (std::size_t v = 0; v < arm_of.size(); ++v) {
      if (arm_of[v] == no_arm)
        continue;
      auto& own = runs[arm_of[v]];
      const auto cell = static_cast<Cell>(v);
      if (!own.empty() && own.back().last + 1 == cell)
        own.back().last = cell;
      else
        own.push_back({cell, cell});
    }
    for (const auto& own : runs) {
      runs_.insert(runs_.end(), own.begin(), own.end());
      run_from_.push_back(runs_.size());
    }
    from_.push_back(from_.back() + runs.size());
  }
}

Tile::Tile(const Circuit& circuit, const Arms& arms)
    : circuit_(circuit), arms_(arms), with_label_(circuit.labels()), arm_(arms.count()),
      cell_from_{0}, made_(arms.count(), 0) {
  for (FeatureId f = 0; f < circuit.features(); ++f)
    cell_from_.push_back(cell_from_.back() + circuit.domain(f));
  at_most_.resize(cell_from_.back());
}

void Tile::load(std::span<const Cell> cells, std::span<const LabelId> labels) {
  assert(labels.size() <= tile_rows && cells.size() == labels.size() * circuit_.features());
  cells_ = cells;
  labels_ = labels;
  ++loads_;
  asked_ = {};
  std::fill(with_label_.begin(), with_label_.end(), RowMask{});
  std::fill(at_most_.begin(), at_most_.end(), RowMask{});
  const Cell* cell = cells.data();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] != impossible_label) {
      with_label_[labels[i]].set(i);
      asked_.set(i);
    }
    for (FeatureId f = 0; f < circuit_.features(); ++f)
      at_most_[cell_from_[f] + *cell++].set(i);
  }
  for (FeatureId f = 0; f < circuit_.features(); ++f)
    for (std::size_t v = cell_from_[f] + 1; v < cell_from_[f + 1]; ++v)
      at_most_[v] |= at_most_[v - 1];
}

[[gnu::always_inline]] inline RowMask Tile::between(FeatureId f, Cell first, Cell last) const {
  const RowMask& up_to = at_most_[cell_from_[f] + last];
  return first == 0 ? up_to : up_to & ~at_most_[cell_from_[f] + first - 1];
}

REASONS_WIDE void Tile::make(FeatureId f, std::size_t place) {
  made_[place] = loads_;
  RowMask found;
  for (const auto& run : arms_.runs(place))
    found |= between(f, run.first, run.last);
  arm_[place] = found;
}

REASONS_WIDE std::span<const RowMask> Tile::all_arms() {
  for (SplitId s = 0; s < circuit_.splits(); ++s)
    for (std::size_t k = 0; k < circuit_.arms(s); ++k)
      (void)arm(s, k);
  return arm_;
}

} // namespace reasons::batch
