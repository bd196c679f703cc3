// network.cpp: networks of threshold units, compiled.
#include "bnn/compile_network.hpp"
#include "convert.hpp"

#include <nanobind/stl/function.h>

namespace reasons::bindings {

using namespace bnn;

namespace {

using Whole = std::vector<std::int64_t>;

ThresholdLayer layer_of(std::uint32_t inputs, const Numbers<std::int64_t>& weights, Whole true_from,
                        Whole false_below) {
  return {.inputs = inputs,
          .weights = copied(weights),
          .true_from = std::move(true_from),
          .false_below = std::move(false_below)};
}

} // namespace

void bind_network(nb::module_& module) {
  nb::class_<ThresholdLayer>(module, "ThresholdLayer")
      .def(
          "__init__",
          [](ThresholdLayer* self, std::uint32_t inputs, const Numbers<std::int64_t>& weights,
             Whole true_from, Whole false_below) {
            new (self) ThresholdLayer(
                layer_of(inputs, weights, std::move(true_from), std::move(false_below)));
          },
          "inputs"_a, "weights"_a, "true_from"_a, "false_below"_a);
  nb::class_<CompileNetworkStats>(module, "CompileNetworkStats")
      .def(nb::init<>())
      .def_ro("states", &CompileNetworkStats::states)
      .def_ro("settled", &CompileNetworkStats::settled);
  module.def(
      "compile_network",
      [](std::vector<ThresholdLayer> layers, std::uint32_t labels,
         const Numbers<std::int64_t>& scores, const Numbers<std::int64_t>& least_lead,
         std::function<LabelId(const std::vector<std::uint8_t>&)> settle,
         std::vector<std::uint8_t> fixed, std::optional<std::uint32_t> flips,
         std::vector<std::uint8_t> centre, const std::vector<FeatureId>& order, Budget budget,
         CompileNetworkStats* stats) {
        const Network network{.layers = std::move(layers),
                              .labels = labels,
                              .scores = copied(scores),
                              .least_lead = copied(least_lead),
                              .settle = std::move(settle)};
        const InputRegion region{
            .fixed = std::move(fixed), .flips = flips, .centre = std::move(centre)};
        nb::gil_scoped_release release;
        return compile_network(network, region, order, budget, stats);
      },
      nb::kw_only(), "layers"_a, "labels"_a, "scores"_a, "least_lead"_a, "settle"_a.none(),
      "fixed"_a, "flips"_a.none(), "centre"_a, "order"_a, "budget"_a,
      "stats"_a.none() = nb::none());
}

} // namespace reasons::bindings
