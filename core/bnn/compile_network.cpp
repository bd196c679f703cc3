#include "bnn/compile_network.hpp"

#include "base/error.hpp"
#include "bnn/states.hpp"
#include "circuit/builder.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace reasons::bnn {
namespace {

/// Where a value of an input leads: a state of the next level by its number, or an end, which is
/// a label and the flips that are left.
using Target = std::uint32_t;
constexpr Target first_end = 0x80000000, impossible_end = 0xFFFFFFFF;

class NetworkSearch {
public:
  NetworkSearch(const Network& network, const InputRegion& region, std::vector<FeatureId> order,
                Budget& budget)
      : network_(network), region_(region), order_(std::move(order)), budget_(budget),
        states_(network, region, order_, budget), choices_(region.flips.value_or(0) + 1),
        is_met_(network.labels, false) {}

  void go_down();
  [[nodiscard]] Circuit go_up() const;
  [[nodiscard]] CompileNetworkStats stats() const { return {made_, states_.settled()}; }

private:
  [[nodiscard]] Target target(const NetworkState& state, bool is_news, TupleTable& next);
  void account(const TupleTable& level, const TupleTable& next) const;
  [[nodiscard]] NodeId decision(circuit::Builder& builder, std::size_t level, NodeId low,
                                NodeId high) const;
  void lift_ends(circuit::Builder& builder, std::size_t level, std::vector<NodeId>& ends) const;

  const Network& network_;
  const InputRegion& region_;
  std::vector<FeatureId> order_;
  Budget& budget_;
  NetworkStates states_;
  std::uint32_t choices_; // how many numbers of flips can be left
  std::vector<bool> is_met_;
  std::vector<std::vector<std::array<Target, 2>>> levels_;
  Target root_ = impossible_end;
  std::uint64_t made_ = 0;
  std::vector<std::uint32_t> key_;
};

/// What a state is, `is_news` if more of its units are certain than of the one above it.
Target NetworkSearch::target(const NetworkState& state, bool is_news, TupleTable& next) {
  const LabelId label = is_news ? states_.label(state) : Outcome::open;
  if (label != Outcome::open) {
    is_met_[label] = true;
    return first_end + label * choices_ + state.flips;
  }
  states_.write(state, key_);
  return next.intern(key_);
}

void NetworkSearch::account(const TupleTable& level, const TupleTable& next) const {
  budget_.require(made_ + next.size(),
                  level.bytes() + next.bytes() + states_.bytes() + 8 * (made_ + next.size()));
}

void NetworkSearch::go_down() {
  TupleTable level;
  NetworkState state = states_.first(), next_state;
  root_ = target(state, true, level);
  while (level.size() > 0) {
    TupleTable next;
    auto& children = levels_.emplace_back();
    children.reserve(level.size());
    for (std::uint32_t number = 0; number < level.size(); ++number) {
      budget_.tick();
      if (number % 1024 == 0)
        account(level, next);
      states_.read(level[number], state);
      std::array<Target, 2> found{impossible_end, impossible_end};
      for (const bool value : {false, true})
        if (states_.step(state, levels_.size() - 1, value, next_state))
          found[value] = target(next_state, next_state.certain != state.certain, next);
      children.push_back(found);
    }
    made_ += level.size();
    level = std::move(next);
  }
}

NodeId NetworkSearch::decision(circuit::Builder& builder, std::size_t level, NodeId low,
                               NodeId high) const {
  const NodeId children[2] = {low, high};
  return builder.decide(order_[level], children);
}

/// From the nodes of ends after an input to those before it: what is left must be possible.
void NetworkSearch::lift_ends(circuit::Builder& builder, std::size_t level,
                              std::vector<NodeId>& ends) const {
  const FeatureId input = order_[level];
  const bool is_fixed = region_.fixed[input] != InputRegion::free;
  if (!is_fixed && !region_.flips)
    return;
  const bool same = is_fixed ? region_.fixed[input] != 0 : region_.centre[input] != 0;
  for (LabelId label = 0; label < network_.labels; ++label)
    for (std::uint32_t flips = choices_; is_met_[label] && flips-- > 0;) {
      NodeId& node = ends[label * choices_ + flips];
      NodeId other = builder.impossible();
      if (!is_fixed && flips > 0)
        other = ends[label * choices_ + flips - 1];
      node = decision(builder, level, same ? other : node, same ? node : other);
    }
}

Circuit NetworkSearch::go_up() const {
  circuit::Builder builder(std::vector<std::uint32_t>(order_.size(), 2), network_.labels, budget_);
  std::vector<NodeId> ends(std::size_t{network_.labels} * choices_), nodes, above;
  for (LabelId label = 0; label < network_.labels; ++label)
    std::fill_n(ends.begin() + label * choices_, choices_, builder.leaf(label));
  const auto node_of = [&](Target target) {
    if (target == impossible_end)
      return builder.impossible();
    return target >= first_end ? ends[target - first_end] : nodes[target];
  };
  for (std::size_t level = order_.size(); level-- > 0;) {
    above.clear();
    if (level < levels_.size())
      for (const auto& [low, high] : levels_[level])
        above.push_back(decision(builder, level, node_of(low), node_of(high)));
    lift_ends(builder, level, ends);
    nodes.swap(above);
  }
  return builder.build(node_of(root_));
}

void require_sound(const InputRegion& region, std::span<const FeatureId> order,
                   std::size_t inputs) {
  std::vector<FeatureId> sorted(order.begin(), order.end()), all(inputs);
  std::ranges::sort(sorted);
  std::iota(all.begin(), all.end(), 0);
  if (sorted != all)
    throw InputError("an order names every input once");
  if (region.fixed.size() != inputs || (region.flips && region.centre.size() != inputs))
    throw InputError("a region says something of every input");
  for (std::size_t input = 0; input < inputs; ++input)
    if (region.fixed[input] > InputRegion::free || (region.flips && region.centre[input] > 1))
      throw InputError("an input is 0 or 1");
}

} // namespace

Circuit compile_network(const Network& network, const InputRegion& region,
                        std::span<const FeatureId> order, Budget& budget,
                        CompileNetworkStats* stats) {
  require_sound(network);
  require_sound(region, order, network.inputs());
  const std::uint64_t ends = network.labels * (region.flips.value_or(0) + std::uint64_t{1});
  if (ends >= impossible_end - first_end)
    throw InputError("too many labels and flips");
  budget.require(ends, 4 * ends);
  NetworkSearch search(network, region, {order.begin(), order.end()}, budget);
  search.go_down();
  Circuit circuit = search.go_up();
  if (stats != nullptr)
    *stats = search.stats();
  return circuit;
}

} // namespace reasons::bnn
