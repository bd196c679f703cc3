// local_search.cpp: coordinate descent: an instance whose sum is low.
#include "forest/bound/relaxation.hpp"

#include <algorithm>

namespace reasons::forest {

using Value = LeafTable::Value;

std::uint32_t Relaxation::class_at(const Slot& slot, std::uint32_t value) const {
  const auto begin = class_first_.begin() + slot.first_class;
  return static_cast<std::uint32_t>(std::upper_bound(begin, begin + slot.classes, value) - begin) -
         1;
}

/// The sum for each value of a feature, the others staying as chosen.
void Relaxation::profile(std::size_t f, std::span<const std::uint32_t> violated,
                         std::span<const std::uint32_t> choice, std::vector<Value>& sums) const {
  const Feature& feature = features_[f];
  sums.assign(feature.values, 0);
  std::vector<Value> of_class;
  for (const std::uint32_t s : std::span(slot_order_).subspan(feature.first_slot, feature.slots)) {
    const Slot& slot = slots_[s];
    const Tree& tree = trees_[slot.tree];
    const std::uint32_t chosen = class_at(slot, choice[f]);
    of_class.assign(slot.classes, none);
    std::uint32_t e = slot.first_entry;
    const std::uint32_t last = e + slot.entries;
    for (std::uint32_t i = 0; i < tree.leaves; ++i) {
      const std::uint32_t leaf = tree.first_leaf + i;
      if (e < last && entries_[e].leaf == i) {
        const std::uint32_t end = leaf_end(slot, e);
        if (violated[leaf] == (admits(e, end, chosen) ? 0u : 1u))
          for (std::uint32_t k = e; k < end; ++k)
            std::fill(of_class.begin() + entries_[k].begin, of_class.begin() + entries_[k].end,
                      leaf_value_[leaf]);
        e = end;
      } else if (violated[leaf] == 0) {
        std::fill(of_class.begin(), of_class.end(), leaf_value_[leaf]);
      }
    }
    for (std::uint32_t c = 0; c < slot.classes; ++c)
      for (std::uint32_t v = class_first_[slot.first_class + c]; v < class_end(slot, c); ++v)
        sums[v] = std::min(none, sums[v] + of_class[c]);
  }
}

Value Relaxation::descend(std::vector<std::uint32_t>& choice) const {
  choice.assign(features_.size(), 0);
  for (std::size_t f = 0; f < features_.size(); ++f) {
    const auto first = value_bound_.begin() + features_[f].first_value;
    choice[f] =
        static_cast<std::uint32_t>(std::min_element(first, first + features_[f].values) - first);
  }
  std::vector<std::uint32_t> violated(leaf_value_.size(), 0);
  const auto count = [&](std::size_t f, std::uint32_t change) {
    for (const std::uint32_t s :
         std::span(slot_order_).subspan(features_[f].first_slot, features_[f].slots)) {
      const Slot& slot = slots_[s];
      const std::uint32_t chosen = class_at(slot, choice[f]);
      for (std::uint32_t e = slot.first_entry; e < slot.first_entry + slot.entries;) {
        const std::uint32_t end = leaf_end(slot, e);
        if (!admits(e, end, chosen))
          violated[trees_[slot.tree].first_leaf + entries_[e].leaf] += change;
        e = end;
      }
    }
  };
  for (std::size_t f = 0; f < features_.size(); ++f)
    count(f, 1);
  std::vector<Value> sums;
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t f = 0; f < features_.size(); ++f) {
      profile(f, violated, choice, sums);
      const auto best =
          static_cast<std::uint32_t>(std::min_element(sums.begin(), sums.end()) - sums.begin());
      if (sums[best] < sums[choice[f]]) {
        count(f, static_cast<std::uint32_t>(-1));
        choice[f] = best;
        count(f, 1);
        moved = true;
      }
    }
  }
  Value sum = fixed_;
  for (const Tree& tree : trees_) {
    Value of_tree = none;
    for (std::uint32_t i = tree.first_leaf; i < tree.first_leaf + tree.leaves; ++i)
      if (violated[i] == 0)
        of_tree = leaf_value_[i];
    if (of_tree >= none)
      return none;
    sum += of_tree;
  }
  return sum;
}

std::vector<Cell> Relaxation::cells(std::span<const std::uint32_t> choice) const {
  std::vector<Cell> cells = point_;
  for (std::size_t f = 0; f < features_.size(); ++f)
    cells[features_[f].id] = cell_[features_[f].first_value + choice[f]];
  return cells;
}

} // namespace reasons::forest
