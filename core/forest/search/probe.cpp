#include "forest/search/probe.hpp"

#include <algorithm>

namespace reasons::forest {
namespace {

/// The cell of some ranges that is nearest to one.
Cell nearest(std::span<const CellRange> ranges, std::uint32_t cell) {
  std::uint32_t best = ranges[0].begin;
  const auto distance = [&](std::uint32_t c) { return c > cell ? c - cell : cell - c; };
  for (const CellRange& range : ranges) {
    const std::uint32_t at = std::clamp(cell, range.begin, range.end - 1);
    if (distance(at) < distance(best))
      best = at;
  }
  return static_cast<Cell>(best);
}

} // namespace

Probe::Probe(const Ensemble& ensemble, LabelId label, const Box& box, Budget& budget)
    : ensemble_(ensemble), label_(label), budget_(budget) {
  for (FeatureId f = 0; f < box.size(); ++f) {
    box_.push_back(ranges_of(box[f]));
    if (box_[f].size() > 1 || box_[f][0].end - box_[f][0].begin > 1)
      loose_.push_back(f);
  }
}

bool Probe::is_other() const {
  const LabelId label = ensemble_.decide(cells_);
  return label != label_ && label != impossible_label;
}

/// The label with the most, but for the one that is to be left.
LabelId Probe::strongest_rival() const {
  if (ensemble_.forest().rule == Rule::cut)
    return 1 - label_;
  std::vector<Units> sums;
  for (std::uint32_t score = 0; score < ensemble_.scores(); ++score)
    sums.push_back(ensemble_.start(score));
  for (std::size_t t = 0; t < ensemble_.trees(); ++t) {
    std::uint32_t node = ensemble_.forest().tree_first[t];
    while (!ensemble_.is_leaf(node))
      node = ensemble_.child(node, cells_[ensemble_.feature(node)]);
    for (std::uint32_t score = 0; score < sums.size(); ++score)
      sums[score] += ensemble_.units(t, node, score);
  }
  LabelId best = label_ == 0 ? 1 : 0;
  for (LabelId rival = 0; rival < sums.size(); ++rival)
    if (rival != label_ && sums[rival] > sums[best])
      best = rival;
  return best;
}

/// What a tree adds for each cell of one feature, the others being as they are.
void Probe::walk(std::uint32_t root, FeatureId f, const auto& price_of) {
  for (const CellRange& range : box_[f])
    open_.push_back({root, range});
  while (!open_.empty()) {
    auto [node, cells] = open_.back();
    open_.pop_back();
    while (!ensemble_.is_leaf(node)) {
      budget_.tick();
      const FeatureId tested = ensemble_.feature(node);
      if (tested != f) {
        node = ensemble_.child(node, cells_[tested]);
        continue;
      }
      parts_.clear();
      append_common({&cells, 1}, ensemble_.left_cells(node), false, parts_);
      for (const CellRange& part : parts_)
        open_.push_back({ensemble_.forest().node_right[node], part});
      const std::size_t right = parts_.size();
      append_common({&cells, 1}, ensemble_.left_cells(node), true, parts_);
      if (parts_.size() == right) { // goes on with a part to the right
        node = open_.back().node;
        cells = open_.back().cells;
        open_.pop_back();
        continue;
      }
      node = ensemble_.forest().node_left[node];
      for (std::size_t k = right + 1; k < parts_.size(); ++k)
        open_.push_back({node, parts_[k]});
      cells = parts_[right];
    }
    const Price price = price_of(node);
    if (price != Price{}) {
      events_.push_back({cells.begin, price});
      events_.push_back({cells.end, {-price.broken, -price.lead}});
    }
  }
}

/// Gives a feature the value with the lowest lead. Whether that is another one than before.
bool Probe::improve(FeatureId f, LabelId rival) {
  const Forest& forest = ensemble_.forest();
  events_.clear();
  for (const CellRange& range : box_[f])
    events_.push_back({range.begin, {}});
  for (std::size_t t = 0; t < ensemble_.trees(); ++t)
    walk(forest.tree_first[t], f, [&](std::uint32_t leaf) {
      return Price{0, ensemble_.lead_units(t, leaf, label_, rival)};
    });
  for (const std::uint32_t root : forest.guard_first)
    walk(root, f, [&](std::uint32_t leaf) {
      return Price{static_cast<std::int64_t>(forest.node_left[leaf]), 0};
    });
  std::sort(events_.begin(), events_.end(),
            [](const Event& a, const Event& b) { return a.cell < b.cell; });
  Price now, best, own;
  std::optional<std::uint32_t> best_cell;
  for (std::size_t i = 0; i < events_.size();) {
    const std::uint32_t cell = events_[i].cell;
    for (; i < events_.size() && events_[i].cell == cell; ++i) {
      now.broken += events_[i].change.broken;
      now.lead += events_[i].change.lead;
    }
    if (cell <= cells_[f])
      own = now;
    if ((!best_cell || now < best) && contains(box_[f], cell)) {
      best = now;
      best_cell = cell;
    }
  }
  if (!best_cell || best >= own)
    return false;
  cells_[f] = static_cast<Cell>(*best_cell);
  return true;
}

std::vector<std::uint32_t> Probe::turns(FeatureId f, std::vector<Cell> instance) {
  cells_ = std::move(instance);
  events_.clear();
  const auto any = [](std::uint32_t) { return Price{0, 1}; }; // so that every leaf is an event
  for (const std::uint32_t root : ensemble_.forest().tree_first)
    walk(root, f, any);
  for (const std::uint32_t root : ensemble_.forest().guard_first)
    walk(root, f, any);
  std::vector<std::uint32_t> turns;
  for (const CellRange& range : box_[f])
    turns.push_back(range.begin);
  for (const Event& event : events_)
    if (contains(box_[f], event.cell))
      turns.push_back(event.cell);
  std::sort(turns.begin(), turns.end());
  turns.erase(std::unique(turns.begin(), turns.end()), turns.end());
  return turns;
}

std::optional<std::vector<Cell>> Probe::descend(std::vector<Cell> start) {
  cells_ = std::move(start);
  for (FeatureId f = 0; f < cells_.size(); ++f)
    cells_[f] = nearest(box_[f], cells_[f]);
  if (ensemble_.labels() < 2)
    return std::nullopt;
  if (is_other())
    return cells_;
  const LabelId rival = strongest_rival();
  for (bool moved = true; moved;) {
    moved = false;
    for (const FeatureId f : loose_)
      moved |= improve(f, rival);
    if (moved && is_other())
      return cells_;
  }
  return std::nullopt;
}

} // namespace reasons::forest
