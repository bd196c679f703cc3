// restrict.cpp: the relaxation of a smaller box, made from that of a larger one.
#include "forest/bound/relaxation.hpp"

#include <algorithm>

namespace reasons::forest {

using Value = LeafTable::Value;

/// Makes the relaxation of fewer values from another.
class Relaxation::Builder {
public:
  Builder(const Relaxation& from, const std::vector<std::vector<bool>>& allowed,
          std::span<const Cell> like)
      : from_(from), next_(from.features_.size()), cut_(from.features_.size()),
        folded_(from.features_.size(), 0) {
    to_.point_.assign(like.begin(), like.end());
    for (std::size_t f = 0; f < from.features_.size(); ++f) {
      folded_[f] = from.features_[f].folded;
      const auto values = static_cast<std::uint32_t>(allowed[f].size());
      next_[f].assign(values + 1, values);
      for (std::uint32_t v = values; v-- > 0;)
        next_[f][v] = allowed[f][v] ? v : next_[f][v + 1];
      cut_[f].assign(values, false);
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
  struct Kept { // a slot that stays: which class each of its old ones became
    std::uint32_t slot, old;
    std::uint32_t first_class;
  };
  static constexpr std::uint32_t gone = 0xFFFFFFFF;

  [[nodiscard]] bool any_allowed(const Slot& slot, std::uint32_t run) const {
    return next_[slot.feature][from_.runs_[run].first] < from_.run_end(slot, run);
  }

  /// False where no leaf of the tree can be reached.
  bool add(const Tree& tree) {
    leaf_.assign(tree.leaves, 0);
    for (std::uint32_t i = 0; i < tree.leaves; ++i)
      if (from_.cost_[tree.first_leaf + i] >= none)
        leaf_[i] = gone;
    alive_.clear();
    for (std::uint32_t s = tree.first_slot; s < tree.first_slot + tree.slots; ++s)
      find_alive(from_.slots_[s]);
    std::uint32_t left = 0;
    for (std::uint32_t& leaf : leaf_)
      if (leaf != gone)
        leaf = left++;
    if (left == 0)
      return false;
    Tree made{.first_leaf = static_cast<std::uint32_t>(to_.leaf_value_.size()),
              .leaves = left,
              .first_slot = static_cast<std::uint32_t>(to_.slots_.size()),
              .slots = 0};
    std::size_t at = 0;
    for (std::uint32_t s = tree.first_slot; s < tree.first_slot + tree.slots; ++s) {
      const Slot& slot = from_.slots_[s];
      keep(slot, s, std::span(alive_).subspan(at, slot.words));
      at += slot.words;
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

  /// The classes of a slot that have an allowed value; leaves that admit none of them are gone.
  void find_alive(const Slot& slot) {
    const std::size_t at = alive_.size();
    alive_.resize(at + slot.words, 0);
    for (std::uint32_t r = slot.first_run; r < slot.first_run + slot.runs; ++r)
      if (any_allowed(slot, r)) {
        const std::uint32_t c = from_.runs_[r].of_class;
        alive_[at + c / 64] |= std::uint64_t{1} << (c % 64);
      }
    for (std::uint32_t e = slot.first_entry; e < slot.first_entry + slot.entries; ++e) {
      std::uint64_t common = 0;
      for (std::uint32_t w = 0; w < slot.words; ++w)
        common |= from_.words_[from_.entries_[e].set + w] & alive_[at + w];
      if (common == 0)
        leaf_[from_.entries_[e].leaf] = gone;
    }
  }

  /// Keeps a slot if some leaf still tells its classes apart; otherwise folds its prices.
  void keep(const Slot& slot, std::uint32_t old, std::span<const std::uint64_t> alive) {
    telling_.clear();
    for (std::uint32_t e = slot.first_entry; e < slot.first_entry + slot.entries; ++e) {
      if (leaf_[from_.entries_[e].leaf] == gone)
        continue;
      bool all = true;
      for (std::uint32_t w = 0; w < slot.words; ++w)
        all = all && (alive[w] & ~from_.words_[from_.entries_[e].set + w]) == 0;
      if (!all)
        telling_.push_back(e);
    }
    if (telling_.empty()) {
      Value least = none;
      for (std::uint32_t c = 0; c < slot.classes; ++c)
        if (alive[c / 64] >> (c % 64) & 1)
          least = std::min(least, from_.price_[slot.first_class + c]);
      folded_[slot.feature] += least;
      return;
    }
    const std::uint32_t classes = merge(slot, alive);
    Slot made{.tree = static_cast<std::uint32_t>(to_.trees_.size()),
              .feature = slot.feature,
              .first_class = static_cast<std::uint32_t>(to_.price_.size()),
              .classes = classes,
              .first_entry = static_cast<std::uint32_t>(to_.entries_.size()),
              .entries = static_cast<std::uint32_t>(telling_.size()),
              .first_run = 0,
              .runs = 0,
              .words = (classes + 63) / 64};
    to_.price_.resize(to_.price_.size() + classes, none);
    for (std::uint32_t c = 0; c < slot.classes; ++c)
      if (became_[c] != gone) {
        Value& price = to_.price_[made.first_class + became_[c]];
        price = std::min(price, from_.price_[slot.first_class + c]);
      }
    for (const std::uint32_t e : telling_) {
      const auto set = static_cast<std::uint32_t>(to_.words_.size());
      to_.words_.resize(to_.words_.size() + made.words, 0);
      from_.each_class(slot, from_.entries_[e], [&](std::uint32_t c) {
        const std::uint32_t now = became_[c - slot.first_class];
        if (now != gone)
          to_.words_[set + now / 64] |= std::uint64_t{1} << (now % 64);
      });
      to_.entries_.push_back({leaf_[from_.entries_[e].leaf], set});
    }
    kept_.push_back({static_cast<std::uint32_t>(to_.slots_.size()), old,
                     static_cast<std::uint32_t>(became_all_.size())});
    became_all_.insert(became_all_.end(), became_.begin(), became_.end());
    to_.slots_.push_back(made);
    std::uint32_t last = gone;
    for (std::uint32_t r = slot.first_run; r < slot.first_run + slot.runs; ++r)
      if (any_allowed(slot, r)) {
        const std::uint32_t now = became_[from_.runs_[r].of_class];
        if (last != gone && now != last)
          cut_[slot.feature][next_[slot.feature][from_.runs_[r].first]] = true;
        last = now;
      }
  }

  /// Classes that no remaining leaf tells apart become one; returns how many there are.
  std::uint32_t merge(const Slot& slot, std::span<const std::uint64_t> alive) {
    became_.assign(slot.classes, gone);
    std::uint32_t classes = 0;
    if (slot.words > 1) {
      for (std::uint32_t c = 0; c < slot.classes; ++c)
        if (alive[c / 64] >> (c % 64) & 1)
          became_[c] = classes++;
      return classes;
    }
    groups_.assign(1, alive[0]);
    for (const std::uint32_t e : telling_) {
      const std::uint64_t set = from_.words_[from_.entries_[e].set];
      for (std::size_t g = 0, n = groups_.size(); g < n; ++g) {
        const std::uint64_t in = groups_[g] & set, out = groups_[g] & ~set;
        if (in != 0 && out != 0) {
          groups_[g] = in;
          groups_.push_back(out);
        }
      }
    }
    for (const std::uint64_t group : groups_) {
      for (std::uint64_t bits = group; bits != 0; bits &= bits - 1)
        became_[static_cast<std::size_t>(std::countr_zero(bits))] = classes;
      ++classes;
    }
    return classes;
  }

  /// Groups of allowed values between the cuts; runs of the kept slots over them.
  void set_values() {
    std::vector<std::uint32_t> slots(from_.features_.size(), 0);
    for (const Slot& slot : to_.slots_)
      ++slots[slot.feature];
    std::vector<std::uint32_t> feature_now(from_.features_.size(), gone);
    std::vector<std::vector<std::uint32_t>> value_now(from_.features_.size());
    for (std::uint32_t f = 0; f < from_.features_.size(); ++f) {
      const Feature& old = from_.features_[f];
      const auto cell_at = [&](std::uint32_t v) { return from_.cell_[old.first_value + v]; };
      const Cell aimed = to_.point_[old.id];
      std::vector<Cell> cells, first_cells;
      value_now[f].assign(old.values, gone);
      bool stays = false;
      for (std::uint32_t v = next_[f][0]; v < old.values; v = next_[f][v + 1]) {
        if (cells.empty() || cut_[f][v]) {
          cells.push_back(cell_at(v));
          first_cells.push_back(from_.first_cell_[old.first_value + v]);
        }
        if (cell_at(v) == aimed) {
          cells.back() = aimed;
          stays = true;
        }
        value_now[f][v] = static_cast<std::uint32_t>(cells.size()) - 1;
      }
      if (!stays && !cells.empty())
        to_.point_[old.id] = cells[0];
      if (slots[f] == 0)
        continue; // without slots its prices can be nothing
      feature_now[f] = static_cast<std::uint32_t>(to_.features_.size());
      to_.features_.push_back({.id = old.id,
                               .first_value = static_cast<std::uint32_t>(to_.cell_.size()),
                               .values = static_cast<std::uint32_t>(cells.size()),
                               .folded = folded_[f]});
      to_.cell_.insert(to_.cell_.end(), cells.begin(), cells.end());
      to_.first_cell_.insert(to_.first_cell_.end(), first_cells.begin(), first_cells.end());
    }
    to_.open_.assign(to_.cell_.size(), true);
    to_.value_bound_.assign(to_.cell_.size(), 0);
    for (const Kept& kept : kept_) {
      if (kept.slot >= to_.slots_.size())
        break;
      Slot& slot = to_.slots_[kept.slot];
      const Slot& old = from_.slots_[kept.old];
      slot.first_run = static_cast<std::uint32_t>(to_.runs_.size());
      for (std::uint32_t r = old.first_run; r < old.first_run + old.runs; ++r)
        if (any_allowed(old, r)) {
          const std::uint32_t now = became_all_[kept.first_class + from_.runs_[r].of_class];
          const std::uint32_t value =
              value_now[old.feature][next_[old.feature][from_.runs_[r].first]];
          if (slot.runs == 0 || to_.runs_.back().of_class != now) {
            to_.runs_.push_back({value, now});
            ++slot.runs;
          }
        }
      slot.feature = feature_now[old.feature];
    }
  }

  const Relaxation& from_;
  Relaxation to_;
  std::vector<std::vector<std::uint32_t>> next_; // of each feature and value: the next allowed
  std::vector<std::vector<bool>> cut_;           // whether a group begins at a value
  std::vector<Value> folded_;
  std::vector<Kept> kept_;
  std::vector<std::uint32_t> leaf_, telling_, became_, became_all_;
  std::vector<std::uint64_t> alive_, groups_;
};

Relaxation Relaxation::restricted(const std::vector<std::vector<bool>>& allowed) const {
  return Builder(*this, allowed, point_).make();
}

Relaxation Relaxation::restricted(const std::vector<std::vector<bool>>& allowed,
                                  std::span<const Cell> like) const {
  return Builder(*this, allowed, like).make();
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
