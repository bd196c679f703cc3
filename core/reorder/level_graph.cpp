// level_graph.cpp: nodes, their unique tables, and who uses them.
#include "reorder/level_graph.hpp"

#include "base/bit_set.hpp"
#include "base/error.hpp"
#include "base/hashing.hpp"
#include "circuit/builder.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace reasons::reorder {

LevelGraph::LevelGraph(const Circuit& circuit, Budget& budget)
    : budget_(budget), labels_(circuit.labels()),
      domains_(circuit.arrays().domains.begin(), circuit.arrays().domains.end()), splits_(domains_),
      tables_(domains_.size()), order_(circuit.order()) {
  ScanSet used(circuit.size());
  used.set(circuit.root());
  for (NodeId n = circuit.size(); n-- > 0;)
    if (used[n])
      for (const NodeId input : circuit.inputs(n))
        used.set(input);
  std::vector<SplitId> finest(domains_.size(), none);
  for (const FeatureId f : order_) {
    joined_.resize(domains_[f]);
    std::iota(joined_.begin(), joined_.end(), Arm{0});
    finest[f] = splits_.intern(f, joined_);
  }
  std::vector<NodeId> made(circuit.size(), none);
  std::unordered_map<LabelId, NodeId> leaves;
  used.ascending([&](std::size_t at) {
    const auto n = static_cast<NodeId>(at);
    const std::uint32_t payload = circuit.payload(n);
    if (circuit.kind(n) == Kind::leaf) {
      const auto [leaf, is_new] = leaves.try_emplace(payload, none);
      if (is_new)
        leaf->second = fresh({none, payload});
      made[n] = leaf->second;
      return;
    }
    by_arm_.clear();
    for (const Arm arm : circuit.arm_of(payload))
      by_arm_.push_back(made[circuit.inputs(n)[arm]]);
    made[n] = decide(finest[circuit.tested(payload)], by_arm_);
  });
  root_ = made[circuit.root()];
  ++nodes_[root_].users;
}

Circuit LevelGraph::circuit() const {
  circuit::Builder builder(domains_, labels_, budget_);
  std::vector<NodeId> made(nodes_.size(), none), by_value;
  const auto built = [&](NodeId n) {
    if (nodes_[n].feature == none && made[n] == none)
      made[n] = nodes_[n].split == impossible_label ? builder.impossible()
                                                    : builder.leaf(nodes_[n].split);
    return made[n];
  };
  for (std::size_t level = order_.size(); level-- > 0;)
    for (NodeId n : tables_[order_[level]].slots)
      for (; n != none; n = nodes_[n].next) {
        by_value.clear();
        for (const Arm arm : splits_.arm_of(nodes_[n].split))
          by_value.push_back(built(children(n)[arm]));
        made[n] = builder.decide(order_[level], by_value);
      }
  return builder.build(built(root_));
}

/// The node of a test whose arms may agree.
NodeId LevelGraph::decide(SplitId split, Nodes by_arm) {
  distinct_.clear();
  joined_.clear();
  for (const NodeId child : by_arm) {
    const auto arm = std::find(distinct_.begin(), distinct_.end(), child);
    joined_.push_back(static_cast<Arm>(arm - distinct_.begin()));
    if (arm == distinct_.end())
      distinct_.push_back(child);
  }
  work_ += by_arm.size() * distinct_.size();
  if (distinct_.size() == 1)
    return distinct_.front();
  if (distinct_.size() < by_arm.size())
    split = splits_.joined(split, joined_);
  return found_or_made(split, distinct_);
}

NodeId LevelGraph::found_or_made(SplitId split, Nodes distinct) {
  const FeatureId feature = splits_.feature(split);
  Table& table = tables_[feature];
  for (NodeId n = slot(table, split, distinct); n != none; n = nodes_[n].next)
    if (nodes_[n].split == split && std::ranges::equal(children(n), distinct))
      return n;
  const NodeId made = fresh({feature, split});
  hold(made, split, distinct);
  insert(made);
  ++size_;
  require_room();
  return made;
}

NodeId& LevelGraph::slot(Table& table, SplitId split, Nodes inputs) {
  return table.slots[hash_of(split, inputs) & (table.slots.size() - 1)];
}

NodeId LevelGraph::fresh(const Node& node) {
  if (free_nodes_.empty()) {
    nodes_.push_back(node);
    return static_cast<NodeId>(nodes_.size() - 1);
  }
  const NodeId n = free_nodes_.back();
  free_nodes_.pop_back();
  nodes_[n] = node;
  return n;
}

/// Gives a node its inputs, which are used once more.
void LevelGraph::hold(NodeId n, SplitId split, Nodes inputs) {
  if (free_rows_.size() <= inputs.size())
    free_rows_.resize(inputs.size() + 1);
  auto& rows = free_rows_[inputs.size()];
  auto first = static_cast<std::uint32_t>(edges_.size());
  if (rows.empty()) {
    edges_.resize(edges_.size() + inputs.size());
  } else {
    first = rows.back();
    rows.pop_back();
  }
  std::copy(inputs.begin(), inputs.end(), edges_.begin() + first);
  for (const NodeId input : inputs)
    ++nodes_[input].users;
  nodes_[n].feature = splits_.feature(split);
  nodes_[n].split = split;
  nodes_[n].first = first;
}

void LevelGraph::insert(NodeId n) {
  Table& table = tables_[nodes_[n].feature];
  if (++table.count > table.slots.size())
    widen(table);
  NodeId& head = slot(table, nodes_[n].split, children(n));
  nodes_[n].next = head;
  head = n;
}

void LevelGraph::remove(NodeId n) {
  Table& table = tables_[nodes_[n].feature];
  NodeId* link = &slot(table, nodes_[n].split, children(n));
  while (*link != n)
    link = &nodes_[*link].next;
  *link = nodes_[n].next;
  --table.count;
}

void LevelGraph::widen(Table& table) {
  std::vector<NodeId> old(4 * table.slots.size(), none);
  old.swap(table.slots);
  for (NodeId n : old)
    while (n != none) {
      NodeId& head = slot(table, nodes_[n].split, children(n));
      const NodeId next = nodes_[n].next;
      nodes_[n].next = head;
      head = n;
      n = next;
    }
}

/// One user less; what nothing uses any more is freed, and so on down.
void LevelGraph::let_go(NodeId n) {
  dying_.push_back(n);
  while (!dying_.empty()) {
    const NodeId last = dying_.back();
    dying_.pop_back();
    if (--nodes_[last].users != 0 || nodes_[last].feature == none)
      continue;
    ++work_;
    remove(last);
    dying_.insert(dying_.end(), children(last).begin(), children(last).end());
    free_rows_[children(last).size()].push_back(nodes_[last].first);
    free_nodes_.push_back(last);
    --size_;
  }
}

void LevelGraph::require_room() {
  budget_.tick();
  budget_.require(size_,
                  sizeof(Node) * nodes_.capacity() + 4 * edges_.capacity() + splits_.bytes());
  if (edges_.size() > 0xF0000000u)
    throw BudgetExceeded("a better order of features", "edges", static_cast<double>(edges_.size()),
                         0xF0000000u);
}

} // namespace reasons::reorder
