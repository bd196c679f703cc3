// circuit.cpp: circuits, the builder and the bulk ways in.
#include "circuit/builder.hpp"
#include "circuit/from_table.hpp"
#include "circuit/ite.hpp"
#include "circuit/validator.hpp"
#include "convert.hpp"

namespace reasons::bindings {

using namespace circuit;

namespace {

using Words = Numbers<std::uint32_t>;

Circuit from_arrays(Words domains, Words heads, Words first, Words edges, Words split_of,
                    Words split_arms, Words split_from, Numbers<Arm> arm_of, std::uint32_t labels) {
  struct Kept {
    Words domains, heads, first, edges, split_of, split_arms, split_from;
    Numbers<Arm> arm_of;
  };
  auto kept = std::make_shared<Kept>(
      Kept{domains, heads, first, edges, split_of, split_arms, split_from, arm_of});
  const CircuitArrays arrays{span_of(domains),    span_of(heads),    span_of(first),
                             span_of(edges),      span_of(split_of), span_of(split_arms),
                             span_of(split_from), span_of(arm_of),   labels};
  nb::gil_scoped_release release;
  return Circuit(arrays, kept);
}

nb::dict to_arrays(const Circuit& circuit) {
  const CircuitArrays& a = circuit.arrays();
  nb::dict result;
  result["domains"] = bytes_of(a.domains);
  result["heads"] = bytes_of(a.heads);
  result["first"] = bytes_of(a.first);
  result["edges"] = bytes_of(a.edges);
  result["split_of"] = bytes_of(a.split_of);
  result["split_arms"] = bytes_of(a.split_arms);
  result["split_from"] = bytes_of(a.split_from);
  result["arm_of"] = bytes_of(a.arm_of);
  return result;
}

/// (kind, payload, inputs): of a decision the payload is its split, of a leaf its label.
std::tuple<int, std::uint32_t, std::vector<NodeId>> node(const Circuit& circuit, NodeId n) {
  if (n >= circuit.size())
    throw nb::index_error("there is no such node");
  const auto inputs = circuit.inputs(n);
  return {static_cast<int>(circuit.kind(n)), circuit.payload(n), {inputs.begin(), inputs.end()}};
}

/// (feature, arm of each value), with 65,535 for a value in no arm.
std::pair<FeatureId, std::vector<Arm>> split(const Circuit& circuit, SplitId s) {
  if (s >= circuit.splits())
    throw nb::index_error("there is no such split");
  const auto arms = circuit.arm_of(s);
  return {circuit.tested(s), {arms.begin(), arms.end()}};
}

std::optional<std::pair<NodeId, std::string>> violation(const Circuit& circuit, Budget& budget) {
  const auto found = first_violation(circuit, budget);
  if (!found)
    return std::nullopt;
  return std::pair(found->node, found->what);
}

} // namespace

void bind_circuit(nb::module_& module) {
  using Release = nb::call_guard<nb::gil_scoped_release>;
  module.attr("IMPOSSIBLE") = impossible_label;
  module.attr("NO_ARM") = no_arm;
  nb::class_<Circuit>(module, "Circuit")
      .def_static("from_arrays", &from_arrays, "domains"_a, "heads"_a, "first"_a, "edges"_a,
                  "split_of"_a, "split_arms"_a, "split_from"_a, "arm_of"_a, "labels"_a)
      .def("to_arrays", &to_arrays)
      .def("__len__", &Circuit::size)
      .def("node", &node, "node"_a)
      .def("split", &split, "split"_a)
      .def_prop_ro("labels", &Circuit::labels)
      .def_prop_ro("domains",
                   [](const Circuit& c) {
                     return std::vector<std::uint32_t>(c.arrays().domains.begin(),
                                                       c.arrays().domains.end());
                   })
      .def_prop_ro("edges", [](const Circuit& c) { return c.arrays().edges.size(); })
      .def_prop_ro("splits", &Circuit::splits)
      .def_prop_ro("bytes", &Circuit::bytes)
      .def_prop_ro("has_conjunctions", &Circuit::has_conjunctions)
      .def_prop_ro("has_impossible", &Circuit::has_impossible)
      .def_prop_ro("has_retests", &Circuit::has_retests)
      .def_prop_ro("is_ordered", &Circuit::is_ordered)
      .def_prop_ro("order", [](const Circuit& c) { return c.order(); })
      .def("feature_order_from_root", &Circuit::feature_order_from_root, Release())
      .def("violation", &violation, "budget"_a, Release())
      .def("decide_all", &labels_of, "cells"_a, "rows"_a);

  nb::class_<Builder>(module, "Builder")
      .def(nb::init<std::vector<std::uint32_t>, std::uint32_t, Budget>(), "domains"_a, "labels"_a,
           "budget"_a)
      .def("__len__", &Builder::size)
      .def("leaf", &Builder::leaf, "label"_a)
      .def("impossible", &Builder::impossible)
      .def(
          "decide",
          [](Builder& self, FeatureId feature, const std::vector<std::optional<NodeId>>& children) {
            std::vector<NodeId> child_of;
            for (const auto& child : children)
              child_of.push_back(child.value_or(Builder::no_node));
            return self.decide(feature, child_of);
          },
          "feature"_a, "children"_a)
      .def(
          "all_of",
          [](Builder& self, const std::vector<NodeId>& inputs) { return self.all_of(inputs); },
          "inputs"_a)
      .def("build", &Builder::build, "root"_a, Release());

  nb::class_<Composer>(module, "Composer")
      .def(
          "__init__",
          [](Composer* self, std::vector<std::uint32_t> domains, std::uint32_t labels,
             const std::vector<FeatureId>& order, Budget budget) {
            new (self) Composer(std::move(domains), labels, order, std::move(budget));
          },
          "domains"_a, "labels"_a, "order"_a, "budget"_a)
      .def("__len__", &Composer::size)
      .def("leaf", &Composer::leaf, "label"_a)
      .def(
          "test",
          [](Composer& self, FeatureId feature, const std::vector<std::uint8_t>& values) {
            return self.test(feature, values);
          },
          "feature"_a, "values"_a)
      .def("choose", &Composer::choose, "condition"_a, "yes"_a, "no"_a, Release())
      .def(
          "relabelled",
          [](Composer& self, NodeId root, const std::vector<LabelId>& labels, LabelId impossible) {
            return self.relabelled(root, labels, impossible);
          },
          "root"_a, "labels"_a, "impossible"_a = impossible_label, Release())
      .def("copy", &Composer::copy, "circuit"_a, Release())
      .def("build", &Composer::build, "root"_a, Release());

  module.def(
      "from_values",
      [](std::vector<std::uint32_t> domains, std::uint32_t labels,
         const std::vector<FeatureId>& order, const Numbers<LabelId>& values, Budget budget) {
        nb::gil_scoped_release release;
        return from_values(std::move(domains), labels, order, span_of(values), std::move(budget));
      },
      "domains"_a, "labels"_a, "order"_a, "values"_a, "budget"_a);
  module.def(
      "from_diagram",
      [](std::uint32_t features, const Words& variables, const Words& low, const Words& high,
         std::uint32_t root, Budget budget) {
        if (low.size() != variables.size() || high.size() != variables.size())
          throw InputError("the columns of a diagram are of different lengths");
        nb::gil_scoped_release release;
        return from_diagram(features, span_of(variables), span_of(low), span_of(high), root,
                            std::move(budget));
      },
      "features"_a, "variables"_a, "low"_a, "high"_a, "root"_a, "budget"_a);
  module.def(
      "constrain",
      [](const Circuit& circuit, const Circuit& allowed, const std::vector<FeatureId>& order,
         Budget budget) { return constrain(circuit, allowed, order, std::move(budget)); },
      "circuit"_a, "allowed"_a, "order"_a, "budget"_a, Release());
}

} // namespace reasons::bindings
