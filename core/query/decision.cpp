// decision.cpp: queries about one decision that take more than one sweep.
#include "query/decision.hpp"

#include "query/sweep.hpp"

#include <algorithm>

namespace reasons::query {

namespace {

/// The first node from here on the instance's way that is no decision.
NodeId end_of_tests(const Circuit& circuit, NodeId n, std::span<const Cell> instance) {
  while (circuit.kind(n) == Kind::decision) {
    const SplitId s = circuit.payload(n);
    n = circuit.inputs(n)[circuit.arm_of(s)[instance[circuit.tested(s)]]];
  }
  return n;
}

} // namespace

LabelId decide(const Circuit& circuit, std::span<const Cell> instance) {
  // Conjunctions stand above 0/1 leaves only, so the label is the conjunction
  // of the leaves met; without them exactly one leaf is met.
  if (!circuit.has_conjunctions())
    return circuit.payload(end_of_tests(circuit, circuit.root(), instance));
  std::vector<NodeId> open{circuit.root()};
  LabelId label = 1;
  while (!open.empty()) {
    const NodeId n = end_of_tests(circuit, open.back(), instance);
    open.pop_back();
    if (circuit.kind(n) == Kind::leaf) {
      label = circuit.payload(n);
      if (label == 0)
        break;
    } else {
      const auto inputs = circuit.inputs(n);
      open.insert(open.end(), inputs.begin(), inputs.end());
    }
  }
  return label;
}

namespace {

/// Tests on the instance's way that decide it, each with the arms not taken.
struct Alternative {
  FeatureId feature;
  NodeId other;
};

std::vector<Alternative> alternatives(const Circuit& circuit, const ActiveArms& own,
                                      LabelId label) {
  Sweep sweep(circuit, own, label);
  const NodeId root = circuit.root();
  sweep.reach(std::span(&root, 1), false);
  if (circuit.has_conjunctions() && label == 0)
    sweep.evaluate();
  std::vector<Alternative> found;
  std::vector<NodeId> open{root};
  while (!open.empty()) {
    const NodeId n = open.back();
    open.pop_back();
    const auto inputs = circuit.inputs(n);
    if (circuit.kind(n) == Kind::decision) {
      const SplitId s = circuit.payload(n);
      for (std::size_t k = 0; k < inputs.size(); ++k)
        if (k != own.mode(s))
          found.push_back({circuit.tested(s), inputs[k]});
      open.push_back(inputs[own.mode(s)]);
    } else if (circuit.kind(n) == Kind::conjunction) {
      const auto is_zero = [&](NodeId input) { return sweep.holds(input); };
      // A 0 that two independent parts give cannot be undone by one feature.
      if (label == 1)
        open.insert(open.end(), inputs.begin(), inputs.end());
      else if (std::count_if(inputs.begin(), inputs.end(), is_zero) == 1)
        open.push_back(*std::find_if(inputs.begin(), inputs.end(), is_zero));
    }
  }
  return found;
}

} // namespace

std::vector<FeatureId> necessary(const Circuit& circuit, std::span<const Cell> instance,
                                 LabelId label) {
  const ActiveArms own(circuit, Region(circuit, instance), OutOfDomain::follow_every_arm);
  const auto turns = alternatives(circuit, own, label);
  std::vector<NodeId> sources;
  sources.reserve(turns.size());
  for (const auto& turn : turns)
    sources.push_back(turn.other);
  Sweep sweep(circuit, own, label);
  sweep.reach(sources, false);
  sweep.evaluate();
  std::vector<FeatureId> found;
  for (const auto& turn : turns)
    if (!sweep.holds(turn.other))
      found.push_back(turn.feature);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::vector<FeatureId> sufficient(const Circuit& circuit, std::span<const Cell> instance,
                                  LabelId label, std::span<const FeatureId> drop_order,
                                  Budget& budget) {
  Region region(circuit, instance);
  BitSet kept(circuit.features()), tested(circuit.features());
  for (const FeatureId f : necessary(circuit, instance, label))
    kept.set(f);
  (void)is_forced(circuit, region, label, &tested);
  for (const FeatureId f : drop_order) {
    budget.check();
    if (kept[f])
      continue;
    region.free(f);
    if (!tested[f])
      continue;
    BitSet now_tested(circuit.features());
    if (is_forced(circuit, region, label, &now_tested)) {
      tested = now_tested;
    } else {
      region.fix(f, instance[f]);
      kept.set(f);
    }
  }
  std::vector<FeatureId> found;
  kept.ascending([&](std::size_t f) { found.push_back(static_cast<FeatureId>(f)); });
  return found;
}

} // namespace reasons::query
