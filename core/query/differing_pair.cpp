// differing_pair.cpp: iterative product walks. The search for a differing pair tries
// unequal successors first: on a reduced graph without impossible leaves unequal
// nodes are unequal functions, so that the first path down already ends well.
#include "query/differing_pair.hpp"

#include "base/bit_set.hpp"
#include "base/error.hpp"
#include "circuit/levels.hpp"

#include <algorithm>
#include <unordered_set>

namespace reasons::query {
namespace {

struct Step {
  NodeId a, b;
  Cell value_a, value_b;
};

/// A pair of nodes on the way down two circuits, and the value to try next.
struct Place {
  NodeId a, b;
  FeatureId feature;
  Cell next;
};

struct Frame {
  FeatureId feature;
  std::vector<Step> steps; // still to try, best last
  Step taken{};
};

class DifferingPairSearch {
public:
  DifferingPairSearch(const Circuit& circuit, const std::vector<bool>& loose, Budget& budget)
      : circuit_(circuit), loose_(loose), budget_(budget),
        levels_(circuit.order(), circuit.features()), below_(circuit.size()) {
    for (NodeId n = 0; n < circuit.size(); ++n) {
      if (circuit.kind(n) == Kind::decision && loose[circuit.tested(circuit.payload(n))])
        below_.set(n);
      for (const NodeId input : circuit.inputs(n))
        if (below_[input])
          below_.set(n);
    }
  }

  std::optional<InstancePair> run() {
    if (!is_hopeful(circuit_.root(), circuit_.root()))
      return std::nullopt;
    enter(circuit_.root(), circuit_.root());
    while (!path_.empty()) {
      budget_.tick();
      Frame& frame = path_.back();
      if (frame.steps.empty()) {
        path_.pop_back();
        continue;
      }
      frame.taken = frame.steps.back();
      frame.steps.pop_back();
      const auto [a, b] = std::pair(frame.taken.a, frame.taken.b);
      if (differ(a, b))
        return found();
      if (is_hopeful(a, b) && seen_.insert(circuit::key_of(a, b)).second) {
        budget_.require(seen_.size(), 32 * seen_.size());
        enter(a, b);
      }
    }
    return std::nullopt;
  }

private:
  [[nodiscard]] bool is_leaf(NodeId n) const { return circuit_.kind(n) == Kind::leaf; }

  [[nodiscard]] bool differ(NodeId a, NodeId b) const {
    return is_leaf(a) && is_leaf(b) && a != b && circuit_.payload(a) != impossible_label &&
           circuit_.payload(b) != impossible_label;
  }

  [[nodiscard]] bool is_hopeful(NodeId a, NodeId b) const {
    const auto dead = [&](NodeId n) {
      return is_leaf(n) && circuit_.payload(n) == impossible_label;
    };
    return a == b ? below_[a] : !(is_leaf(a) && is_leaf(b)) && !dead(a) && !dead(b);
  }

  void enter(NodeId a, NodeId b) {
    const NodeId upper = levels_.of(circuit_, a) <= levels_.of(circuit_, b) ? a : b;
    const FeatureId feature = circuit_.tested(circuit_.payload(upper));
    Frame frame{feature, {}, {}};
    const auto add = [&](Cell v, Cell w) {
      const Step step{follow(circuit_, a, feature, v), follow(circuit_, b, feature, w), v, w};
      const auto same = [&](const Step& s) { return s.a == step.a && s.b == step.b; };
      if (std::none_of(frame.steps.begin(), frame.steps.end(), same))
        frame.steps.push_back(step);
    };
    const auto domain = static_cast<Cell>(circuit_.domain(feature));
    for (Cell v = 0; v < domain; ++v) {
      if (!loose_[feature]) {
        add(v, v);
        continue;
      }
      for (Cell w = 0; w < domain; ++w)
        add(v, w);
    }
    // Unequal nodes are the promising ones; two leaves that differ are the goal.
    const auto promise = [&](const Step& s) { return differ(s.a, s.b) ? 2 : s.a != s.b; };
    std::stable_sort(frame.steps.begin(), frame.steps.end(),
                     [&](const Step& s, const Step& t) { return promise(s) < promise(t); });
    path_.push_back(std::move(frame));
  }

  [[nodiscard]] InstancePair found() const {
    InstancePair pair{std::vector<Cell>(circuit_.features(), 0),
                      std::vector<Cell>(circuit_.features(), 0)};
    for (const Frame& frame : path_) {
      pair.first[frame.feature] = frame.taken.value_a;
      pair.second[frame.feature] = frame.taken.value_b;
    }
    return pair;
  }

  const Circuit& circuit_;
  const std::vector<bool>& loose_;
  Budget& budget_;
  circuit::Levels levels_;
  BitSet below_; // nodes with a test of a loose feature at or below them
  std::vector<Frame> path_;
  std::unordered_set<std::uint64_t> seen_;
};

} // namespace

std::optional<InstancePair> differing_pair(const Circuit& circuit, const std::vector<bool>& loose,
                                           Budget& budget) {
  if (!circuit.is_ordered())
    throw PropertyError("a pair of instances is searched on ordered circuits only");
  return DifferingPairSearch(circuit, loose, budget).run();
}

std::optional<std::vector<Cell>> differing_instance(const Circuit& one, const Circuit& other,
                                                    std::span<const FeatureId> order,
                                                    Budget& budget) {
  if (!one.is_ordered() || !other.is_ordered())
    throw PropertyError("two circuits are walked at once only if both are ordered");
  const circuit::Levels levels(order, one.features());
  std::vector<Cell> found(one.features(), 0);
  std::unordered_set<std::uint64_t> seen;
  std::vector<Place> path;
  // Whether the pair is two leaves that differ; any other is entered unless it was seen.
  const auto differ = [&](NodeId a, NodeId b) {
    const std::uint32_t level_a = levels.of(one, a), level_b = levels.of(other, b);
    const std::uint32_t top = std::min(level_a, level_b);
    if (top == circuit::Levels::bottom)
      return one.payload(a) != other.payload(b);
    if (seen.insert(circuit::key_of(a, b)).second)
      path.push_back({a, b, order[top], 0});
    return false;
  };
  bool differs = differ(one.root(), other.root());
  while (!differs && !path.empty()) {
    budget.tick();
    budget.require(seen.size(), 32 * seen.size());
    Place& place = path.back();
    if (place.next == one.domain(place.feature)) {
      path.pop_back();
      continue;
    }
    const Cell v = place.next++;
    found[place.feature] = v;
    differs =
        differ(follow(one, place.a, place.feature, v), follow(other, place.b, place.feature, v));
  }
  return differs ? std::optional(found) : std::nullopt;
}

} // namespace reasons::query
