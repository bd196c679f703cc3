#include "forest/compile/residuals.hpp"

#include <algorithm>
#include <bit>

namespace reasons::forest {
namespace {

constexpr std::uint32_t between_looks = 4096; // residuals, before the limit of bytes is looked at
constexpr std::uint32_t no_test = 0x80000000; // marks a leaf; the rest is its tree

} // namespace

Residuals::Residuals(const Ensemble& ensemble, std::span<const FeatureId> order,
                     std::span<const std::uint32_t> trees, Budget& budget)
    : ensemble_(ensemble), budget_(budget), level_of_(ensemble.features(), bottom),
      pairs_(std::size_t{ensemble.labels()} * (ensemble.labels() - 1)) {
  for (std::size_t i = 0; i < order.size(); ++i)
    level_of_[order[i]] = static_cast<std::uint32_t>(i);
  const Forest& forest = ensemble.forest();
  std::vector<std::uint32_t> firsts = forest.tree_first;
  firsts.insert(firsts.end(), forest.guard_first.begin(), forest.guard_first.end());
  firsts.push_back(static_cast<std::uint32_t>(forest.node_test.size()));
  for (const std::uint32_t tree : trees)
    roots_.push_back(imported(tree, firsts[tree], firsts[tree + 1]));
  for (auto guard = static_cast<std::uint32_t>(ensemble.trees()); guard + 1 < firsts.size();
       ++guard)
    roots_.push_back(imported(guard, firsts[guard], firsts[guard + 1]));
  taken_over_ = nodes_.size();
}

bool Residuals::goes_left(std::uint32_t test, std::uint32_t cell) const {
  return contains(ensemble_.left_of_test(test), cell);
}

Residual Residuals::imported(std::uint32_t tree, std::uint32_t first, std::uint32_t end) {
  const Forest& forest = ensemble_.forest();
  std::vector<Residual> made(end - first);
  for (std::uint32_t n = end; n-- > first;) // children stand after their parents
    made[n - first] = ensemble_.is_leaf(n) ? leaf(tree, n)
                                           : test(static_cast<std::uint32_t>(forest.node_test[n]),
                                                  made[forest.node_left[n] - first],
                                                  made[forest.node_right[n] - first]);
  return made[0];
}

/// A number that leaves of a tree share if no sum can tell them apart. A library that does
/// not add value by value may know more digits than we were given, so there none share.
std::uint32_t Residuals::alike(std::uint32_t tree, std::uint32_t node) {
  const Forest& forest = ensemble_.forest();
  if (forest.settle)
    return node;
  std::vector<std::uint32_t> row{tree};
  for (std::uint32_t k = 0; k < forest.tree_width[tree]; ++k) {
    const auto bits =
        std::bit_cast<std::uint64_t>(forest.values[forest.row_first[forest.node_left[node]] + k]);
    row.push_back(static_cast<std::uint32_t>(bits));
    row.push_back(static_cast<std::uint32_t>(bits >> 32));
  }
  return rows_.intern(row);
}

Residual Residuals::leaf(std::uint32_t tree, std::uint32_t node) {
  const bool guard = tree >= ensemble_.trees();
  const bool impossible = guard && ensemble_.forest().node_left[node] == 1;
  const std::uint32_t low = guard ? 0 : alike(tree, node);
  const std::uint32_t key[] = {no_test | tree, low, impossible};
  const Residual id = unique_.intern(key);
  if (id < nodes_.size())
    return id;
  nodes_.push_back({key[0], key[1], key[2], bottom, 0, 0});
  std::vector<Ensemble::Units> units(ensemble_.scores(), 0);
  for (std::uint32_t score = 0; score < units.size() && !guard; ++score)
    units[score] = ensemble_.units(tree, node, score);
  for (LabelId a = 0; a < ensemble_.labels(); ++a)
    for (LabelId b = 0; b < ensemble_.labels(); ++b)
      if (a != b)
        leads_.push_back(ensemble_.lead(units, a, b));
  return id;
}

Residual Residuals::test(std::uint32_t test, Residual low, Residual high) {
  if (low == high)
    return low;
  const std::uint32_t key[] = {test, low, high};
  const Residual id = unique_.intern(key);
  if (id < nodes_.size())
    return id;
  budget_.tick();
  if (id % between_looks == 0)
    budget_.require(0, bytes());
  const std::uint32_t own = level_of_[ensemble_.forest().test_feature[test]];
  nodes_.push_back({test, low, high, std::min({own, level(low), level(high)}), 0, 0});
  for (std::size_t p = 0; p < pairs_; ++p)
    leads_.push_back(std::min(leads_[low * pairs_ + p], leads_[high * pairs_ + p]));
  return id;
}

std::span<const Residuals::Run> Residuals::runs(Residual r) {
  if (nodes_[r].runs_count == 0)
    expand(r);
  return std::span(runs_).subspan(nodes_[r].runs_first, nodes_[r].runs_count);
}

/// The tests of the first feature, wherever they are in the residual.
void Residuals::find_tests(Residual root) {
  const std::uint32_t level = nodes_[root].level;
  stamp_.resize(nodes_.size(), 0);
  ++now_;
  tests_.clear();
  stack_.assign(1, root);
  while (!stack_.empty()) {
    const Residual r = stack_.back();
    stack_.pop_back();
    if (nodes_[r].level != level || stamp_[r] == now_)
      continue;
    stamp_[r] = now_;
    if (level_of_[ensemble_.forest().test_feature[nodes_[r].test]] == level)
      tests_.push_back(nodes_[r].test);
    stack_.push_back(nodes_[r].low);
    stack_.push_back(nodes_[r].high);
  }
  std::sort(tests_.begin(), tests_.end());
  tests_.erase(std::unique(tests_.begin(), tests_.end()), tests_.end());
}

void Residuals::expand(Residual root) {
  find_tests(root);
  const std::uint32_t cells = ensemble_.domain(ensemble_.forest().test_feature[tests_[0]]);
  turns_.assign(1, 0); // the cells from which on some test answers otherwise
  for (const std::uint32_t test : tests_)
    for (const CellRange& range : ensemble_.left_of_test(test)) {
      turns_.push_back(range.begin);
      turns_.push_back(range.end);
    }
  std::sort(turns_.begin(), turns_.end());
  turns_.erase(std::unique(turns_.begin(), turns_.end()), turns_.end());
  const std::size_t first = runs_.size();
  for (const std::uint32_t cell : turns_) {
    if (cell == cells)
      break;
    const Residual child = restricted(root, static_cast<Cell>(cell));
    if (runs_.size() == first || runs_.back().child != child)
      runs_.push_back({cell, child});
  }
  nodes_[root].runs_first = first;
  nodes_[root].runs_count = static_cast<std::uint32_t>(runs_.size() - first);
}

Residual Residuals::restricted(Residual root, Cell cell) {
  const std::uint32_t level = nodes_[root].level;
  stamp_.resize(nodes_.size(), 0);
  moved_.resize(nodes_.size(), 0);
  ++now_;
  const auto is_done = [&](Residual r) { return nodes_[r].level != level || stamp_[r] == now_; };
  const auto result = [&](Residual r) { return nodes_[r].level != level ? r : moved_[r]; };
  stack_.assign(1, root);
  while (!stack_.empty()) {
    const Residual r = stack_.back();
    if (is_done(r)) {
      stack_.pop_back();
      continue;
    }
    const Node node = nodes_[r];
    const bool known = level_of_[ensemble_.forest().test_feature[node.test]] == level;
    const bool left = known && goes_left(node.test, cell), right = known && !left;
    const bool low_done = right || is_done(node.low), high_done = left || is_done(node.high);
    if (!low_done)
      stack_.push_back(node.low);
    if (!high_done)
      stack_.push_back(node.high);
    if (!low_done || !high_done)
      continue;
    const Residual becomes = left    ? result(node.low)
                             : right ? result(node.high)
                                     : test(node.test, result(node.low), result(node.high));
    moved_[r] = becomes;
    stamp_[r] = now_;
    stack_.pop_back();
  }
  return result(root);
}

std::uint64_t Residuals::bytes() const {
  return nodes_.capacity() * sizeof(Node) + leads_.capacity() * 8 + runs_.capacity() * sizeof(Run) +
         unique_.bytes() + rows_.bytes();
}

} // namespace reasons::forest
