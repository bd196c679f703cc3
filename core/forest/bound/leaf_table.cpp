#include "forest/bound/leaf_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

namespace reasons::forest {
namespace {

using Value = LeafTable::Value;
using Nodes = std::array<std::uint32_t, 2>; // where each copy of an instance is in a tree

constexpr int sum_bits = 50;                         // the sums of a relaxation stay below 2^50
constexpr Value out_of_reach = (Value{1} << 62) - 1; // no lead is as large
constexpr std::size_t most_joint_leaves = 2000;      // of one tree
constexpr std::size_t any_number = static_cast<std::size_t>(-1);

/// Depth-first walks through trees, in one or two copies of an instance at once.
class Walk {
public:
  Walk(const Ensemble& ensemble, std::vector<const FeatureMapping*> copies, LeafTable& table,
       Budget& budget)
      : ensemble_(ensemble), copies_(std::move(copies)), table_(table), budget_(budget) {
    for (const CellRanges& cells : table.box) {
      sets_.push_back({arena_.size(), arena_.size() + cells.size(), false});
      arena_.insert(arena_.end(), cells.begin(), cells.end());
    }
  }

  /// Appends the tuples of leaves that can be reached; leaves without a value are left out. False,
  /// and nothing appended, where there are more than `most`.
  bool append(std::uint32_t root, std::size_t most, const auto& value_of) {
    const std::size_t leaves = table_.leaves.size(), limits = table_.limits.size(),
                      ranges = table_.ranges.size();
    steps_.push_back({.nodes = {root, root}, .kind = Kind::start});
    bool fits = true;
    while (!steps_.empty()) {
      const Step step = steps_.back();
      steps_.pop_back();
      if (step.kind == Kind::leave) {
        leave(step);
        continue;
      }
      budget_.tick();
      if (!fits || (step.kind == Kind::enter && !narrow(step)))
        continue;
      const std::size_t copy = first_inner(step.nodes);
      if (copy == copies_.size()) {
        if (const std::optional<Value> value = value_of(step.nodes))
          emit(*value);
        fits = table_.leaves.size() - leaves <= most;
      } else {
        branch(step.nodes, copy);
      }
    }
    if (!fits) {
      table_.leaves.resize(leaves);
      table_.limits.resize(limits);
      table_.ranges.resize(ranges);
      return false;
    }
    table_.tree_first.push_back(table_.leaves.size());
    return true;
  }

private:
  enum class Kind : std::uint8_t { start, enter, leave };
  struct Set { // the cells of a feature that are left, in arena_
    std::size_t first, end;
    bool limited;
  };
  struct Step {
    Nodes nodes{};
    Kind kind;
    bool left = false;
    std::uint32_t tested = 0; // the node whose test leads here
    FeatureId feature = 0;
    Set before{}; // what to go back to
  };

  [[nodiscard]] std::size_t first_inner(const Nodes& nodes) const {
    std::size_t copy = 0;
    while (copy < copies_.size() && ensemble_.is_leaf(nodes[copy]))
      ++copy;
    return copy;
  }

  void branch(const Nodes& nodes, std::size_t copy) {
    const std::uint32_t node = nodes[copy];
    const FeatureId tested = ensemble_.feature(node), f = copies_[copy]->of[tested];
    for (const bool left : {false, true}) {
      Step step{.nodes = nodes, .kind = Kind::enter, .left = left, .tested = node, .feature = f};
      for (std::size_t other = 0; other < copies_.size(); ++other)
        if (nodes[other] == node && copies_[other]->of[tested] == f)
          step.nodes[other] =
              left ? ensemble_.forest().node_left[node] : ensemble_.forest().node_right[node];
      steps_.push_back(step);
    }
  }

  /// Whether any cells are left on this side of a test. They are those of the feature until then.
  bool narrow(const Step& step) {
    Set& set = sets_[step.feature];
    const std::size_t first = arena_.size();
    scratch_.clear();
    append_common(std::span(arena_).subspan(set.first, set.end - set.first),
                  ensemble_.left_cells(step.tested), step.left, scratch_);
    if (scratch_.empty())
      return false;
    if (std::equal(scratch_.begin(), scratch_.end(), arena_.begin() + as_step(set.first),
                   arena_.begin() + as_step(set.end)))
      return true;
    Step back{.kind = Kind::leave, .feature = step.feature, .before = set};
    steps_.push_back(back);
    if (!set.limited)
      path_.push_back(step.feature);
    arena_.insert(arena_.end(), scratch_.begin(), scratch_.end());
    set = {first, arena_.size(), true};
    return true;
  }

  void leave(const Step& step) {
    Set& set = sets_[step.feature];
    arena_.resize(set.first);
    if (!step.before.limited)
      path_.pop_back();
    set = step.before;
  }

  void emit(Value value) {
    const std::size_t first = table_.limits.size();
    for (const FeatureId f : path_) {
      const auto begin = static_cast<std::uint32_t>(table_.ranges.size());
      for (std::size_t k = sets_[f].first; k < sets_[f].end; ++k)
        table_.ranges.push_back(arena_[k]);
      table_.limits.push_back({f, begin, static_cast<std::uint32_t>(table_.ranges.size())});
    }
    table_.leaves.push_back({value, first, table_.limits.size()});
  }

  static std::ptrdiff_t as_step(std::size_t at) { return static_cast<std::ptrdiff_t>(at); }

  const Ensemble& ensemble_;
  std::vector<const FeatureMapping*> copies_;
  LeafTable& table_;
  Budget& budget_;
  std::vector<Set> sets_;
  CellRanges arena_, scratch_;
  std::vector<FeatureId> path_; // features with fewer cells than the box
  std::vector<Step> steps_;
};

/// The lead of a over b before the first tree.
Value start_lead(const Ensemble& ensemble, LabelId a, LabelId b) {
  if (ensemble.forest().rule != Rule::cut)
    return ensemble.start(a) - ensemble.start(b);
  return a == 1 ? ensemble.start(0) : -ensemble.start(0);
}

/// A sum times 2^shift; rounded down where that is negative.
Value shifted(Value value, int shift) {
  return shift >= 0 ? value * (Value{1} << shift) : value >> -shift;
}

/// Uses the bits that there are, so that the prices of a relaxation can be small parts.
Lead scaled(Lead lead) {
  LeafTable& table = lead.table;
  auto most = static_cast<double>(std::max(std::abs(table.fixed), std::abs(lead.limit)));
  for (std::size_t t = 0; t < table.trees(); ++t) {
    Value largest = 0;
    for (const LeafTable::Leaf& leaf : table.leaves_of(t))
      largest = std::max(largest, std::abs(leaf.value));
    most += static_cast<double>(largest);
  }
  int exponent = 0;
  (void)std::frexp(most, &exponent);
  const int shift = std::min(sum_bits - exponent, 40);
  for (LeafTable::Leaf& leaf : table.leaves)
    leaf.value = shifted(leaf.value, shift);
  table.fixed = shifted(table.fixed, shift);
  lead.limit = shifted(lead.limit, shift);
  return lead;
}

/// Trees without leaves where there is no instance.
void add_guards(const Ensemble& ensemble, Walk walk) {
  for (const std::uint32_t root : ensemble.forest().guard_first)
    walk.append(root, any_number, [&](const Nodes& nodes) {
      return ensemble.forest().node_left[nodes[0]] == 1 ? std::nullopt : std::optional(Value{0});
    });
}

Value largest_uncertain(const Ensemble& ensemble, LabelId a, LabelId b) {
  return std::min(ensemble.least_lead(a, b) - 1, out_of_reach);
}

LeafTable empty_table(const Box& box, Value fixed) {
  LeafTable table;
  for (const std::vector<bool>& cells : box)
    table.box.push_back(ranges_of(cells));
  table.tree_first.push_back(0);
  table.fixed = fixed;
  return table;
}

} // namespace

FeatureMapping identity_mapping(const Ensemble& ensemble) {
  FeatureMapping mapping{ensemble.forest().domains, std::vector<FeatureId>(ensemble.features())};
  std::iota(mapping.of.begin(), mapping.of.end(), 0);
  return mapping;
}

Lead lead_of(const Ensemble& ensemble, LabelId a, LabelId b, const FeatureMapping& mapping,
             const Box& box, Budget& budget) {
  Lead lead{empty_table(box, start_lead(ensemble, a, b)), largest_uncertain(ensemble, a, b)};
  Walk walk(ensemble, {&mapping}, lead.table, budget);
  for (std::size_t t = 0; t < ensemble.trees(); ++t)
    walk.append(ensemble.forest().tree_first[t], any_number, [&](const Nodes& nodes) {
      return std::optional(ensemble.lead_units(t, nodes[0], a, b));
    });
  add_guards(ensemble, Walk(ensemble, {&mapping}, lead.table, budget));
  return scaled(std::move(lead));
}

Lead joint_lead_of(const Ensemble& ensemble, LabelId a, LabelId b, const FeatureMapping& one,
                   const FeatureMapping& other, const Box& box, Budget& budget) {
  Lead lead{empty_table(box, 0),
            largest_uncertain(ensemble, a, b) + largest_uncertain(ensemble, b, a)};
  LeafTable& table = lead.table;
  Walk both(ensemble, {&one, &other}, table, budget), first(ensemble, {&one}, table, budget),
      second(ensemble, {&other}, table, budget);
  for (std::size_t t = 0; t < ensemble.trees(); ++t) {
    const std::uint32_t root = ensemble.forest().tree_first[t];
    const auto lead_at = [&](std::uint32_t leaf) { return ensemble.lead_units(t, leaf, a, b); };
    const bool joint = both.append(root, most_joint_leaves, [&](const Nodes& nodes) {
      return std::optional(lead_at(nodes[0]) - lead_at(nodes[1]));
    });
    if (joint) {
      const std::size_t from = table.tree_first[table.trees() - 1];
      const auto adds = [](const LeafTable::Leaf& leaf) { return leaf.value != 0; };
      if (std::none_of(table.leaves.begin() + static_cast<std::ptrdiff_t>(from), table.leaves.end(),
                       adds)) {
        const std::size_t limits = table.leaves[from].first;
        if (limits < table.limits.size())
          table.ranges.resize(table.limits[limits].first);
        table.limits.resize(limits);
        table.leaves.resize(from);
        table.tree_first.pop_back();
      }
      continue;
    }
    first.append(root, any_number,
                 [&](const Nodes& nodes) { return std::optional(lead_at(nodes[0])); });
    second.append(root, any_number,
                  [&](const Nodes& nodes) { return std::optional(-lead_at(nodes[0])); });
  }
  add_guards(ensemble, Walk(ensemble, {&one}, table, budget));
  add_guards(ensemble, Walk(ensemble, {&other}, table, budget));
  return scaled(std::move(lead));
}

} // namespace reasons::forest
