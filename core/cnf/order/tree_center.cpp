// tree_center.cpp: variable positions from a tree decomposition that is rooted at its center.
#include "cnf/order/elimination.hpp"

#include <algorithm>
#include <numeric>

namespace reasons::cnf {
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

constexpr std::uint32_t no_number = 0xFFFFFFFF;

/// Numbers the bags of a tree in the order in which to decide their variables.
class Numbering {
public:
  explicit Numbering(const Tree& tree, std::vector<std::uint32_t> weight)
      : tree_(tree), weight_(std::move(weight)), number_(weight_.size(), no_number),
        hangs_on_(weight_.size(), 0), below_(weight_.size(), 0) {}

  /// From the middle: a bag before those that hang on it, a light branch before a heavy one.
  /// Where a long clause keeps branches together, finishing one before the next keeps what is
  /// still open small; level by level lost by a factor of 20.
  void from_middle(std::uint32_t from) {
    const std::uint32_t root = middle(outwards(from));
    for (const std::uint32_t b : inwards(outwards(root)))
      add_below(b);
    std::vector<std::uint32_t> stack{root};
    while (!stack.empty()) {
      const std::uint32_t b = stack.back();
      stack.pop_back();
      number_[b] = next_++;
      const std::size_t before = stack.size();
      for (const std::uint32_t c : tree_.around[b])
        if (c != hangs_on_[b])
          stack.push_back(c);
      std::stable_sort(stack.begin() + static_cast<std::ptrdiff_t>(before), stack.end(),
                       [&](std::uint32_t x, std::uint32_t y) { return below_[x] > below_[y]; });
    }
  }

  /// From the middle, then from the middle of each part that is left, and so on: no path of
  /// decisions is long, which large formulas need.
  void from_middles(std::uint32_t from) {
    std::vector<std::uint32_t> stack{from};
    while (!stack.empty()) {
      const std::uint32_t root = middle(outwards(stack.back()));
      stack.pop_back();
      number_[root] = next_++;
      for (const std::uint32_t c : tree_.around[root])
        if (number_[c] == no_number)
          stack.push_back(c);
    }
  }

  [[nodiscard]] bool has(std::uint32_t b) const { return number_[b] != no_number; }
  [[nodiscard]] double place(std::uint32_t b) const {
    return static_cast<double>(number_[b]) / next_;
  }

private:
  using Bags = std::vector<std::uint32_t>;

  /// The bags without a number from one outwards, each after the one it hangs on.
  Bags outwards(std::uint32_t from) {
    Bags order{from};
    hangs_on_[from] = from;
    for (std::size_t i = 0; i < order.size(); ++i)
      for (const std::uint32_t b : tree_.around[order[i]])
        if (b != hangs_on_[order[i]] && number_[b] == no_number) {
          hangs_on_[b] = order[i];
          order.push_back(b);
        }
    return order;
  }

  static Bags inwards(Bags order) {
    std::ranges::reverse(order);
    return order;
  }

  /// The largest branch that hangs on a bag, with `below_` of the bag as a side effect.
  std::uint64_t add_below(std::uint32_t b) {
    std::uint64_t largest = 0;
    below_[b] = weight_[b];
    for (const std::uint32_t c : tree_.around[b])
      if (c != hangs_on_[b] && number_[c] == no_number) {
        below_[b] += below_[c];
        largest = std::max(largest, below_[c]);
      }
    return largest;
  }

  /// The bag whose largest branch is smallest, by the variables that it has first.
  std::uint32_t middle(Bags order) {
    std::uint64_t total = 0, least = ~0ull;
    for (const std::uint32_t b : order)
      total += weight_[b];
    std::uint32_t best = order.front();
    for (const std::uint32_t b : inwards(std::move(order))) {
      const std::uint64_t inside = add_below(b);
      if (const std::uint64_t largest = std::max(inside, total - below_[b]); largest < least) {
        least = largest;
        best = b;
      }
    }
    return best;
  }

  const Tree& tree_;
  std::vector<std::uint32_t> weight_, number_, hangs_on_;
  std::vector<std::uint64_t> below_;
  std::uint32_t next_ = 0;
};

} // namespace

void write_places(const Decomposition& d, TreeWalk walk, std::vector<double>& place) {
  const auto n = static_cast<std::uint32_t>(d.bags.size());
  Tree tree = contracted(d);
  std::vector<std::uint32_t> weight(n, 0);
  for (std::uint32_t b = 0; b < n; ++b)
    ++weight[target(tree.into, b)];
  Numbering numbering(tree, std::move(weight));
  for (std::uint32_t b = 0; b < n; ++b)
    if (tree.into[b] == b && !numbering.has(b))
      walk == TreeWalk::branches ? numbering.from_middle(b) : numbering.from_middles(b);
  for (const auto& bag : d.bags)
    for (const Var v : bag)
      place[v] = 1;
  for (std::uint32_t b = 0; b < n; ++b)
    for (const Var v : d.bags[b])
      place[v] = std::min(place[v], numbering.place(target(tree.into, b)));
}

} // namespace reasons::cnf
