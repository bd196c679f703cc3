// reason.cpp: complete reasons as Python objects.
#include "convert.hpp"
#include "reason/reason_circuit.hpp"

namespace reasons::bindings {

using namespace reason;

namespace {

using Values = std::vector<std::uint8_t>;

const Values& checked(const Reason& reason, const Values& values) {
  if (values.size() != reason.literals.size())
    throw InputError("one value is needed for each literal");
  return values;
}

std::pair<FeatureId, Cells> literal(const Reason& reason, std::size_t index) {
  if (index >= reason.literals.size())
    throw nb::index_error("there is no such literal");
  Cells cells;
  reason.literals[index].values.ascending(
      [&](std::size_t v) { cells.push_back(static_cast<Cell>(v)); });
  return {reason.literals[index].feature, cells};
}

/// (is a conjunction, inputs) of a gate.
std::pair<bool, std::vector<NodeId>> gate(const Reason& reason, NodeId g) {
  if (g < reason.first_gate() || g >= reason.size())
    throw nb::index_error("there is no such gate");
  const auto inputs = reason.inputs(g);
  return {reason.gates[g - reason.first_gate()] == Gate::conjunction,
          {inputs.begin(), inputs.end()}};
}

} // namespace

void bind_reason(nb::module_& module) {
  using Release = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<Reason>(module, "Reason")
      .def("__len__", &Reason::size)
      .def_ro("root", &Reason::root)
      .def_prop_ro("literals", [](const Reason& r) { return r.literals.size(); })
      .def_prop_ro("gates", [](const Reason& r) { return r.gates.size(); })
      .def_prop_ro("edges", [](const Reason& r) { return r.edges.size(); })
      .def("literal", &literal, "index"_a)
      .def("gate", &gate, "gate"_a)
      .def(
          "evaluate",
          [](const Reason& r, const Values& values) { return evaluate(r, checked(r, values)); },
          "literal_values"_a, Release())
      .def(
          "substitute",
          [](const Reason& r, const Values& values) { return substitute(r, checked(r, values)); },
          "literal_values"_a, Release())
      .def(
          "negate",
          [](const Reason& r, const std::vector<std::uint32_t>& domains) {
            for (const Literal& each : r.literals)
              if (each.feature >= domains.size())
                throw InputError("the number of values is needed for each feature");
            return negate(r, domains);
          },
          "domains"_a, Release());
  const auto build = [](auto construct) {
    return [construct](const Circuit& circuit, const Cells& instance, LabelId label) {
      return construct(circuit, bindings::checked(circuit, instance), label);
    };
  };
  module.def("complete_reason", build(complete_reason), "circuit"_a, "instance"_a, "label"_a,
             Release());
  module.def(
      "reason_of_sets",
      [](const std::vector<std::vector<FeatureId>>& sets, const Cells& instance,
         const std::vector<std::uint32_t>& domains) {
        if (instance.size() != domains.size())
          throw InputError("one domain is needed for each feature");
        for (FeatureId f = 0; f < domains.size(); ++f)
          if (instance[f] >= domains[f])
            throw InputError("there is no value number " + std::to_string(instance[f]));
        ReasonOfSets reason(instance, domains);
        for (const auto& set : sets) {
          for (const FeatureId f : set)
            if (f >= domains.size())
              throw InputError("there is no feature number " + std::to_string(f));
          reason.add(set);
        }
        return std::move(reason).finish();
      },
      "sets"_a, "instance"_a, "domains"_a, Release());
  module.def("general_reason", build(general_reason), "circuit"_a, "instance"_a, "label"_a,
             Release());
}

} // namespace reasons::bindings
