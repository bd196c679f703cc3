// build.cpp: construction of a relaxation from a table of leaves.
#include "forest/bound/relaxation.hpp"

#include <algorithm>
#include <map>

namespace reasons::forest {

using Value = LeafTable::Value;

Relaxation::Relaxation(const LeafTable& table) : fixed_(table.fixed) {
  point_.assign(table.domains.size(), 0);
  for (FeatureId f = 0; f < table.domains.size(); ++f) {
    features_.push_back({.id = f,
                         .first_value = static_cast<std::uint32_t>(cell_.size()),
                         .values = table.domains[f]});
    for (std::uint32_t c = 0; c < table.domains[f]; ++c)
      cell_.push_back(static_cast<Cell>(c));
  }
  first_cell_ = cell_;
  open_.assign(cell_.size(), true);
  value_bound_.assign(cell_.size(), 0);
  for (const auto& leaves : table.trees) {
    const auto tree = static_cast<std::uint32_t>(trees_.size());
    const auto first_slot = static_cast<std::uint32_t>(slots_.size());
    std::map<FeatureId, std::vector<std::pair<std::uint32_t, const std::vector<bool>*>>> limits;
    trees_.push_back({.first_leaf = static_cast<std::uint32_t>(leaf_value_.size()),
                      .leaves = static_cast<std::uint32_t>(leaves.size()),
                      .first_slot = first_slot,
                      .slots = 0});
    for (std::uint32_t i = 0; i < leaves.size(); ++i) {
      for (const auto& limit : leaves[i].limits)
        limits[limit.feature].emplace_back(i, &limit.cells);
      leaf_value_.push_back(leaves[i].value);
    }
    for (const auto& [feature, of_leaves] : limits) {
      // cells that every leaf treats alike are one class
      std::vector<std::uint32_t> class_of(table.domains[feature], 0);
      std::uint32_t classes = 1;
      for (const auto& [leaf, cells] : of_leaves) {
        std::map<std::pair<std::uint32_t, bool>, std::uint32_t> refined;
        for (std::size_t c = 0; c < class_of.size(); ++c) {
          const auto key = std::pair(class_of[c], static_cast<bool>((*cells)[c]));
          class_of[c] = refined.try_emplace(key, refined.size()).first->second;
        }
        classes = static_cast<std::uint32_t>(refined.size());
      }
      Slot slot{.tree = tree,
                .feature = feature,
                .first_class = static_cast<std::uint32_t>(price_.size()),
                .classes = classes,
                .first_entry = static_cast<std::uint32_t>(entries_.size()),
                .entries = 0,
                .first_run = static_cast<std::uint32_t>(runs_.size()),
                .runs = 0,
                .words = (classes + 63) / 64};
      price_.resize(price_.size() + classes, 0);
      for (std::uint32_t c = 0; c < class_of.size(); ++c)
        if (c == 0 || class_of[c] != class_of[c - 1]) {
          runs_.push_back({c, class_of[c]});
          ++slot.runs;
        }
      for (const auto& [leaf, cells] : of_leaves) {
        const auto set = static_cast<std::uint32_t>(words_.size());
        words_.resize(words_.size() + slot.words, 0);
        for (std::size_t c = 0; c < class_of.size(); ++c)
          if ((*cells)[c])
            words_[set + class_of[c] / 64] |= std::uint64_t{1} << (class_of[c] % 64);
        entries_.push_back({leaf, set});
        ++slot.entries;
      }
      slots_.push_back(slot);
      ++trees_.back().slots;
    }
  }
  order_slots();
  add_costs();
}

/// Slots by feature.
void Relaxation::order_slots() {
  for (Feature& feature : features_)
    feature.slots = 0;
  for (const Slot& slot : slots_)
    ++features_[slot.feature].slots;
  std::uint32_t first = 0;
  for (Feature& feature : features_) {
    feature.first_slot = first;
    first += feature.slots;
    feature.slots = 0;
  }
  slot_order_.resize(slots_.size());
  for (std::uint32_t s = 0; s < slots_.size(); ++s) {
    Feature& feature = features_[slots_[s].feature];
    slot_order_[feature.first_slot + feature.slots++] = s;
  }
}

Value Relaxation::least_price(const Slot& slot, const Entry& entry) const {
  Value least = none;
  each_class(slot, entry, [&](std::uint32_t c) { least = std::min(least, price_[c]); });
  return least;
}

/// The cost of each leaf: its value and the prices of what it admits.
void Relaxation::add_costs() {
  rest_.resize(price_.size());
  cost_ = leaf_value_;
  for (Tree& tree : trees_) {
    for (std::uint32_t s = tree.first_slot; s < tree.first_slot + tree.slots; ++s) {
      Slot& slot = slots_[s];
      const auto first = price_.begin() + slot.first_class;
      slot.least = *std::min_element(first, first + slot.classes);
      std::uint32_t e = slot.first_entry;
      const std::uint32_t last = e + slot.entries;
      for (std::uint32_t i = 0; i < tree.leaves; ++i) {
        Value& cost = cost_[tree.first_leaf + i];
        const bool limited = e < last && entries_[e].leaf == i;
        const Value own = limited ? least_price(slot, entries_[e]) : slot.least;
        e += limited;
        cost = cost >= none || own >= none ? none : cost + own;
      }
    }
    tree.least = none; // of a tree without leaves, too
    for (std::uint32_t i = 0; i < tree.leaves; ++i)
      tree.least = std::min(tree.least, cost_[tree.first_leaf + i]);
  }
}

} // namespace reasons::forest
