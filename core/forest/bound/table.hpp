// table.hpp: the lead of one label over another, as tables of leaves.
#pragma once

#include "forest/bound/relaxation.hpp"
#include "forest/ensemble.hpp"

namespace reasons::forest {

/// The features of a table, and which of them each feature of the ensemble is there. Two copies
/// of an instance that differ on some features are two namings of one table.
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

/// The lead of label a over label b; above the limit, b is not the label. Time O(leaves * cells).
[[nodiscard]] Lead lead_of(const Ensemble& ensemble, LabelId a, LabelId b,
                           const FeatureMapping& mapping);

/// The lead of a over b in one copy and of b over a in the other, together; above the limit, b is
/// not the label of the one or a is not that of the other. A tree that both copies share adds
/// nothing, and the others what the copies' difference can do.
[[nodiscard]] Lead joint_lead_of(const Ensemble& ensemble, LabelId a, LabelId b,
                                 const FeatureMapping& one, const FeatureMapping& other);

} // namespace reasons::forest
