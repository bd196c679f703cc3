#include "forest/pair/random_walk.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace reasons::forest {
namespace {

constexpr int walks = 200, random_alternatives = 8;

class Walker {
public:
  Walker(const Ensemble& ensemble, std::span<const FeatureId> protected_features)
      : ensemble_(ensemble), protected_(protected_features), order_(ensemble.features()) {
    std::iota(order_.begin(), order_.end(), 0);
  }

  std::optional<query::InstancePair> walk() {
    std::vector<Cell> from(ensemble_.features()), to(from);
    for (const FeatureId f : order_) {
      change(from, f);
      change(to, f);
    }
    if (auto found = beside(from))
      return found;
    std::shuffle(order_.begin(), order_.end(), rng_);
    std::vector<Cell> at = from;
    for (const FeatureId f : order_) {
      at[f] = to[f];
      const LabelId now = ensemble_.decide(at);
      if (now == impossible_label)
        continue;
      if (now != ensemble_.decide(from)) {
        if (auto found = beside(from))
          return found;
        return beside(at);
      }
      from = at;
    }
    return std::nullopt;
  }

private:
  void change(std::vector<Cell>& instance, FeatureId f) {
    instance[f] = static_cast<Cell>(rng_() % ensemble_.domain(f));
  }

  std::optional<query::InstancePair> beside(const std::vector<Cell>& instance) {
    query::InstancePair pair{instance, instance};
    if (ensemble_.decide(instance) == impossible_label)
      return std::nullopt;
    for (const FeatureId f : protected_) {
      for (std::uint32_t c = 0; c < ensemble_.domain(f); ++c) {
        pair.second[f] = static_cast<Cell>(c);
        if (differ(ensemble_, pair))
          return pair;
      }
      pair.second[f] = instance[f];
    }
    for (int i = 0; i < random_alternatives && protected_.size() > 1; ++i) {
      for (const FeatureId f : protected_)
        change(pair.second, f);
      if (differ(ensemble_, pair))
        return pair;
    }
    return std::nullopt;
  }

  const Ensemble& ensemble_;
  std::span<const FeatureId> protected_;
  std::vector<FeatureId> order_;
  std::mt19937 rng_{1};
};

} // namespace

bool differ(const Ensemble& ensemble, const query::InstancePair& pair) {
  const LabelId one = ensemble.decide(pair.first), other = ensemble.decide(pair.second);
  return one != other && one != impossible_label && other != impossible_label;
}

std::optional<query::InstancePair>
pair_by_random_walk(const Ensemble& ensemble, std::span<const FeatureId> protected_features,
                    Budget& budget) {
  Walker walker(ensemble, protected_features);
  for (int i = 0; i < walks; ++i) {
    budget.check();
    if (auto found = walker.walk())
      return found;
  }
  return std::nullopt;
}

} // namespace reasons::forest
