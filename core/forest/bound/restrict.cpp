// restrict.cpp: the relaxation of a smaller box, made from that of a larger one.
#include "forest/bound/relaxation.hpp"

#include <algorithm>

namespace reasons::forest {

using Value = LeafTable::Value;

/// Makes the relaxation of fewer values from another.
class Relaxation::Restriction {
public:
  Restriction(const Relaxation& from, const std::vector<std::vector<bool>>& allowed)
      : from_(from), before_(from.features_.size()), begins_(from.features_.size()),
        folded_(from.features_.size(), 0) {
    to_.point_ = from.point_;
    to_.work_ = from.work_;
    to_.backwards_ = from.backwards_;
    for (std::size_t f = 0; f < from.features_.size(); ++f) {
      folded_[f] = from.features_[f].folded;
      before_[f].assign(allowed[f].size() + 1, 0);
      for (std::size_t v = 0; v < allowed[f].size(); ++v)
        before_[f][v + 1] = before_[f][v] + allowed[f][v];
      begins_[f].assign(before_[f].back() + 1, 0);
    }
  }

  Relaxation make() {
    to_.fixed_ = from_.fixed_;
    for (const Tree& tree : from_.trees_)
      if (!add(tree)) {
        to_.fixed_ = none; // nothing in the box
        to_.trees_.clear();
        to_.slots_.clear();
        break;
      }
    set_values();
    to_.order_slots();
    to_.add_costs();
    return std::move(to_);
  }

private:
  static constexpr std::uint32_t gone = 0xFFFFFFFF;

  /// False where no leaf of the tree can be reached.
  bool add(const Tree& tree) {
    leaf_.assign(tree.leaves, 0);
    for (std::uint32_t i = 0; i < tree.leaves; ++i)
      if (from_.cost_[tree.first_leaf + i] >= none)
        leaf_[i] = gone;
    left_before_.clear();
    for (std::uint32_t s = tree.first_slot; s < tree.first_slot + tree.slots; ++s)
      find_left(from_.slots_[s]);
    std::uint32_t leaves = 0;
    for (std::uint32_t& leaf : leaf_)
      if (leaf != gone)
        leaf = leaves++;
    if (leaves == 0)
      return false;
    Tree made{.first_leaf = static_cast<std::uint32_t>(to_.leaf_value_.size()),
              .leaves = leaves,
              .first_slot = static_cast<std::uint32_t>(to_.slots_.size()),
              .slots = 0};
    std::size_t at = 0;
    for (std::uint32_t s = tree.first_slot; s < tree.first_slot + tree.slots; ++s) {
      const Slot& slot = from_.slots_[s];
      keep(slot, std::span(left_before_).subspan(at, slot.classes + 1));
      at += slot.classes + 1;
    }
    made.slots = static_cast<std::uint32_t>(to_.slots_.size()) - made.first_slot;
    Value least = none;
    for (std::uint32_t i = 0; i < tree.leaves; ++i)
      if (leaf_[i] != gone) {
        to_.leaf_value_.push_back(from_.leaf_value_[tree.first_leaf + i]);
        least = std::min(least, to_.leaf_value_.back());
      }
    if (made.slots > 0) {
      to_.trees_.push_back(made);
    } else {
      to_.leaf_value_.resize(made.first_leaf);
      to_.fixed_ += least;
    }
    return true;
  }

  /// How many classes before each of a slot have an allowed value; leaves that admit none of
  /// them are gone.
  void find_left(const Slot& slot) {
    const std::size_t at = left_before_.size();
    left_before_.push_back(0);
    const std::vector<std::uint32_t>& before = before_[slot.feature];
    for (std::uint32_t c = 0; c < slot.classes; ++c) {
      const bool any =
          before[from_.class_end(slot, c)] > before[from_.class_first_[slot.first_class + c]];
      left_before_.push_back(left_before_.back() + any);
    }
    const std::uint32_t* left = left_before_.data() + at;
    for (std::uint32_t e = slot.first_entry; e < slot.first_entry + slot.entries;) {
      const std::uint32_t end = from_.leaf_end(slot, e), leaf = from_.entries_[e].leaf;
      std::uint32_t admitted = 0;
      for (; e < end; ++e)
        admitted += left[from_.entries_[e].end] - left[from_.entries_[e].begin];
      if (admitted == 0)
        leaf_[leaf] = gone;
    }
  }

  /// Keeps a slot if some leaf still tells its classes apart; otherwise folds its prices.
  void keep(const Slot& slot, std::span<const std::uint32_t> left) {
    const std::uint32_t all = left.back();
    entries_.clear();
    begins_class_.assign(all + 1, 0);
    for (std::uint32_t e = slot.first_entry; e < slot.first_entry + slot.entries;) {
      const std::uint32_t end = from_.leaf_end(slot, e), leaf = leaf_[from_.entries_[e].leaf];
      const std::size_t first = entries_.size();
      std::uint32_t admitted = 0;
      for (; e < end && leaf != gone; ++e) {
        const std::uint32_t lo = left[from_.entries_[e].begin], hi = left[from_.entries_[e].end];
        if (lo == hi)
          continue;
        admitted += hi - lo;
        if (entries_.size() > first && entries_.back().end == lo)
          entries_.back().end = hi;
        else
          entries_.push_back({leaf, lo, hi});
      }
      e = end;
      if (admitted == all)
        entries_.resize(first);
      for (std::size_t k = first; k < entries_.size(); ++k)
        begins_class_[entries_[k].begin] = begins_class_[entries_[k].end] = 1;
    }
    if (entries_.empty()) {
      Value least = none;
      for (std::uint32_t c = 0; c < slot.classes; ++c)
        if (left[c + 1] > left[c])
          least = std::min(least, from_.price_[slot.first_class + c]);
      folded_[slot.feature] += least;
      return;
    }
    add_slot(slot, left);
  }

  /// Classes that no remaining leaf tells apart become one.
  void add_slot(const Slot& slot, std::span<const std::uint32_t> left) {
    Slot made{.tree = static_cast<std::uint32_t>(to_.trees_.size()),
              .feature = slot.feature,
              .first_class = static_cast<std::uint32_t>(to_.price_.size()),
              .classes = 0,
              .first_entry = static_cast<std::uint32_t>(to_.entries_.size()),
              .entries = static_cast<std::uint32_t>(entries_.size())};
    for (std::uint32_t c = 0; c < slot.classes; ++c) {
      if (left[c + 1] == left[c])
        continue;
      const std::uint32_t at = left[c];
      const Value price = from_.price_[slot.first_class + c];
      if (at == 0 || begins_class_[at] != 0) {
        const std::uint32_t value = before_[slot.feature][from_.class_first_[slot.first_class + c]];
        begins_[slot.feature][value] = 1;
        to_.class_first_.push_back(value); // among the allowed values, until these are numbered
        to_.price_.push_back(price);
        ++made.classes;
      } else {
        to_.price_.back() = std::min(to_.price_.back(), price);
      }
      begins_class_[at] = made.classes - 1;
    }
    begins_class_[left.back()] = made.classes;
    for (const Entry& entry : entries_)
      to_.entries_.push_back({entry.leaf, begins_class_[entry.begin], begins_class_[entry.end]});
    to_.slots_.push_back(made);
  }

  /// Allowed values that no remaining class tells apart become one.
  void set_values() {
    std::vector<std::uint32_t> slots(from_.features_.size(), 0);
    for (const Slot& slot : to_.slots_)
      ++slots[slot.feature];
    std::vector<std::uint32_t> feature_now(from_.features_.size(), gone);
    for (std::uint32_t f = 0; f < from_.features_.size(); ++f) {
      const Feature& old = from_.features_[f];
      const bool matters = slots[f] > 0; // without slots its prices can be nothing
      const auto first = static_cast<std::uint32_t>(to_.cell_.size());
      std::vector<std::uint32_t>& number = begins_[f];
      std::uint32_t values = 0, at = 0;
      const Cell aimed = to_.point_[old.id];
      Cell any = aimed;
      bool stays = false;
      for (std::uint32_t v = 0; v < old.values; ++v) {
        if (before_[f][v + 1] == before_[f][v])
          continue;
        const Cell cell = from_.cell_[old.first_value + v];
        if (at == 0)
          any = cell;
        if (at == 0 || number[at] != 0) {
          to_.cell_.push_back(cell);
          to_.first_cell_.push_back(from_.first_cell_[old.first_value + v]);
          ++values;
        }
        number[at++] = values - 1;
        if (cell == aimed) {
          to_.cell_.back() = aimed;
          stays = true;
        }
      }
      if (!stays)
        to_.point_[old.id] = any;
      if (!matters) {
        to_.cell_.resize(first);
        to_.first_cell_.resize(first);
        continue;
      }
      feature_now[f] = static_cast<std::uint32_t>(to_.features_.size());
      to_.features_.push_back(
          {.id = old.id, .first_value = first, .values = values, .folded = folded_[f]});
    }
    to_.open_.assign(to_.cell_.size(), true);
    to_.value_bound_.assign(to_.cell_.size(), 0);
    for (Slot& slot : to_.slots_) {
      for (std::uint32_t c = slot.first_class; c < slot.first_class + slot.classes; ++c)
        to_.class_first_[c] = begins_[slot.feature][to_.class_first_[c]];
      slot.feature = feature_now[slot.feature];
    }
  }

  const Relaxation& from_;
  Relaxation to_;
  std::vector<std::vector<std::uint32_t>> before_; // of each value: the allowed ones before it
  std::vector<std::vector<std::uint32_t>> begins_; // of each allowed value: whether one begins
  std::vector<Value> folded_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> leaf_, left_before_, begins_class_;
};

Relaxation Relaxation::restricted(const std::vector<std::vector<bool>>& allowed) const {
  return Restriction(*this, allowed).make();
}

Relaxation Relaxation::within(const std::vector<std::vector<bool>>& box) const {
  std::vector<std::vector<bool>> allowed(features_.size());
  for (std::size_t f = 0; f < features_.size(); ++f) {
    const std::vector<bool>& cells = box[features_[f].id];
    allowed[f].assign(values(f), false);
    for (std::size_t v = 0; v < values(f); ++v)
      for (std::size_t c = first_cell(f, v); c < end_cell(f, v, cells.size()); ++c)
        allowed[f][v] = allowed[f][v] || cells[c];
  }
  return restricted(allowed);
}

void Relaxation::close(std::vector<std::vector<bool>>& box) const {
  for (std::size_t f = 0; f < features_.size(); ++f) {
    std::vector<bool>& cells = box[features_[f].id];
    for (std::size_t v = 0; v < values(f); ++v)
      if (!is_open(f, v))
        for (std::size_t c = first_cell(f, v); c < end_cell(f, v, cells.size()); ++c)
          cells[c] = false;
  }
}

} // namespace reasons::forest
