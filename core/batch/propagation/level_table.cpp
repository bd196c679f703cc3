#include "batch/propagation/level_table.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace reasons::batch {

LevelTable::LevelTable(const Circuit& circuit, const Arms& arms)
    : level_of_(circuit.features(), circuit.order().size()), arms_(circuit.order().size()) {
  assert(circuit.is_ordered());
  for (std::size_t level = 0; level < circuit.order().size(); ++level)
    level_of_[circuit.order()[level]] = level;
  place_nodes(circuit);
  link(circuit, arms);
  for (SplitId s = 0; s < circuit.splits(); ++s)
    if (const std::size_t level = level_of_[circuit.tested(s)]; level < count())
      for (std::size_t k = 0; k < circuit.arms(s); ++k)
        arms_[level].push_back(static_cast<std::uint32_t>(arms.place(s, k)));
}

/// Within a level nodes of one split stand together, so that its arms are at hand for all of them.
void LevelTable::place_nodes(const Circuit& circuit) {
  const auto level = [&](NodeId n) {
    return circuit.kind(n) == Kind::leaf ? arms_.size()
                                         : level_of_[circuit.tested(circuit.payload(n))];
  };
  from_.assign(arms_.size() + 2, 0);
  for (NodeId n = 0; n < circuit.size(); ++n)
    ++from_[level(n) + 1];
  std::partial_sum(from_.begin(), from_.end(), from_.begin());
  auto next = from_;
  place_of_.resize(circuit.size());
  labels_.resize(from_.back() - from_[count()]);
  std::vector<NodeId> nodes(circuit.size());
  std::iota(nodes.rbegin(), nodes.rend(), NodeId{0}); // as a walk down meets them
  std::stable_sort(nodes.begin(), nodes.end(),
                   [&](NodeId a, NodeId b) { return circuit.payload(a) < circuit.payload(b); });
  for (const NodeId n : nodes) {
    place_of_[n] = static_cast<std::uint32_t>(next[level(n)]++);
    if (circuit.kind(n) == Kind::leaf)
      labels_[place_of_[n] - from_[count()]] = circuit.payload(n);
  }
}

void LevelTable::link(const Circuit& circuit, const Arms& arms) {
  down_from_.assign(circuit.size() + 1, 0);
  up_from_.assign(circuit.size() + 1, 0);
  for (NodeId n = 0; n < circuit.size(); ++n)
    for (const NodeId input : circuit.inputs(n)) {
      ++down_from_[place_of_[n] + 1];
      ++up_from_[place_of_[input] + 1];
    }
  std::partial_sum(down_from_.begin(), down_from_.end(), down_from_.begin());
  std::partial_sum(up_from_.begin(), up_from_.end(), up_from_.begin());
  down_.resize(down_from_.back());
  up_.resize(up_from_.back());
  auto down = down_from_, up = up_from_;
  for (NodeId n = circuit.size(); n-- > 0;) {
    const auto inputs = circuit.inputs(n);
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      const auto arm = static_cast<std::uint32_t>(arms.place(circuit.payload(n), k));
      down_[down[place_of_[n]]++] = {place_of_[inputs[k]], arm};
      up_[up[place_of_[inputs[k]]]++] = {place_of_[n], arm};
    }
  }
}

} // namespace reasons::batch
