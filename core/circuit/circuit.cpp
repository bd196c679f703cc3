// circuit.cpp: a node table that came from anywhere is bounds-checked once, here,
// so that every later loop may index without looking.
#include "circuit/circuit.hpp"

#include "base/bit_set.hpp"
#include "base/error.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <string>

namespace reasons::circuit {
namespace {

[[noreturn]] void broken(const std::string& what) {
  throw PropertyError("malformed circuit: " + what);
}

[[noreturn]] void broken_node(std::size_t node, const std::string& what) {
  broken("node " + std::to_string(node) + " " + what);
}

/// Whether the numbers rise from 0 to the length of the array they cut up.
bool cuts(std::span<const std::uint32_t> from, std::size_t pieces, std::size_t total) {
  return from.size() == pieces + 1 && from.front() == 0 && from.back() == total &&
         std::is_sorted(from.begin(), from.end());
}

/// Which feature is tested directly above which, as a list of pairs. Neighbouring
/// nodes mostly repeat the same few pairs, so a small cache keeps the list short;
/// a square matrix of bits lost: a conjunction of a million literals has 10^12.
class Above {
public:
  void note(FeatureId upper, FeatureId lower) {
    const std::uint64_t pair = std::uint64_t{upper} << 32 | lower;
    std::uint64_t& slot = recent_[(upper * 0x9E3779B1u ^ lower) % recent_.size()];
    if (slot == pair + 1)
      return;
    slot = pair + 1;
    pairs_.push_back(pair);
  }

  /// The features in an order that every pair respects, smallest first where it
  /// is free; empty if the pairs form a cycle.
  [[nodiscard]] std::vector<FeatureId> order(const BitSet& used, FeatureId count) {
    std::sort(pairs_.begin(), pairs_.end());
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
    std::vector<std::uint32_t> waiting(count, 0), begin(count + 1, 0);
    for (const auto pair : pairs_) {
      ++waiting[pair & 0xFFFFFFFFu];
      ++begin[(pair >> 32) + 1];
    }
    for (FeatureId f = 0; f < count; ++f)
      begin[f + 1] += begin[f];
    std::priority_queue<FeatureId, std::vector<FeatureId>, std::greater<>> ready;
    std::size_t total = 0;
    used.ascending([&](std::size_t f) {
      ++total;
      if (waiting[f] == 0)
        ready.push(static_cast<FeatureId>(f));
    });
    std::vector<FeatureId> sorted;
    while (!ready.empty()) {
      const FeatureId f = ready.top();
      ready.pop();
      sorted.push_back(f);
      for (std::uint32_t i = begin[f]; i < begin[f + 1]; ++i)
        if (const auto lower = static_cast<FeatureId>(pairs_[i]); --waiting[lower] == 0)
          ready.push(lower);
    }
    if (sorted.size() != total)
      sorted.clear();
    return sorted;
  }

private:
  std::vector<std::uint64_t> recent_ = std::vector<std::uint64_t>(4096, 0);
  std::vector<std::uint64_t> pairs_;
};

} // namespace

Circuit::Circuit(CircuitArrays arrays, std::shared_ptr<const void> storage)
    : a_(arrays), storage_(std::move(storage)) {
  validate_splits();
  validate();
  survey();
}

void Circuit::validate_splits() const {
  const std::size_t count = a_.split_of.size();
  if (a_.split_arms.size() != count || !cuts(a_.split_from, count, a_.arm_of.size()))
    broken("the table of splits does not fit together");
  for (const auto domain : a_.domains)
    if (domain == 0 || domain >= most_cells)
      broken("a feature has " + std::to_string(domain) + " values");
  for (SplitId s = 0; s < count; ++s) {
    if (tested(s) >= features() || arm_of(s).size() != domain(tested(s)) || arms(s) < 2)
      broken("split " + std::to_string(s) + " does not fit its feature");
    std::vector<bool> taken(std::min<std::uint32_t>(arms(s), most_cells), false);
    for (const Arm arm : arm_of(s))
      if (arm != no_arm && arm >= arms(s))
        broken("split " + std::to_string(s) + " names an arm that it lacks");
      else if (arm != no_arm)
        taken[arm] = true;
    if (arms(s) >= most_cells || std::find(taken.begin(), taken.end(), false) != taken.end())
      broken("split " + std::to_string(s) + " has an arm without values");
  }
}

void Circuit::validate() const {
  const std::size_t count = a_.heads.size();
  if (count == 0 || count > payload_mask || !cuts(a_.first, count, a_.edges.size()))
    broken("the table of nodes does not fit together");
  for (NodeId n = 0; n < count; ++n) {
    const auto ins = inputs(n);
    switch (kind(n)) {
    case Kind::leaf:
      if (!ins.empty() || (payload(n) >= labels() && payload(n) != impossible_label))
        broken_node(n, "is not a leaf of a known label");
      break;
    case Kind::decision:
      if (payload(n) >= splits() || ins.size() != arms(payload(n)))
        broken_node(n, "does not fit its split");
      break;
    case Kind::conjunction:
      if (ins.size() < 2 || labels() != 2)
        broken_node(n, "is not a conjunction of two or more inputs under labels 0 and 1");
      break;
    default:
      broken_node(n, "is of no known kind");
    }
    for (const NodeId input : ins)
      if (input >= n)
        broken_node(n, "does not stand after its inputs");
  }
}

void Circuit::survey() {
  Above above;
  BitSet used(features());
  for (SplitId s = 0; s < splits(); ++s)
    retests_ |= std::find(arm_of(s).begin(), arm_of(s).end(), no_arm) != arm_of(s).end();
  for (NodeId n = 0; n < size(); ++n) {
    if (kind(n) == Kind::conjunction)
      conjunctions_ = true;
    else if (kind(n) == Kind::leaf)
      impossible_ |= payload(n) == impossible_label;
    else {
      const FeatureId f = tested(payload(n));
      used.set(f);
      for (const NodeId input : inputs(n))
        if (kind(input) == Kind::decision)
          above.note(f, tested(payload(input)));
    }
  }
  if (conjunctions_ || retests_)
    return;
  order_ = above.order(used, features());
  ordered_ = !order_.empty() || size() == 1;
}

std::vector<FeatureId> Circuit::feature_order_from_root() const {
  std::vector<bool> met(features(), false);
  std::vector<FeatureId> found;
  for (NodeId n = size(); n-- > 0;)
    if (kind(n) == Kind::decision && !met[tested(payload(n))]) {
      met[tested(payload(n))] = true;
      found.push_back(tested(payload(n)));
    }
  return found;
}

std::size_t Circuit::bytes() const {
  return 4 * (a_.domains.size() + a_.heads.size() + a_.first.size() + a_.edges.size() +
              a_.split_of.size() + a_.split_arms.size() + a_.split_from.size()) +
         2 * a_.arm_of.size();
}

} // namespace reasons::circuit
