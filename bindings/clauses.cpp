// clauses.cpp: clauses, and the queries of circuits that they answer as well.
//
// The names are those of queries.cpp and reason.cpp, so that Python asks either alike.
#include "convert.hpp"
#include "reason/cnf_reason.hpp"

namespace reasons::bindings {

using namespace cnf;
using namespace reason;

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

/// The same, and the instance satisfies every clause.
const Cells& satisfying(const Clauses& clauses, const Cells& instance, LabelId label) {
  require_satisfied(clauses, checked(clauses, instance), label);
  return instance;
}

/// The features that may change: those whose other value is listed, or that are not listed.
std::vector<bool> loose_within(const Clauses& clauses, const Cells& instance,
                               const Limits& allowed) {
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
  return loose;
}

std::optional<std::pair<Cells, double>> counterfactual_of(const Clauses& clauses,
                                                          const Cells& instance, LabelId label,
                                                          const Limits& allowed,
                                                          const std::vector<double>& costs,
                                                          std::optional<LabelId> wanted) {
  satisfying(clauses, instance, label);
  if (costs.size() != clauses.features())
    throw InputError("one cost is needed for each feature");
  const std::vector<bool> loose = loose_within(clauses, instance, allowed);
  if (wanted && *wanted != 0)
    return std::nullopt;
  const auto found = cheapest_counterfactual(clauses, loose, instance, costs);
  if (!found)
    return std::nullopt;
  return std::pair(found->instance, found->cost);
}

std::optional<Cells> counterexample_to(const Clauses& clauses, const Cells& instance, LabelId label,
                                       const Limits& term) {
  satisfying(clauses, instance, label);
  return counterexample(clauses, loose_within(clauses, instance, term), instance);
}

std::optional<Cells> biased(const Clauses& clauses, const Cells& instance, LabelId label,
                            const std::vector<FeatureId>& protected_features) {
  satisfying(clauses, instance, label);
  std::vector<bool> loose(clauses.features(), false);
  for (const FeatureId f : protected_features) {
    check_feature(clauses, f);
    loose[f] = true;
  }
  return counterexample(clauses, loose, instance);
}

std::vector<FeatureId> sufficient_for(const Clauses& clauses, const Cells& instance, LabelId label,
                                      const std::vector<FeatureId>& drop_order, Budget&) {
  for (const FeatureId f : drop_order)
    check_feature(clauses, f);
  return sufficient(clauses, satisfying(clauses, instance, label), drop_order);
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
      .def("feature_order_from_root", &Clauses::feature_order_from_root, Release())
      .def("decide_all", &decide_all, "cells"_a, "rows"_a)
      .def(
          "minimal",
          [](const Clauses& clauses, const Cells& instance, Budget& budget) {
            return minimal_clauses(clauses, satisfying(clauses, instance, 1), budget);
          },
          "instance"_a, "budget"_a, Release());
  module.def(
      "decide",
      [](const Clauses& clauses, const Cells& instance) {
        return decide(clauses, checked(clauses, instance));
      },
      "clauses"_a, "instance"_a, Release());
  const auto reason = [](const Clauses& clauses, const Cells& instance, LabelId label) {
    return complete_reason(clauses, satisfying(clauses, instance, label));
  };
  module.def("complete_reason", reason, "clauses"_a, "instance"_a, "label"_a, Release());
  module.def("general_reason", reason, "clauses"_a, "instance"_a, "label"_a, Release());
  module.def(
      "necessary",
      [](const Clauses& clauses, const Cells& instance, LabelId label) {
        return necessary(clauses, satisfying(clauses, instance, label));
      },
      "clauses"_a, "instance"_a, "label"_a, Release());
  module.def("sufficient", &sufficient_for, "clauses"_a, "instance"_a, "label"_a, "drop_order"_a,
             "budget"_a, Release());
  module.def("counterexample", &counterexample_to, "clauses"_a, "instance"_a, "label"_a, "term"_a,
             Release());
  module.def("cheapest_counterfactual", &counterfactual_of, "clauses"_a, "instance"_a, "label"_a,
             "allowed"_a, "costs"_a, "wanted"_a.none(), Release());
  module.def("biased", &biased, "clauses"_a, "instance"_a, "label"_a, "loose"_a, Release());
}

} // namespace reasons::bindings
