// queries.cpp: the queries of one decision and of a whole classifier.
#include "convert.hpp"
#include "counting/modular_sum.hpp"
#include "query/counterfactual.hpp"
#include "query/decision.hpp"
#include "query/differing_pair.hpp"
#include "query/sweep.hpp"

namespace reasons::bindings {

using namespace counting;
using namespace query;

namespace {

/// The values that a term leaves: those listed for its features, all for the others.
using Limits = std::vector<std::pair<FeatureId, Cells>>;

Region region_of(const Circuit& circuit, const Cells& instance, const Limits& term) {
  Region region(circuit, checked(circuit, instance));
  for (FeatureId f = 0; f < circuit.features(); ++f)
    region.free(f);
  for (const auto& [feature, cells] : term) {
    check_feature(circuit, feature);
    for (const Cell cell : cells)
      if (cell >= circuit.domain(feature))
        throw InputError("feature " + std::to_string(feature) + " has no value number " +
                         std::to_string(cell));
    region.allow(feature, cells);
  }
  return region;
}

std::optional<Cells> counterexample_to(const Circuit& circuit, const Cells& instance, LabelId label,
                                       const Limits& term) {
  return counterexample(circuit, region_of(circuit, instance, term), instance, label);
}

std::optional<Cells> biased(const Circuit& circuit, const Cells& instance, LabelId label,
                            const std::vector<FeatureId>& loose) {
  Region region(circuit, checked(circuit, instance));
  for (const FeatureId f : loose) {
    check_feature(circuit, f);
    region.free(f);
  }
  return counterexample(circuit, region, instance, label);
}

std::vector<FeatureId> sufficient_for(const Circuit& circuit, const Cells& instance, LabelId label,
                                      const std::vector<FeatureId>& drop_order, Budget& budget) {
  for (const FeatureId f : drop_order)
    check_feature(circuit, f);
  return sufficient(circuit, checked(circuit, instance), label, drop_order, budget);
}

std::optional<std::pair<Cells, double>> counterfactual_of(const Circuit& circuit,
                                                          const Cells& instance, LabelId label,
                                                          const Limits& allowed,
                                                          const std::vector<double>& costs,
                                                          std::optional<LabelId> wanted) {
  const Region region = region_of(circuit, instance, allowed);
  if (costs.size() != circuit.features())
    throw InputError("one cost is needed for each feature");
  const auto found = cheapest_counterfactual(circuit, region, instance, label, costs, wanted);
  if (!found)
    return std::nullopt;
  return std::pair(found->instance, found->cost);
}

std::uint64_t sum_of(const Circuit& circuit, const std::vector<std::uint64_t>& weights,
                     const std::vector<std::uint64_t>& leaf_values, std::uint64_t impossible_value,
                     std::uint64_t prime) {
  std::size_t cells = 0;
  for (const auto domain : circuit.arrays().domains)
    cells += domain;
  if (weights.size() != cells || leaf_values.size() != circuit.labels())
    throw InputError("a weighted sum needs one weight a value and one value a label");
  return weighted_sum(circuit, weights, leaf_values, impossible_value, prime);
}

std::optional<InstancePair> pair_of(const Circuit& circuit, const std::vector<FeatureId>& loose,
                                    Budget& budget) {
  std::vector<bool> is_loose(circuit.features(), false);
  for (const FeatureId f : loose) {
    check_feature(circuit, f);
    is_loose[f] = true;
  }
  return differing_pair(circuit, is_loose, budget);
}

} // namespace

void bind_queries(nb::module_& module) {
  using Release = nb::call_guard<nb::gil_scoped_release>;
  module.def(
      "decide",
      [](const Circuit& circuit, const Cells& instance) {
        return decide(circuit, checked(circuit, instance));
      },
      "circuit"_a, "instance"_a, Release());
  module.def(
      "necessary",
      [](const Circuit& circuit, const Cells& instance, LabelId label) {
        return necessary(circuit, checked(circuit, instance), label);
      },
      "circuit"_a, "instance"_a, "label"_a, Release());
  module.def("sufficient", &sufficient_for, "circuit"_a, "instance"_a, "label"_a, "drop_order"_a,
             "budget"_a, Release());
  module.def("counterexample", &counterexample_to, "circuit"_a, "instance"_a, "label"_a, "term"_a,
             Release());
  module.def("cheapest_counterfactual", &counterfactual_of, "circuit"_a, "instance"_a, "label"_a,
             "allowed"_a, "costs"_a, "wanted"_a.none(), Release());
  module.def("biased", &biased, "circuit"_a, "instance"_a, "label"_a, "loose"_a, Release());
  module.def("weighted_sum", &sum_of, "circuit"_a, "weights"_a, "leaf_values"_a,
             "impossible_value"_a, "prime"_a, Release());
  module.def("differing_pair", &pair_of, "circuit"_a, "loose"_a, "budget"_a, Release());
}

} // namespace reasons::bindings
