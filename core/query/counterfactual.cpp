// counterfactual.cpp: dynamic programming: cheapest paths to another label, from the leaves up.
#include "query/counterfactual.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace reasons::query {
namespace {

constexpr double unreachable = std::numeric_limits<double>::infinity();

/// What comes first is the cost; how far cells move only breaks ties.
struct Price {
  double cost = unreachable;
  std::uint64_t distance = 0;
  [[nodiscard]] bool operator<(const Price& other) const {
    return cost != other.cost ? cost < other.cost : distance < other.distance;
  }
  [[nodiscard]] Price operator+(const Price& other) const {
    return {cost + other.cost, distance + other.distance};
  }
};

/// The price of taking an arm of a split, and the value taken.
struct Toll {
  Price price;
  Cell cell = 0;
};

class CounterfactualSearch {
public:
  CounterfactualSearch(const Circuit& circuit, const Region& region, std::span<const Cell> instance,
                       LabelId label, std::span<const double> costs, std::optional<LabelId> wanted)
      : circuit_(circuit), instance_(instance), label_(label), wanted_(wanted) {
    for (SplitId s = 0; s < circuit.splits(); ++s)
      add_tolls(s, region, costs);
  }

  std::optional<Counterfactual> run() {
    price_.resize(circuit_.size());
    for (NodeId n = 0; n < circuit_.size(); ++n)
      price_[n] = priced(n);
    const Price best = price_[circuit_.root()];
    if (best.cost == unreachable)
      return std::nullopt;
    return Counterfactual{followed(), best.cost};
  }

private:
  void add_tolls(SplitId s, const Region& region, std::span<const double> costs) {
    tolls_from_.push_back(tolls_.size());
    tolls_.resize(tolls_.size() + circuit_.arms(s));
    const FeatureId f = circuit_.tested(s);
    const auto arm_of = circuit_.arm_of(s);
    const Cell own = instance_[f];
    // Where the instance's value is in no arm, a test above has been paid already.
    const bool paid = arm_of[own] == no_arm;
    const double cost = paid ? 0 : costs[f];
    for (Cell v = 0; v < arm_of.size(); ++v) {
      if (arm_of[v] == no_arm || !region.allows(f, v))
        continue;
      Toll& toll = tolls_[tolls_from_[s] + arm_of[v]];
      const auto distance = static_cast<std::uint64_t>(std::abs(v - own));
      const Price price{arm_of[v] == arm_of[own] ? 0 : cost, distance};
      if (price < toll.price)
        toll = {price, v};
    }
    // Of the distance, too, only what this test adds: the nearest value left is paid for.
    const auto tolls = std::span(tolls_).subspan(tolls_from_[s]);
    std::uint64_t nearest = std::numeric_limits<std::uint64_t>::max();
    for (const Toll& toll : tolls)
      if (toll.price.cost != unreachable)
        nearest = std::min(nearest, toll.price.distance);
    for (Toll& toll : tolls)
      if (paid && toll.price.cost != unreachable)
        toll.price.distance -= nearest;
  }

  [[nodiscard]] bool is_goal(LabelId label) const {
    if (label == impossible_label)
      return false;
    return wanted_ ? label == *wanted_ : label != label_;
  }

  [[nodiscard]] Price priced(NodeId n) const {
    const auto inputs = circuit_.inputs(n);
    if (circuit_.kind(n) == Kind::leaf)
      return is_goal(circuit_.payload(n)) ? Price{0, 0} : Price{};
    Price best = label_ == 0 && circuit_.kind(n) == Kind::conjunction ? Price{0, 0} : Price{};
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      if (circuit_.kind(n) == Kind::decision)
        best = std::min(best, toll(n, k).price + price_[inputs[k]]);
      else if (label_ == 0)
        best = best + price_[inputs[k]];
      else
        best = std::min(best, price_[inputs[k]]);
    }
    return best;
  }

  [[nodiscard]] const Toll& toll(NodeId n, std::size_t arm) const {
    return tolls_[tolls_from_[circuit_.payload(n)] + arm];
  }

  [[nodiscard]] std::vector<Cell> followed() const {
    std::vector<Cell> changed(instance_.begin(), instance_.end());
    std::vector<NodeId> open{circuit_.root()};
    while (!open.empty()) {
      const NodeId n = open.back();
      open.pop_back();
      const auto inputs = circuit_.inputs(n);
      if (circuit_.kind(n) == Kind::decision) {
        std::size_t best = 0;
        for (std::size_t k = 1; k < inputs.size(); ++k)
          if (toll(n, k).price + price_[inputs[k]] < toll(n, best).price + price_[inputs[best]])
            best = k;
        changed[circuit_.tested(circuit_.payload(n))] = toll(n, best).cell;
        open.push_back(inputs[best]);
      } else if (circuit_.kind(n) == Kind::conjunction && label_ == 0) {
        open.insert(open.end(), inputs.begin(), inputs.end());
      } else if (circuit_.kind(n) == Kind::conjunction) {
        open.push_back(*std::min_element(inputs.begin(), inputs.end(), [&](NodeId a, NodeId b) {
          return price_[a] < price_[b];
        }));
      }
    }
    return changed;
  }

  const Circuit& circuit_;
  std::span<const Cell> instance_;
  LabelId label_;
  std::optional<LabelId> wanted_;
  std::vector<std::size_t> tolls_from_;
  std::vector<Toll> tolls_;
  std::vector<Price> price_;
};

} // namespace

std::optional<Counterfactual> cheapest_counterfactual(const Circuit& circuit, const Region& region,
                                                      std::span<const Cell> instance, LabelId label,
                                                      std::span<const double> costs,
                                                      std::optional<LabelId> wanted) {
  return CounterfactualSearch(circuit, region, instance, label, costs, wanted).run();
}

} // namespace reasons::query
