// sweep.cpp: regions, the arms they take, and the two directions of a sweep.
#include "query/sweep.hpp"

#include <algorithm>
#include <cassert>

namespace reasons::query {

Region::Region(const Circuit& circuit, std::span<const Cell> instance)
    : from_(circuit.features() + 1, 0), count_(circuit.features(), 1),
      one_(instance.begin(), instance.end()) {
  for (FeatureId f = 0; f < circuit.features(); ++f)
    from_[f + 1] = from_[f] + circuit.domain(f);
  flags_.assign(from_.back(), 0);
  for (FeatureId f = 0; f < circuit.features(); ++f)
    flags_[from_[f] + one_[f]] = 1;
}

void Region::free(FeatureId f) {
  std::fill(flags_.begin() + from_[f], flags_.begin() + from_[f + 1], std::uint8_t{1});
  count_[f] = from_[f + 1] - from_[f];
}

void Region::fix(FeatureId f, Cell cell) {
  allow(f, std::span(&cell, 1));
}

void Region::allow(FeatureId f, std::span<const Cell> cells) {
  std::fill(flags_.begin() + from_[f], flags_.begin() + from_[f + 1], std::uint8_t{0});
  count_[f] = 0;
  for (const Cell cell : cells) {
    std::uint8_t& flag = flags_[from_[f] + cell];
    count_[f] += flag == 0;
    flag = 1;
    one_[f] = cell;
  }
}

ActiveArms::ActiveArms(const Circuit& circuit, const Region& region, OutOfDomain out_of_domain)
    : mode_(circuit.splits()), from_(circuit.splits(), 0) {
  for (SplitId s = 0; s < circuit.splits(); ++s) {
    const FeatureId f = circuit.tested(s);
    const auto arm_of = circuit.arm_of(s);
    if (region.is_free(f)) {
      mode_[s] = every_arm;
      continue;
    }
    if (region.is_single(f) && arm_of[region.single(f)] != no_arm) {
      mode_[s] = arm_of[region.single(f)];
      continue;
    }
    mode_[s] = some_arms;
    from_[s] = static_cast<std::uint32_t>(flags_.size());
    flags_.resize(flags_.size() + circuit.arms(s), 0);
    bool any = false;
    for (Cell v = 0; v < arm_of.size(); ++v)
      if (arm_of[v] != no_arm && region.allows(f, v)) {
        flags_[from_[s] + arm_of[v]] = 1;
        any = true;
      }
    if (!any && out_of_domain == OutOfDomain::follow_every_arm)
      mode_[s] = every_arm;
  }
}

Sweep::Sweep(const Circuit& circuit, const ActiveArms& live, LabelId label)
    : circuit_(circuit), live_(live), label_(label), reached_(circuit.size()) {}

bool Sweep::reach(std::span<const NodeId> sources, bool until_bad) {
  for (const NodeId source : sources)
    reached_.set(source);
  return reached_.descending([&](std::size_t index) {
    const auto n = static_cast<NodeId>(index);
    const std::uint32_t payload = circuit_.payload(n);
    const auto inputs = circuit_.inputs(n);
    if (circuit_.kind(n) == Kind::leaf)
      return !until_bad || is_good(payload);
    const std::uint32_t mode =
        circuit_.kind(n) == Kind::decision ? live_.mode(payload) : ActiveArms::every_arm;
    if (mode < inputs.size()) {
      reached_.set(inputs[mode]);
    } else if (mode == ActiveArms::every_arm && inputs.size() == 2) {
      reached_.set(inputs[0]);
      reached_.set(inputs[1]);
    } else {
      for (std::size_t k = 0; k < inputs.size(); ++k)
        if (mode == ActiveArms::every_arm || live_(payload, k))
          reached_.set(inputs[k]);
    }
    return true;
  });
}

void Sweep::evaluate() {
  holds_ = ScanSet(circuit_.size());
  reached_.ascending([&](std::size_t index) {
    const auto n = static_cast<NodeId>(index);
    const std::uint32_t payload = circuit_.payload(n);
    const auto inputs = circuit_.inputs(n);
    const auto good = [&](NodeId input) { return holds_[input]; };
    bool value = true;
    if (circuit_.kind(n) == Kind::leaf) {
      value = is_good(payload);
    } else if (circuit_.kind(n) == Kind::conjunction) {
      // A conjunction is 0 for sure only if one of its independent parts is.
      value = label_ == 1 ? std::all_of(inputs.begin(), inputs.end(), good)
                          : std::any_of(inputs.begin(), inputs.end(), good);
    } else {
      for (std::size_t k = 0; k < inputs.size() && value; ++k)
        value = !live_(payload, k) || good(inputs[k]);
    }
    if (value)
      holds_.set(index);
  });
}

bool is_forced(const Circuit& circuit, const Region& region, LabelId label, BitSet* tested) {
  const ActiveArms live(circuit, region, OutOfDomain::follow_no_arm);
  Sweep sweep(circuit, live, label);
  const NodeId root = circuit.root();
  // Without a disjunction of parts, one bad leaf within reach settles it.
  const bool one_is_enough = !circuit.has_conjunctions() || label == 1;
  if (!sweep.reach(std::span(&root, 1), one_is_enough))
    return false;
  if (!one_is_enough) {
    sweep.evaluate();
    if (!sweep.holds(root))
      return false;
  }
  if (tested)
    sweep.reached().ascending([&](std::size_t n) {
      if (circuit.kind(static_cast<NodeId>(n)) == Kind::decision)
        tested->set(circuit.tested(circuit.payload(static_cast<NodeId>(n))));
    });
  return true;
}

std::optional<std::vector<Cell>> counterexample(const Circuit& circuit, const Region& region,
                                                std::span<const Cell> instance, LabelId label) {
  const ActiveArms live(circuit, region, OutOfDomain::follow_no_arm);
  Sweep sweep(circuit, live, label);
  const NodeId root = circuit.root();
  sweep.reach(std::span(&root, 1), false);
  sweep.evaluate();
  if (sweep.holds(root))
    return std::nullopt;
  std::vector<Cell> changed(instance.begin(), instance.end());
  for (FeatureId f = 0; f < circuit.features(); ++f)
    for (Cell v = 0; v < circuit.domain(f) && !region.allows(f, changed[f]); ++v)
      if (region.allows(f, v))
        changed[f] = v;
  std::vector<NodeId> failing{root};
  while (!failing.empty()) {
    const NodeId n = failing.back();
    failing.pop_back();
    const auto inputs = circuit.inputs(n);
    if (circuit.kind(n) == Kind::decision) {
      const SplitId s = circuit.payload(n);
      const FeatureId f = circuit.tested(s);
      const Arm own = circuit.arm_of(s)[instance[f]];
      std::size_t arm = own;
      // Stay with the instance where that fails too: fewer values change.
      if (own == no_arm || !live(s, own) || sweep.holds(inputs[own]))
        for (arm = 0; !live(s, arm) || sweep.holds(inputs[arm]);)
          ++arm;
      changed[f] =
          nearest(circuit.arm_of(s), arm, instance[f], [&](Cell v) { return region.allows(f, v); });
      failing.push_back(inputs[arm]);
    } else if (circuit.kind(n) == Kind::conjunction) {
      for (const NodeId input : inputs)
        if (!sweep.holds(input)) {
          failing.push_back(input);
          if (label == 1)
            break;
        }
    }
  }
  return changed;
}

} // namespace reasons::query
