// leaf_tables.hpp: random sums of trees given by their leaves, and their sums the slow way.
#pragma once

#include "forest/bound/relaxation.hpp"
#include "tests/support/random_circuit.hpp"

#include <algorithm>

namespace reasons::testing {

/// Trees over a few features, some of many cells, some with gaps that no leaf covers.
class TableGrower {
public:
  explicit TableGrower(std::uint32_t seed) : rng_(seed) {}

  forest::LeafTable table() {
    const bool wide = below(12) == 0; // more than 64 classes in a slot
    for (std::uint32_t f = wide ? 1 : 1 + below(4); f > 0; --f)
      domains.push_back(wide ? 100 + below(60) : 1 + below(5));
    for (const std::uint32_t cells : domains) { // the box may leave out some cells
      std::vector<bool> inside(cells, true);
      for (std::uint32_t c = below(3) == 0 ? cells / 2 : 0; c > 0; --c)
        inside[below(cells)] = false;
      inside[below(cells)] = true;
      table_.box.push_back(forest::ranges_of(inside));
      limits_.push_back(std::move(inside));
    }
    const Box box = limits_;
    masks_ = below(2) == 0;
    large_ = below(4) == 0;
    table_.fixed = value();
    for (std::uint32_t t = below(6); t > 0; --t) {
      table_.tree_first.push_back(table_.leaves.size());
      gaps_ = below(5) == 0;
      grow(wide ? 8 : below(5));
    }
    table_.tree_first.push_back(table_.leaves.size());
    limits_ = box;
    return table_;
  }

  std::vector<std::uint32_t> domains; // cells of each feature, those outside of the box included
  [[nodiscard]] const Box& box() const { return limits_; }

private:
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(rng_() % n); }
  forest::LeafTable::Value value() {
    const auto small = static_cast<forest::LeafTable::Value>(below(9)) - 4;
    if (!large_)
      return small;
    return small * (forest::LeafTable::Value{1} << 44) +
           static_cast<forest::LeafTable::Value>(below(1000));
  }

  void grow(std::uint32_t depth) {
    if (depth == 0 || below(8) == 0) {
      if (!gaps_ || below(3) > 0)
        add_leaf();
      return;
    }
    const auto f = below(static_cast<std::uint32_t>(domains.size()));
    const std::uint32_t cut = below(domains[f] + 1);
    std::vector<bool> left(domains[f]);
    for (std::uint32_t c = 0; c < left.size(); ++c)
      left[c] = masks_ ? below(2) == 0 : c < cut;
    const std::vector<bool> before = limits_[f];
    for (const bool side : {true, false}) {
      for (std::size_t c = 0; c < left.size(); ++c)
        limits_[f][c] = before[c] && left[c] == side;
      if (std::ranges::count(limits_[f], true) > 0)
        grow(depth - 1);
      limits_[f] = before;
    }
  }

  void add_leaf() {
    const std::size_t first = table_.limits.size();
    for (FeatureId f = 0; f < domains.size(); ++f) {
      const forest::CellRanges cells = forest::ranges_of(limits_[f]);
      if (cells == table_.box[f])
        continue;
      const auto begin = static_cast<std::uint32_t>(table_.ranges.size());
      table_.ranges.insert(table_.ranges.end(), cells.begin(), cells.end());
      table_.limits.push_back({f, begin, static_cast<std::uint32_t>(table_.ranges.size())});
    }
    table_.leaves.push_back({value(), first, table_.limits.size()});
  }

  Rng rng_;
  forest::LeafTable table_;
  Box limits_; // of the leaf that grows; in the end, the box
  bool masks_ = false, large_ = false, gaps_ = false;
};

/// The sum for an instance, or `none` where a tree has no leaf for it.
inline forest::LeafTable::Value sum_of(const forest::LeafTable& table, const Instance& instance) {
  forest::LeafTable::Value sum = table.fixed;
  for (std::size_t t = 0; t < table.trees(); ++t) {
    const auto leaves = table.leaves_of(t);
    const auto leaf = std::ranges::find_if(leaves, [&](const forest::LeafTable::Leaf& each) {
      return std::ranges::all_of(table.limits_of(each), [&](const forest::LeafTable::Limit& limit) {
        return forest::contains(table.cells_of(limit), instance[limit.feature]);
      });
    });
    if (leaf == leaves.end())
      return forest::Relaxation::none;
    sum += leaf->value;
  }
  return sum;
}

/// A random part of a box, with one cell of each feature at least.
inline Box random_part(Box box, Rng& rng) {
  for (auto& cells : box) {
    const auto kept = rng() % 4;
    if (kept == 0)
      continue;
    const std::vector<bool> all = cells;
    while (cells == all || std::ranges::count(cells, true) == 0) {
      for (std::size_t c = 0; c < cells.size(); ++c)
        cells[c] = all[c] && (kept == 1 ? rng() % 8 == 0 : rng() % 4 > 0);
      if (std::ranges::count(all, true) == 1)
        cells = all;
      if (cells == all)
        break;
    }
  }
  return box;
}

inline Box whole_box(std::span<const std::uint32_t> domains) {
  Box box;
  for (const std::uint32_t cells : domains)
    box.emplace_back(cells, true);
  return box;
}

} // namespace reasons::testing
