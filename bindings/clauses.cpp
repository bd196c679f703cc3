// clauses.cpp: clauses, and the queries of circuits that they answer as well.
//
// The names are those of queries.cpp and reason.cpp, so that Python asks either alike.
#include "convert.hpp"
#include "reason/cnf_reason.hpp"

namespace reasons::bindings {
namespace {

using Limits = std::vector<std::pair<FeatureId, Cells>>;

void check_feature(const Clauses& clauses, FeatureId feature) {
  if (feature >= clauses.features())
    throw InputError("there is no feature number " + std::to_string(feature));
}

const Cells& checked(const Clauses& clauses, const Cells& instance) {
  if (instance.size() != clauses.features())
    throw InputError("an instance has " + std::to_string(clauses.features()) + " values, not " +
                     std::to_string(instance.size()));
  for (const Cell cell : instance)
    if (cell > 1)
      throw InputError("there is no value number " + std::to_string(cell));
  return instance;
}

/// An instance that satisfies every clause, which is what clauses can explain.
const Cells& positive(const Clauses& clauses, const Cells& instance, LabelId label) {
  if (label != 1 || decide(clauses, checked(clauses, instance)) != 1)
    throw InputError("clauses explain the instances that satisfy them, and no others");
  return instance;
}

std::optional<std::pair<Cells, double>> change_of(const Clauses& clauses, const Cells& instance,
                                                  LabelId label, const Limits& allowed,
                                                  const std::vector<double>& costs,
                                                  std::optional<LabelId> wanted) {
  positive(clauses, instance, label);
  if (costs.size() != clauses.features())
    throw InputError("one cost is needed for each feature");
  std::vector<bool> loose(clauses.features(), true);
  for (const auto& [feature, cells] : allowed) {
    check_feature(clauses, feature);
    const auto allows = [&, &listed = cells](Cell cell) {
      return std::find(listed.begin(), listed.end(), cell) != listed.end();
    };
    if (!allows(instance[feature]))
      throw InputError("the instance must be allowed to stay as it is");
    loose[feature] = allows(static_cast<Cell>(1 - instance[feature]));
  }
  if (wanted && *wanted != 0)
    return std::nullopt;
  const auto found = cheapest_change(clauses, loose, instance, costs);
  if (!found)
    return std::nullopt;
  return std::pair(found->instance, found->cost);
}

std::optional<Cells> counterexample_to(const Clauses& clauses, const Cells& instance, LabelId label,
                                       const Limits& term) {
  const std::vector<double> costs(clauses.features(), 1.0);
  const auto found = change_of(clauses, instance, label, term, costs, std::nullopt);
  return found ? std::optional(found->first) : std::nullopt;
}

std::optional<Cells> biased(const Clauses& clauses, const Cells& instance, LabelId label,
                            const std::vector<FeatureId>& protected_features) {
  positive(clauses, instance, label);
  std::vector<bool> loose(clauses.features(), false);
  for (const FeatureId f : protected_features) {
    check_feature(clauses, f);
    loose[f] = true;
  }
  const std::vector<double> costs(clauses.features(), 1.0);
  const auto found = cheapest_change(clauses, loose, instance, costs);
  return found ? std::optional(found->instance) : std::nullopt;
}

std::vector<FeatureId> sufficient_for(const Clauses& clauses, const Cells& instance, LabelId label,
                                      const std::vector<FeatureId>& drop_order, Budget&) {
  for (const FeatureId f : drop_order)
    check_feature(clauses, f);
  return sufficient(clauses, positive(clauses, instance, label), drop_order);
}

std::vector<LabelId> decide_all(const Clauses& clauses, Numbers<Cell> cells, std::size_t rows) {
  const auto table = span_of(cells);
  if (table.size() != rows * clauses.features())
    throw InputError("the rows do not have one cell for each feature");
  if (std::any_of(table.begin(), table.end(), [](Cell cell) { return cell > 1; }))
    throw InputError("a row has a value other than 0 and 1");
  std::vector<LabelId> labels(rows);
  nb::gil_scoped_release release;
  decide_rows(clauses, table, labels);
  return labels;
}

} // namespace

void bind_clauses(nb::module_& module) {
  using Release = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<Clauses>(module, "Clauses")
      .def(nb::init<const Cnf&>(), "cnf"_a, Release())
      .def("__len__", &Clauses::size)
      .def("first_met", &Clauses::first_met, Release())
      .def("decide_all", &decide_all, "cells"_a, "rows"_a)
      .def(
          "minimal",
          [](const Clauses& clauses, const Cells& instance, Budget& budget) {
            return minimal_clauses(clauses, positive(clauses, instance, 1), budget);
          },
          "instance"_a, "budget"_a, Release());
  module.def(
      "decide",
      [](const Clauses& clauses, const Cells& instance) {
        return decide(clauses, checked(clauses, instance));
      },
      "clauses"_a, "instance"_a, Release());
  const auto reason = [](const Clauses& clauses, const Cells& instance, LabelId label) {
    return complete_reason(clauses, positive(clauses, instance, label));
  };
  module.def("complete_reason", reason, "clauses"_a, "instance"_a, "label"_a, Release());
  module.def("general_reason", reason, "clauses"_a, "instance"_a, "label"_a, Release());
  module.def(
      "necessary",
      [](const Clauses& clauses, const Cells& instance, LabelId label) {
        return necessary(clauses, positive(clauses, instance, label));
      },
      "clauses"_a, "instance"_a, "label"_a, Release());
  module.def("sufficient", &sufficient_for, "clauses"_a, "instance"_a, "label"_a, "drop_order"_a,
             "budget"_a, Release());
  module.def("counterexample", &counterexample_to, "clauses"_a, "instance"_a, "label"_a, "term"_a,
             Release());
  module.def("cheapest_change", &change_of, "clauses"_a, "instance"_a, "label"_a, "allowed"_a,
             "costs"_a, "wanted"_a.none(), Release());
  module.def("biased", &biased, "clauses"_a, "instance"_a, "label"_a, "loose"_a, Release());
}

} // namespace reasons::bindings
