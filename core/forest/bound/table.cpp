#include "forest/bound/table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

namespace reasons::forest {
namespace {

using Value = LeafTable::Value;
using Leaves = std::vector<LeafTable::Leaf>;

constexpr int sum_bits = 50;                         // the sums of a relaxation stay below 2^50
constexpr Value out_of_reach = (Value{1} << 62) - 1; // no lead is as large
constexpr std::size_t most_joint_leaves = 2000;      // of one tree

/// Walks one tree in as many copies of an instance as there are namings.
class Walk {
public:
  Walk(const Ensemble& ensemble, std::vector<const FeatureMapping*> namings)
      : ensemble_(ensemble), namings_(std::move(namings)) {}

  /// The tuples of leaves that can be reached, with the cells that lead there; leaves without a
  /// value are left out. Nothing where there are more than `most`.
  std::optional<Leaves> leaves(std::uint32_t root, std::size_t most, const auto& value_of) const {
    Leaves found;
    std::vector<Open> open{{std::vector<std::uint32_t>(namings_.size(), root), {}}};
    while (!open.empty()) {
      Open at = std::move(open.back());
      open.pop_back();
      const auto inner = std::find_if(at.nodes.begin(), at.nodes.end(),
                                      [&](std::uint32_t node) { return !ensemble_.is_leaf(node); });
      if (inner == at.nodes.end()) {
        if (const std::optional<Value> value = value_of(at.nodes))
          found.push_back({*value, std::move(at.limits)});
        if (found.size() > most)
          return std::nullopt;
        continue;
      }
      for (const bool left : {false, true})
        if (auto next = step(at, static_cast<std::size_t>(inner - at.nodes.begin()), left))
          open.push_back(std::move(*next));
    }
    return found;
  }

private:
  struct Open {
    std::vector<std::uint32_t> nodes;
    std::vector<LeafTable::Limit> limits;
  };

  std::optional<Open> step(const Open& at, std::size_t copy, bool left) const {
    const std::uint32_t node = at.nodes[copy];
    const FeatureId tested = ensemble_.feature(node), f = namings_[copy]->of[tested];
    Open next = at;
    for (std::size_t other = 0; other < at.nodes.size(); ++other)
      if (at.nodes[other] == node && namings_[other]->of[tested] == f)
        next.nodes[other] =
            left ? ensemble_.forest().node_left[node] : ensemble_.forest().node_right[node];
    auto limit = std::ranges::find(next.limits, f, &LeafTable::Limit::feature);
    if (limit == next.limits.end())
      limit = next.limits.insert(limit, {f, std::vector<bool>(ensemble_.domain(tested), true)});
    bool any = false;
    for (std::uint32_t c = 0; c < ensemble_.domain(tested); ++c) {
      if (ensemble_.goes_left(node, static_cast<Cell>(c)) != left)
        limit->cells[c] = false;
      any = any || limit->cells[c];
    }
    return any ? std::optional(std::move(next)) : std::nullopt;
  }

  const Ensemble& ensemble_;
  std::vector<const FeatureMapping*> namings_;
};

/// What leaves add to the lead of a over b.
class Leader {
public:
  Leader(const Ensemble& ensemble, LabelId a, LabelId b) : ensemble_(ensemble), a_(a), b_(b) {}

  [[nodiscard]] Value of(std::size_t tree, std::uint32_t leaf) const {
    if (ensemble_.forest().rule != Rule::cut)
      return ensemble_.units(tree, leaf, a_) - ensemble_.units(tree, leaf, b_);
    return a_ == 1 ? ensemble_.units(tree, leaf, 0) : -ensemble_.units(tree, leaf, 0);
  }
  [[nodiscard]] Value start() const {
    if (ensemble_.forest().rule != Rule::cut)
      return ensemble_.start(a_) - ensemble_.start(b_);
    return a_ == 1 ? ensemble_.start(0) : -ensemble_.start(0);
  }

private:
  const Ensemble& ensemble_;
  LabelId a_, b_;
};

/// A sum times 2^shift; rounded down where that is negative.
Value shifted(Value value, int shift) {
  return shift >= 0 ? value * (Value{1} << shift) : value >> -shift;
}

/// Uses the bits that there are, so that the prices of a relaxation can be small parts.
Lead scaled(Lead lead) {
  LeafTable& table = lead.table;
  auto most = static_cast<double>(std::max(std::abs(table.fixed), std::abs(lead.limit)));
  for (const Leaves& leaves : table.trees) {
    Value largest = 0;
    for (const LeafTable::Leaf& leaf : leaves)
      largest = std::max(largest, std::abs(leaf.value));
    most += static_cast<double>(largest);
  }
  int exponent = 0;
  (void)std::frexp(most, &exponent);
  const int shift = std::min(sum_bits - exponent, 40);
  for (Leaves& leaves : table.trees)
    for (LeafTable::Leaf& leaf : leaves)
      leaf.value = shifted(leaf.value, shift);
  table.fixed = shifted(table.fixed, shift);
  lead.limit = shifted(lead.limit, shift);
  return lead;
}

constexpr std::size_t any_number = static_cast<std::size_t>(-1);

/// Trees without leaves where there is no instance.
void add_guards(const Ensemble& ensemble, const FeatureMapping& mapping, LeafTable& table) {
  const Walk walk(ensemble, {&mapping});
  for (const std::uint32_t root : ensemble.forest().guard_first)
    table.trees.push_back(*walk.leaves(root, any_number, [&](const auto& nodes) {
      return ensemble.forest().node_left[nodes[0]] == 1 ? std::nullopt : std::optional(Value{0});
    }));
}

Value largest_uncertain(const Ensemble& ensemble, LabelId a, LabelId b) {
  return std::min(ensemble.least_lead(a, b) - 1, out_of_reach);
}

} // namespace

FeatureMapping identity_mapping(const Ensemble& ensemble) {
  FeatureMapping mapping{ensemble.forest().domains, std::vector<FeatureId>(ensemble.features())};
  std::iota(mapping.of.begin(), mapping.of.end(), 0);
  return mapping;
}

Lead lead_of(const Ensemble& ensemble, LabelId a, LabelId b, const FeatureMapping& mapping) {
  const Leader leader(ensemble, a, b);
  Lead lead{{.domains = mapping.domains, .trees = {}, .fixed = leader.start()},
            largest_uncertain(ensemble, a, b)};
  const Walk walk(ensemble, {&mapping});
  for (std::size_t t = 0; t < ensemble.trees(); ++t)
    lead.table.trees.push_back(
        *walk.leaves(ensemble.forest().tree_first[t], any_number,
                     [&](const auto& nodes) { return std::optional(leader.of(t, nodes[0])); }));
  add_guards(ensemble, mapping, lead.table);
  return scaled(std::move(lead));
}

Lead joint_lead_of(const Ensemble& ensemble, LabelId a, LabelId b, const FeatureMapping& one,
                   const FeatureMapping& other) {
  const Leader leader(ensemble, a, b);
  Lead lead{{.domains = one.domains, .trees = {}},
            largest_uncertain(ensemble, a, b) + largest_uncertain(ensemble, b, a)};
  const Walk both(ensemble, {&one, &other}), first(ensemble, {&one}), second(ensemble, {&other});
  for (std::size_t t = 0; t < ensemble.trees(); ++t) {
    const std::uint32_t root = ensemble.forest().tree_first[t];
    auto joint = both.leaves(root, most_joint_leaves, [&](const auto& nodes) {
      return std::optional(leader.of(t, nodes[0]) - leader.of(t, nodes[1]));
    });
    if (joint) {
      const auto adds = [](const LeafTable::Leaf& leaf) { return leaf.value != 0; };
      if (std::any_of(joint->begin(), joint->end(), adds))
        lead.table.trees.push_back(std::move(*joint));
      continue;
    }
    lead.table.trees.push_back(*first.leaves(root, any_number, [&](const auto& nodes) {
      return std::optional(leader.of(t, nodes[0]));
    }));
    lead.table.trees.push_back(*second.leaves(root, any_number, [&](const auto& nodes) {
      return std::optional(-leader.of(t, nodes[0]));
    }));
  }
  add_guards(ensemble, one, lead.table);
  add_guards(ensemble, other, lead.table);
  return scaled(std::move(lead));
}

} // namespace reasons::forest
