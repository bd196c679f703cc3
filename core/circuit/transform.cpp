// transform.cpp: one pass upward each; the builder keeps what comes out reduced.
#include "circuit/transform.hpp"

#include "base/bit_set.hpp"
#include "base/error.hpp"
#include "circuit/builder.hpp"
#include "circuit/levels.hpp"

#include <algorithm>
#include <memory>
#include <unordered_map>

namespace reasons::circuit {
namespace {

Builder builder_for(const Circuit& circuit, std::uint32_t labels, Budget budget) {
  const auto domains = circuit.arrays().domains;
  return Builder({domains.begin(), domains.end()}, labels, std::move(budget));
}

/// Makes nodes of a circuit anew, from nodes that were made for their inputs.
class Copy {
public:
  Copy(const Circuit& circuit, Budget budget) : Copy(circuit, circuit.labels(), budget) {}
  Copy(const Circuit& circuit, std::uint32_t labels, Budget budget)
      : circuit_(circuit), builder_(builder_for(circuit, labels, std::move(budget))),
        made_(circuit.size(), Builder::no_node) {}

  void leaf_or_conjunction(NodeId n) {
    const std::uint32_t label = circuit_.payload(n);
    if (circuit_.kind(n) == Kind::leaf)
      made_[n] = label == impossible_label ? builder_.impossible() : builder_.leaf(label);
    else
      made_[n] = builder_.all_of(made_inputs(n));
  }
  void decision(NodeId n) {
    const auto inputs = circuit_.inputs(n);
    children_.clear();
    for (const Arm arm : circuit_.arm_of(circuit_.payload(n)))
      children_.push_back(arm == no_arm ? Builder::no_node : made_[inputs[arm]]);
    made_[n] = builder_.decide(tested(n), children_);
  }
  std::span<const NodeId> made_inputs(NodeId n) {
    children_.clear();
    for (const NodeId input : circuit_.inputs(n))
      children_.push_back(made_[input]);
    return children_;
  }
  [[nodiscard]] FeatureId tested(NodeId n) const { return circuit_.tested(circuit_.payload(n)); }
  [[nodiscard]] Circuit built() const { return builder_.build(made_[circuit_.root()]); }

  const Circuit& circuit_;
  Builder builder_;
  std::vector<NodeId> made_, children_;
};

/// LabelUnion of nodes of a builder: the label `top` wins over all, two others that differ make it,
/// and impossible leaves yield. With the top 1, of labels 0 and 1, that is disjunction.
class LabelUnion {
public:
  LabelUnion(Builder& builder, const Circuit& circuit, LabelId top)
      : builder_(builder), levels_(circuit.order(), circuit.features()), top_(builder.leaf(top)),
        ordered_(circuit.is_ordered()), zero_yields_(top == 1 && !circuit.has_impossible()) {}

  /// All of the nodes together.
  NodeId of(std::span<const NodeId> nodes, FeatureId forgotten) {
    NodeId whole = nodes.front();
    if (std::ranges::find(nodes, top_) != nodes.end())
      whole = top_; // settles it, wherever it stands
    for (const NodeId n : nodes)
      whole = of(whole, n, forgotten);
    return whole;
  }

private:
  NodeId of(NodeId a, NodeId b, FeatureId forgotten) {
    if (!ordered_ && known(a, b) == Builder::no_node)
      throw PropertyError("forgetting feature number " + std::to_string(forgotten) +
                          " would unite parts that may overlap, which only ordered circuits "
                          "can; compile the classifier to an ordered one");
    open_.emplace_back(a, b);
    while (!open_.empty()) {
      const auto [x, y] = open_.back();
      if (known(x, y) != Builder::no_node || enter(x, y))
        open_.pop_back();
    }
    return known(a, b);
  }

  /// What is seen at once, or was worked out before.
  [[nodiscard]] NodeId known(NodeId a, NodeId b) const {
    const auto yields = [&](NodeId n) {
      return builder_.is_leaf(n, impossible_label) || (zero_yields_ && builder_.is_leaf(n, 0));
    };
    if (a == b || a == top_ || yields(b))
      return a;
    if (b == top_ || yields(a))
      return b;
    if (ordered_ && level(a) == Levels::bottom && level(b) == Levels::bottom)
      return top_;
    const auto found = made_.find(key_of(std::min(a, b), std::max(a, b)));
    return found == made_.end() ? Builder::no_node : found->second;
  }

  /// Makes the node of a pair if those below are there, or puts them before it.
  bool enter(NodeId a, NodeId b) {
    const bool upper = level(a) <= level(b);
    const FeatureId feature = builder_.tested(upper ? a : b);
    const std::size_t depth = open_.size();
    children_.clear();
    for (Cell v = 0; v < builder_.domain(feature); ++v) {
      const NodeId x = below(a, feature, v), y = below(b, feature, v);
      children_.push_back(known(x, y));
      if (children_.back() == Builder::no_node)
        open_.emplace_back(x, y);
    }
    if (open_.size() != depth)
      return false;
    made_[key_of(std::min(a, b), std::max(a, b))] = builder_.decide(feature, children_);
    builder_.budget().require(made_.size(), 48 * made_.size());
    return true;
  }

  [[nodiscard]] std::uint32_t level(NodeId n) const {
    return builder_.is_decision(n) ? levels_.of(builder_.tested(n)) : Levels::bottom;
  }
  [[nodiscard]] NodeId below(NodeId n, FeatureId feature, Cell value) const {
    const bool tests = builder_.is_decision(n) && builder_.tested(n) == feature;
    return tests ? builder_.child(n, value) : n;
  }

  Builder& builder_;
  Levels levels_;
  NodeId top_;
  bool ordered_, zero_yields_;
  std::unordered_map<std::uint64_t, NodeId> made_;
  std::vector<std::pair<NodeId, NodeId>> open_;
  std::vector<NodeId> children_;
};

/// The one input that a test of a fixed feature leads to.
NodeId chosen(const Circuit& circuit, NodeId n, Cell cell) {
  const Arm arm = circuit.arm_of(circuit.payload(n))[cell];
  if (arm == no_arm)
    throw PropertyError("a test leaves out a value that can reach it");
  return circuit.inputs(n)[arm];
}

/// The circuit with the arms of every test of a forgotten feature united.
Circuit united(const Circuit& circuit, const std::vector<bool>& forget, Copy copy, LabelId top) {
  LabelUnion whole(copy.builder_, circuit, top);
  for (NodeId n = 0; n < circuit.size(); ++n) {
    if (circuit.kind(n) != Kind::decision)
      copy.leaf_or_conjunction(n);
    else if (forget[copy.tested(n)])
      copy.made_[n] = whole.of(copy.made_inputs(n), copy.tested(n));
    else
      copy.decision(n);
  }
  return copy.built();
}

} // namespace

Circuit conditioned(const Circuit& circuit, std::span<const Cell> fixed, Budget budget) {
  Copy copy(circuit, std::move(budget));
  const auto is_fixed = [&](NodeId n) {
    return circuit.kind(n) == Kind::decision && fixed[copy.tested(n)] != any_cell;
  };
  ScanSet reached(circuit.size());
  reached.set(circuit.root());
  for (NodeId n = circuit.size(); n-- > 0;) {
    if (!reached[n])
      continue;
    if (is_fixed(n))
      reached.set(chosen(circuit, n, fixed[copy.tested(n)]));
    else
      for (const NodeId input : circuit.inputs(n))
        reached.set(input);
  }
  for (NodeId n = 0; n < circuit.size(); ++n) {
    if (!reached[n])
      continue;
    if (is_fixed(n))
      copy.made_[n] = copy.made_[chosen(circuit, n, fixed[copy.tested(n)])];
    else if (circuit.kind(n) == Kind::decision)
      copy.decision(n);
    else
      copy.leaf_or_conjunction(n);
  }
  return copy.built();
}

Circuit forgotten(const Circuit& circuit, const std::vector<bool>& forget, Budget budget) {
  if (circuit.labels() != 2)
    throw PropertyError("features are forgotten by functions with the labels 0 and 1 only");
  return united(circuit, forget, Copy(circuit, std::move(budget)), 1);
}

Circuit merged(const Circuit& circuit, const std::vector<bool>& forget, Budget budget) {
  if (!circuit.is_ordered())
    throw PropertyError("labels are merged on ordered circuits only");
  const LabelId several = circuit.labels();
  return united(circuit, forget, Copy(circuit, several + 1, std::move(budget)), several);
}

Circuit renumbered(const Circuit& circuit, std::span<const FeatureId> feature,
                   std::span<const LabelId> label) {
  struct Kept {
    std::vector<std::uint32_t> domains, heads, first, edges, split_of, split_arms, split_from;
    std::vector<Arm> arm_of;
  };
  const CircuitArrays& a = circuit.arrays();
  auto kept = std::make_shared<Kept>();
  const auto copied = [](auto& to, const auto& from) { to.assign(from.begin(), from.end()); };
  copied(kept->first, a.first);
  copied(kept->edges, a.edges);
  copied(kept->split_arms, a.split_arms);
  copied(kept->split_from, a.split_from);
  copied(kept->arm_of, a.arm_of);
  copied(kept->heads, a.heads);
  kept->domains.resize(a.domains.size());
  for (FeatureId f = 0; f < circuit.features(); ++f)
    kept->domains[feature[f]] = circuit.domain(f);
  for (const FeatureId f : a.split_of)
    kept->split_of.push_back(feature[f]);
  for (NodeId n = 0; n < circuit.size(); ++n)
    if (circuit.kind(n) == Kind::leaf && circuit.payload(n) != impossible_label)
      kept->heads[n] = head_of(Kind::leaf, label[circuit.payload(n)]);
  const CircuitArrays arrays{kept->domains,    kept->heads,    kept->first,
                             kept->edges,      kept->split_of, kept->split_arms,
                             kept->split_from, kept->arm_of,   circuit.labels()};
  return Circuit(arrays, kept);
}

} // namespace reasons::circuit
