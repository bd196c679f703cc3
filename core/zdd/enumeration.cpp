// enumeration.cpp: the cheapest sets of a family, and all of them in the order of their costs.
#include "zdd/apply.hpp"
#include "zdd/family.hpp"

#include <algorithm>

namespace reasons::zdd {
namespace {

std::vector<Cost> cheapest_below(const Family& family, const std::vector<Cost>& costs) {
  std::vector<Cost> lowest(family.size());
  lowest[0] = {std::numeric_limits<double>::infinity(), 0};
  for (std::uint32_t id = 2; id < family.size(); ++id) {
    const DiagramNode& node = family.node(id);
    lowest[id] = std::min(lowest[node.low], lowest[node.high] + costs[node.variable]);
  }
  return lowest;
}

} // namespace

Family cheapest(const Family& family, const std::vector<Cost>& costs, Budget& budget) {
  const auto lowest = cheapest_below(family, costs);
  ZddTable diagram(budget);
  std::vector<std::uint32_t> kept(family.size(), 0);
  kept[1] = 1;
  for (std::uint32_t id = 2; id < family.size(); ++id) {
    const DiagramNode& node = family.node(id);
    const bool low = lowest[node.low] == lowest[id];
    const bool high = lowest[node.high] + costs[node.variable] == lowest[id];
    kept[id] = diagram.make(node.variable, low ? kept[node.low] : 0, high ? kept[node.high] : 0);
  }
  return frozen(diagram, kept[family.root], family.variables);
}

Enumeration::Enumeration(const Family& family, std::vector<Cost> costs)
    : family_(family), costs_(std::move(costs)), cheapest_(cheapest_below(family, costs_)) {
  if (family.root != 0)
    push(family.root, {}, no_link);
}

void Enumeration::push(std::uint32_t node, Cost cost, std::uint32_t last) {
  // Newest first among equals: the search goes down instead of broad.
  heap_.push_back({cost + cheapest_[node], cost, serial_++, node, last});
  std::push_heap(heap_.begin(), heap_.end(), is_later);
}

std::optional<Members> Enumeration::next() {
  if (heap_.empty())
    return std::nullopt;
  std::pop_heap(heap_.begin(), heap_.end(), is_later);
  Partial at = heap_.back();
  heap_.pop_back();
  while (at.node > 1) {
    const DiagramNode& node = family_.node(at.node);
    const Cost with = costs_[node.variable];
    const bool takes = cheapest_[node.high] + with <= cheapest_[node.low];
    if (takes && node.low != 0)
      push(node.low, at.cost, at.last);
    const std::uint32_t link = static_cast<std::uint32_t>(links_.size());
    if (takes || node.high != 0)
      links_.push_back({node.variable, at.last});
    if (!takes)
      push(node.high, at.cost + with, link);
    at.node = takes ? node.high : node.low;
    at.cost = takes ? at.cost + with : at.cost;
    at.last = takes ? link : at.last;
  }
  Members members;
  for (std::uint32_t link = at.last; link != no_link; link = links_[link].before)
    members.push_back(links_[link].variable);
  std::reverse(members.begin(), members.end());
  return members;
}

} // namespace reasons::zdd
