// leaf_table.hpp: the lead of one label over another in a box, as trees given by their leaves.
//
// A walk through each tree keeps the leaves within reach of the box, so that a table is as large
// as the question, not as the domain.
#pragma once

#include "forest/cell_ranges.hpp"
#include "forest/ensemble.hpp"

namespace reasons::forest {

/// Trees as their leaves: what a relaxation begins with. A leaf names, for some features, the
/// cells of the box with which it can be reached; of the others, any.
struct LeafTable {
  using Value = std::int64_t;
  struct Limit {
    FeatureId feature;
    std::uint32_t first, end; // in ranges
  };
  struct Leaf {
    Value value;
    std::size_t first, end; // in limits
  };
  std::vector<CellRanges> box;         // the cells of each feature, one at least
  std::vector<std::size_t> tree_first; // in leaves; one more than there are trees
  std::vector<Leaf> leaves;
  std::vector<Limit> limits;
  CellRanges ranges;
  Value fixed = 0;

  [[nodiscard]] std::size_t trees() const { return tree_first.size() - 1; }
  [[nodiscard]] std::span<const Leaf> leaves_of(std::size_t tree) const {
    return std::span(leaves).subspan(tree_first[tree], tree_first[tree + 1] - tree_first[tree]);
  }
  [[nodiscard]] std::span<const Limit> limits_of(const Leaf& leaf) const {
    return std::span(limits).subspan(leaf.first, leaf.end - leaf.first);
  }
  [[nodiscard]] std::span<const CellRange> cells_of(const Limit& limit) const {
    return std::span(ranges).subspan(limit.first, limit.end - limit.first);
  }
};

/// The cells that each feature may take.
using Box = std::vector<std::vector<bool>>;

/// The features of a table, and which of them each feature of the ensemble is there. Two copies
/// of an instance that differ on some features are two mappings to one table.
struct FeatureMapping {
  std::vector<std::uint32_t> domains;
  std::vector<FeatureId> of;
};

/// The features as they are.
[[nodiscard]] FeatureMapping identity_mapping(const Ensemble& ensemble);

struct Lead {
  LeafTable table;
  LeafTable::Value limit; // sums above it are certain
};

/// The lead of label a over label b in a box of the table's features; above the limit, b is not
/// the label. Time O(leaves in reach * depth). Budgeted.
[[nodiscard]] Lead lead_of(const Ensemble& ensemble, LabelId a, LabelId b,
                           const FeatureMapping& mapping, const Box& box, Budget& budget);

/// The lead of a over b in one copy and of b over a in the other, together; above the limit, b is
/// not the label of the one or a is not that of the other. A tree that both copies share adds
/// nothing; other trees add the difference between the two copies' leaves.
[[nodiscard]] Lead joint_lead_of(const Ensemble& ensemble, LabelId a, LabelId b,
                                 const FeatureMapping& one, const FeatureMapping& other,
                                 const Box& box, Budget& budget);

} // namespace reasons::forest
