// places.cpp: a tree decomposition, hung up by its middle.
#include "eliminate.hpp"

#include <algorithm>
#include <numeric>

namespace reasons {
namespace {

/// The tree with bags that lie inside a neighbour's joined to it: neighbours of each, and
/// which one each bag went to.
struct Tree {
  std::vector<std::uint32_t> into;
  std::vector<std::vector<std::uint32_t>> around;
};

std::uint32_t target(std::vector<std::uint32_t>& into, std::uint32_t b) {
  while (into[b] != b)
    b = into[b] = into[into[b]];
  return b;
}

Tree contracted(const Decomposition& d) {
  const auto n = static_cast<std::uint32_t>(d.bags.size());
  Tree tree{std::vector<std::uint32_t>(n), std::vector<std::vector<std::uint32_t>>(n)};
  std::iota(tree.into.begin(), tree.into.end(), 0);
  for (std::uint32_t b = 0; b < n; ++b)
    if (const std::uint32_t p = d.parent[b];
        p != b && tree.into[p] == p && d.bags[p].size() + 1 == d.bags[b].size())
      tree.into[p] = b;
  for (std::uint32_t b = 0; b < n; ++b) {
    const std::uint32_t one = target(tree.into, b), other = target(tree.into, d.parent[b]);
    if (one == other)
      continue;
    tree.around[one].push_back(other);
    tree.around[other].push_back(one);
  }
  return tree;
}

/// Bags from one outwards, each after the one it hangs on.
std::vector<std::uint32_t> outwards(const Tree& tree, std::uint32_t from,
                                    std::vector<std::uint32_t>& hangs_on) {
  std::vector<std::uint32_t> order{from};
  hangs_on[from] = from;
  for (std::size_t i = 0; i < order.size(); ++i)
    for (const std::uint32_t b : tree.around[order[i]])
      if (b != hangs_on[order[i]]) {
        hangs_on[b] = order[i];
        order.push_back(b);
      }
  return order;
}

/// The bag whose largest branch is smallest, by the variables that it has first.
std::uint32_t middle(const Tree& tree, std::uint32_t from,
                     const std::vector<std::uint32_t>& weight) {
  std::vector<std::uint32_t> hangs_on(tree.around.size());
  const auto order = outwards(tree, from, hangs_on);
  std::vector<std::uint64_t> below(tree.around.size(), 0);
  std::uint64_t total = 0;
  for (const std::uint32_t b : order)
    total += weight[b];
  std::uint32_t best = from;
  std::uint64_t least = ~0ull;
  for (std::size_t i = order.size(); i-- > 0;) {
    const std::uint32_t b = order[i];
    std::uint64_t largest = 0;
    below[b] = weight[b];
    for (const std::uint32_t c : tree.around[b])
      if (c != hangs_on[b]) {
        below[b] += below[c];
        largest = std::max(largest, below[c]);
      }
    largest = std::max(largest, total - below[b]);
    if (largest < least) {
      least = largest;
      best = b;
    }
  }
  return best;
}

/// Numbers the bags of one tree from its middle: a bag before those that hang on it, a light
/// branch before a heavy one. Where a long clause keeps branches together, finishing one
/// before the next keeps what is still open small; level by level lost by a factor of 20.
void number_branches(const Tree& tree, std::uint32_t from, const std::vector<std::uint32_t>& weight,
                     std::uint32_t& next, std::vector<std::uint32_t>& number) {
  const std::uint32_t root = middle(tree, from, weight);
  std::vector<std::uint32_t> hangs_on(tree.around.size()), below = weight;
  const auto order = outwards(tree, root, hangs_on);
  for (std::size_t i = order.size(); i-- > 1;)
    below[hangs_on[order[i]]] += below[order[i]];
  std::vector<std::uint32_t> stack{root};
  while (!stack.empty()) {
    const std::uint32_t b = stack.back();
    stack.pop_back();
    number[b] = next++;
    const std::size_t before = stack.size();
    for (const std::uint32_t c : tree.around[b])
      if (c != hangs_on[b])
        stack.push_back(c);
    std::stable_sort(stack.begin() + static_cast<std::ptrdiff_t>(before), stack.end(),
                     [&](std::uint32_t x, std::uint32_t y) { return below[x] > below[y]; });
  }
}

} // namespace

void write_places(const Decomposition& d, std::vector<double>& place) {
  const auto n = static_cast<std::uint32_t>(d.bags.size());
  Tree tree = contracted(d);
  std::vector<std::uint32_t> weight(n, 0), number(n, 0xFFFFFFFF);
  for (std::uint32_t b = 0; b < n; ++b)
    ++weight[target(tree.into, b)];
  std::uint32_t next = 0;
  for (std::uint32_t b = 0; b < n; ++b)
    if (tree.into[b] == b && number[b] == 0xFFFFFFFF)
      number_branches(tree, b, weight, next, number);
  for (const auto& bag : d.bags)
    for (const Var v : bag)
      place[v] = 1;
  for (std::uint32_t b = 0; b < n; ++b)
    for (const Var v : d.bags[b])
      place[v] = std::min(place[v], static_cast<double>(number[target(tree.into, b)]) / next);
}

} // namespace reasons
