// builder.cpp: hash-consing with open addressing. A table of ids into the node
// arrays (not of copied keys) won over std::unordered_map: 4 bytes a slot.
#include "circuit/builder.hpp"

#include "base/error.hpp"
#include "base/hashing.hpp"

#include <algorithm>
#include <string>

namespace reasons::circuit {
namespace {

constexpr std::size_t smallest_table = 64;

} // namespace

Builder::Builder(std::vector<std::uint32_t> domains, std::uint32_t labels, Budget budget)
    : domains_(std::move(domains)), labels_(labels), budget_(std::move(budget)),
      node_table_(smallest_table, 0), split_table_(smallest_table, 0) {
  for (std::size_t f = 0; f < domains_.size(); ++f)
    if (domains_[f] == 0 || domains_[f] >= most_cells)
      throw InputError("feature " + std::to_string(f) + " has " + std::to_string(domains_[f]) +
                       " values; between 1 and 65,534 are possible");
  if (labels_ == 0 || labels_ >= impossible_label)
    throw InputError("a classifier has at least one label");
}

std::uint32_t Builder::domain(FeatureId feature) const {
  if (feature >= domains_.size())
    throw InputError("there is no feature number " + std::to_string(feature));
  return domains_[feature];
}

std::span<const NodeId> Builder::inputs(NodeId n) const {
  return std::span(edges_).subspan(first_[n], first_[n + 1] - first_[n]);
}

bool Builder::is_leaf(NodeId n, LabelId label) const {
  return heads_[n] == head_of(Kind::leaf, label);
}

bool Builder::is_decision(NodeId n) const {
  return static_cast<Kind>(heads_[n] >> payload_bits) == Kind::decision;
}

FeatureId Builder::tested(NodeId n) const {
  return split_of_[heads_[n] & payload_mask];
}

NodeId Builder::child(NodeId n, Cell value) const {
  const Arm arm = arm_of_[split_from_[heads_[n] & payload_mask] + value];
  return arm == no_arm ? no_node : inputs(n)[arm];
}

void Builder::require_known(NodeId n) const {
  if (n >= size())
    throw InputError("there is no node number " + std::to_string(n));
}

NodeId Builder::leaf(LabelId label) {
  if (label >= labels_)
    throw InputError("there is no label number " + std::to_string(label));
  return intern(Kind::leaf, label, {});
}

NodeId Builder::decide(FeatureId feature, std::span<const NodeId> child_of) {
  if (child_of.size() != domain(feature))
    throw InputError("feature " + std::to_string(feature) + " has " +
                     std::to_string(domains_[feature]) + " values, not " +
                     std::to_string(child_of.size()));
  scratch_.clear();
  scratch_arms_.resize(child_of.size());
  for (std::size_t v = 0; v < child_of.size(); ++v) {
    if (child_of[v] == no_node) {
      scratch_arms_[v] = no_arm;
      continue;
    }
    require_known(child_of[v]);
    // Arms are few; a linear search over the distinct children beats a map.
    const auto arm = std::find(scratch_.begin(), scratch_.end(), child_of[v]);
    scratch_arms_[v] = static_cast<Arm>(arm - scratch_.begin());
    if (arm == scratch_.end())
      scratch_.push_back(child_of[v]);
  }
  if (scratch_.empty())
    throw InputError("a decision on feature " + std::to_string(feature) + " has no arm");
  if (scratch_.size() == 1)
    return scratch_.front();
  const auto arms = static_cast<std::uint32_t>(scratch_.size());
  return intern(Kind::decision, split(feature, scratch_arms_, arms), scratch_);
}

NodeId Builder::all_of(std::span<const NodeId> conjuncts) {
  if (labels_ != 2)
    throw InputError("a conjunction needs the two labels of a Boolean function");
  scratch_.clear();
  for (const NodeId n : conjuncts) {
    require_known(n);
    if (is_leaf(n, impossible_label))
      throw InputError("a conjunction cannot stand above an impossible leaf");
    if (is_leaf(n, 0))
      return n;
    if (is_leaf(n, 1))
      continue;
    if (heads_[n] == head_of(Kind::conjunction, 0)) {
      const auto nested = inputs(n);
      scratch_.insert(scratch_.end(), nested.begin(), nested.end());
    } else {
      scratch_.push_back(n);
    }
  }
  if (scratch_.empty())
    return leaf(1);
  if (scratch_.size() == 1)
    return scratch_.front();
  std::sort(scratch_.begin(), scratch_.end());
  return intern(Kind::conjunction, 0, scratch_);
}

NodeId Builder::intern(Kind kind, std::uint32_t payload, std::span<const NodeId> ins) {
  budget_.tick();
  const std::uint32_t head = head_of(kind, payload);
  std::size_t slot = hash_of(head, ins) & (node_table_.size() - 1);
  for (; node_table_[slot] != 0; slot = (slot + 1) & (node_table_.size() - 1)) {
    const NodeId found = node_table_[slot] - 1;
    if (heads_[found] == head && std::ranges::equal(inputs(found), ins))
      return found;
  }
  const NodeId made = size();
  budget_.require(std::uint64_t{made} + 1, 4ull * (heads_.capacity() + first_.capacity() +
                                                   edges_.capacity() + node_table_.size()));
  if (made + 1 >= payload_mask || edges_.size() + ins.size() > 0xFFFFFFF0u)
    throw BudgetExceeded("compilation", "nodes", made + 1.0, payload_mask);
  heads_.push_back(head);
  edges_.insert(edges_.end(), ins.begin(), ins.end());
  first_.push_back(static_cast<std::uint32_t>(edges_.size()));
  node_table_[slot] = made + 1;
  if (std::size_t{made} * 2 > node_table_.size())
    grow_nodes();
  return made;
}

void Builder::grow_nodes() {
  std::vector<std::uint32_t> larger(node_table_.size() * 4, 0);
  for (NodeId n = 0; n < size(); ++n) {
    std::size_t slot = hash_of(heads_[n], inputs(n)) & (larger.size() - 1);
    while (larger[slot] != 0)
      slot = (slot + 1) & (larger.size() - 1);
    larger[slot] = n + 1;
  }
  node_table_ = std::move(larger);
}

SplitId Builder::split(FeatureId feature, std::span<const Arm> arms_of, std::uint32_t arms) {
  const auto values = [&](SplitId s) {
    return std::span<const Arm>(arm_of_).subspan(split_from_[s],
                                                 split_from_[s + 1] - split_from_[s]);
  };
  std::size_t slot = hash_of(feature, arms_of) & (split_table_.size() - 1);
  for (; split_table_[slot] != 0; slot = (slot + 1) & (split_table_.size() - 1)) {
    const SplitId found = split_table_[slot] - 1;
    if (split_of_[found] == feature && std::ranges::equal(values(found), arms_of))
      return found;
  }
  const auto made = static_cast<SplitId>(split_of_.size());
  budget_.require(made, 2ull * arm_of_.capacity() + 4ull * edges_.capacity());
  if (made >= payload_mask || arm_of_.size() + arms_of.size() > 0xFFFFFFF0u)
    throw BudgetExceeded("compilation", "splits", made + 1.0, payload_mask);
  split_of_.push_back(feature);
  split_arms_.push_back(arms);
  arm_of_.insert(arm_of_.end(), arms_of.begin(), arms_of.end());
  split_from_.push_back(static_cast<std::uint32_t>(arm_of_.size()));
  split_table_[slot] = made + 1;
  if (std::size_t{made} * 2 > split_table_.size()) {
    std::vector<std::uint32_t> larger(split_table_.size() * 4, 0);
    for (SplitId s = 0; s <= made; ++s) {
      std::size_t at = hash_of(split_of_[s], values(s)) & (larger.size() - 1);
      while (larger[at] != 0)
        at = (at + 1) & (larger.size() - 1);
      larger[at] = s + 1;
    }
    split_table_ = std::move(larger);
  }
  return made;
}

Circuit Builder::build(NodeId root) const {
  require_known(root);
  std::vector<NodeId> renamed(size(), no_node), renamed_split(split_of_.size(), no_node);
  renamed[root] = 0;
  for (NodeId n = root + 1; n-- > 0;)
    if (renamed[n] != no_node)
      for (const NodeId input : inputs(n))
        renamed[input] = 0;
  struct Storage {
    std::vector<std::uint32_t> domains, heads, first{0}, edges, split_of, split_arms, split_from{0};
    std::vector<Arm> arm_of;
  };
  auto kept = std::make_shared<Storage>();
  kept->domains = domains_;
  for (NodeId n = 0; n <= root; ++n) {
    if (renamed[n] == no_node)
      continue;
    renamed[n] = static_cast<NodeId>(kept->heads.size());
    std::uint32_t head = heads_[n];
    if (static_cast<Kind>(head >> payload_bits) == Kind::decision) {
      const SplitId s = head & payload_mask;
      if (renamed_split[s] == no_node) {
        renamed_split[s] = static_cast<SplitId>(kept->split_of.size());
        kept->split_of.push_back(split_of_[s]);
        kept->split_arms.push_back(split_arms_[s]);
        kept->arm_of.insert(kept->arm_of.end(), arm_of_.begin() + split_from_[s],
                            arm_of_.begin() + split_from_[s + 1]);
        kept->split_from.push_back(static_cast<std::uint32_t>(kept->arm_of.size()));
      }
      head = head_of(Kind::decision, renamed_split[s]);
    }
    kept->heads.push_back(head);
    for (const NodeId input : inputs(n))
      kept->edges.push_back(renamed[input]);
    kept->first.push_back(static_cast<std::uint32_t>(kept->edges.size()));
  }
  const CircuitArrays arrays{kept->domains,    kept->heads,    kept->first,
                             kept->edges,      kept->split_of, kept->split_arms,
                             kept->split_from, kept->arm_of,   labels_};
  return Circuit(arrays, kept);
}

} // namespace reasons::circuit
