// build.cpp: construction of a relaxation from a table of leaves.
#include "forest/bound/relaxation.hpp"

#include <algorithm>

namespace reasons::forest {

using Value = LeafTable::Value;

/// Makes the relaxation of a table: values of features first, then slots tree by tree.
class Relaxation::Builder {
public:
  Builder(const LeafTable& table, std::span<const Cell> like, Relaxation& to)
      : table_(table), to_(to), begins_(table.box.size()), of_feature_(table.box.size()) {
    for (std::size_t f = 0; f < table.box.size(); ++f) {
      std::uint32_t cells = 0;
      for (const CellRange& range : table.box[f])
        cells += range.end - range.begin;
      begins_[f].assign(cells + 1, 0);
    }
    for (const LeafTable::Limit& limit : table.limits)
      for (const CellRange& range : table.cells_of(limit)) {
        begins_[limit.feature][rank(limit.feature, range.begin)] = 1;
        begins_[limit.feature][rank(limit.feature, range.end)] = 1;
      }
    for (FeatureId f = 0; f < table.box.size(); ++f)
      add_feature(f, like[f]);
    to_.open_.assign(to_.cell_.size(), true);
    to_.value_bound_.assign(to_.cell_.size(), 0);
    for (std::size_t t = 0; t < table.trees(); ++t)
      add_tree(t);
  }

private:
  /// How many cells of the box come before one.
  [[nodiscard]] std::uint32_t rank(FeatureId f, std::uint32_t cell) const {
    std::uint32_t before = 0;
    for (const CellRange& range : table_.box[f]) {
      if (cell < range.end)
        return before + (cell > range.begin ? cell - range.begin : 0);
      before += range.end - range.begin;
    }
    return before;
  }

  /// Values are the cells between two of which some leaf parts; `begins_` becomes their numbers.
  void add_feature(FeatureId f, Cell like) {
    std::vector<std::uint32_t>& number = begins_[f];
    const auto first = static_cast<std::uint32_t>(to_.cell_.size());
    std::uint32_t at = 0, values = 0;
    bool has_like = false;
    for (const CellRange& range : table_.box[f])
      for (std::uint32_t cell = range.begin; cell < range.end; ++cell, ++at) {
        if (at == 0 || number[at] != 0) {
          to_.cell_.push_back(static_cast<Cell>(cell));
          to_.first_cell_.push_back(static_cast<Cell>(cell));
          ++values;
        }
        number[at] = values - 1;
        if (cell == like) {
          to_.cell_.back() = like;
          has_like = true;
        }
      }
    number[at] = values;
    to_.features_.push_back({.id = f, .first_value = first, .values = values});
    to_.point_.push_back(has_like ? like : to_.cell_[first]);
  }

  void add_tree(std::size_t t) {
    const auto leaves = table_.leaves_of(t);
    const auto tree = static_cast<std::uint32_t>(to_.trees_.size());
    to_.trees_.push_back({.first_leaf = static_cast<std::uint32_t>(to_.leaf_value_.size()),
                          .leaves = static_cast<std::uint32_t>(leaves.size()),
                          .first_slot = static_cast<std::uint32_t>(to_.slots_.size()),
                          .slots = 0});
    std::vector<FeatureId> limited;
    for (std::uint32_t i = 0; i < leaves.size(); ++i) {
      to_.leaf_value_.push_back(leaves[i].value);
      for (const LeafTable::Limit& limit : table_.limits_of(leaves[i])) {
        std::vector<Entry>& entries = of_feature_[limit.feature];
        if (entries.empty())
          limited.push_back(limit.feature);
        for (const CellRange& range : table_.cells_of(limit)) {
          const std::vector<std::uint32_t>& number = begins_[limit.feature];
          entries.push_back({i, number[rank(limit.feature, range.begin)],
                             number[rank(limit.feature, range.end)]});
        }
      }
    }
    std::sort(limited.begin(), limited.end());
    for (const FeatureId f : limited) {
      add_slot(tree, f, of_feature_[f]);
      of_feature_[f].clear();
    }
  }

  /// Entries are over values here, and become entries over the classes that they part.
  void add_slot(std::uint32_t tree, FeatureId f, std::span<const Entry> entries) {
    bounds_.assign(1, 0);
    for (const Entry& entry : entries) {
      bounds_.push_back(entry.begin);
      bounds_.push_back(entry.end);
    }
    std::sort(bounds_.begin(), bounds_.end());
    bounds_.erase(std::unique(bounds_.begin(), bounds_.end()), bounds_.end());
    if (bounds_.back() == to_.features_[f].values)
      bounds_.pop_back();
    const auto classes = static_cast<std::uint32_t>(bounds_.size());
    to_.slots_.push_back({.tree = tree,
                          .feature = f,
                          .first_class = static_cast<std::uint32_t>(to_.price_.size()),
                          .classes = classes,
                          .first_entry = static_cast<std::uint32_t>(to_.entries_.size()),
                          .entries = static_cast<std::uint32_t>(entries.size())});
    ++to_.trees_.back().slots;
    to_.price_.resize(to_.price_.size() + classes, 0);
    to_.class_first_.insert(to_.class_first_.end(), bounds_.begin(), bounds_.end());
    const auto class_of = [&](std::uint32_t value) {
      return static_cast<std::uint32_t>(std::lower_bound(bounds_.begin(), bounds_.end(), value) -
                                        bounds_.begin());
    };
    for (const Entry& entry : entries)
      to_.entries_.push_back({entry.leaf, class_of(entry.begin), class_of(entry.end)});
  }

  const LeafTable& table_;
  Relaxation& to_;
  std::vector<std::vector<std::uint32_t>> begins_; // of each feature and cell of the box
  std::vector<std::vector<Entry>> of_feature_;
  std::vector<std::uint32_t> bounds_;
};

Relaxation::Relaxation(const LeafTable& table, std::span<const Cell> like)
    : fixed_(table.fixed), work_(std::make_shared<Workspace>()) {
  Builder(table, like, *this);
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

/// The cost of each leaf: its value and the prices of what it admits.
void Relaxation::add_costs() {
  rest_.resize(price_.size());
  entry_price_.resize(entries_.size());
  cost_ = leaf_value_;
  const auto add = [](Value& cost, Value price) {
    cost = cost >= none || price >= none ? none : cost + price;
  };
  for (Tree& tree : trees_) {
    Value* cost = cost_.data() + tree.first_leaf;
    for (std::uint32_t s = tree.first_slot; s < tree.first_slot + tree.slots; ++s) {
      Slot& slot = slots_[s];
      const auto prices = std::span(price_).subspan(slot.first_class, slot.classes);
      slot.least = *std::ranges::min_element(prices);
      work_->least_price.reset(prices);
      std::uint32_t i = 0, e = slot.first_entry;
      const std::uint32_t last = e + slot.entries;
      while (e < last) {
        const std::uint32_t leaf = entries_[e].leaf, end = leaf_end(slot, e);
        for (; i < leaf; ++i)
          add(cost[i], slot.least);
        Value own = none;
        for (std::uint32_t k = e; k < end; ++k)
          own = std::min(own, work_->least_price.least(entries_[k].begin, entries_[k].end));
        std::fill(entry_price_.begin() + e, entry_price_.begin() + end, own);
        add(cost[i++], own);
        e = end;
      }
      for (; i < tree.leaves; ++i)
        add(cost[i], slot.least);
    }
    tree.least = none; // of a tree without leaves, too
    for (std::uint32_t i = 0; i < tree.leaves; ++i)
      tree.least = std::min(tree.least, cost[i]);
  }
}

} // namespace reasons::forest
