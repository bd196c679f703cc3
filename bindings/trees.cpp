// trees.cpp: ensembles of trees over cells.
#include "trees.hpp"

#include <nanobind/stl/function.h>

namespace reasons::bindings {

using namespace forest;

namespace {

Rule rule_of(const std::string& name) {
  if (name == "cut")
    return Rule::cut;
  if (name == "largest")
    return Rule::largest;
  if (name == "softmax")
    return Rule::softmax;
  throw InputError("there is no rule " + name);
}

/// Ranges from their begins and ends in turn.
CellRanges paired(std::span<const std::uint32_t> ends) {
  if (ends.size() % 2 != 0)
    throw InputError("the trees do not fit together: a range of cells without an end");
  CellRanges ranges(ends.size() / 2);
  for (std::size_t k = 0; k < ranges.size(); ++k)
    ranges[k] = {ends[2 * k], ends[2 * k + 1]};
  return ranges;
}

} // namespace

std::vector<LabelId> decide_all(const Ensemble& ensemble, Numbers<Cell> cells, std::size_t rows) {
  const auto table = span_of(cells);
  const std::size_t width = ensemble.features();
  if (table.size() != rows * width)
    throw InputError("the rows do not have one cell for each feature");
  for (std::size_t i = 0; i < table.size(); ++i)
    if (table[i] >= ensemble.domain(static_cast<FeatureId>(i % width)))
      throw InputError("a row has a cell that its feature does not have");
  std::vector<LabelId> labels(rows);
  nb::gil_scoped_release release;
  for (std::size_t row = 0; row < rows; ++row)
    labels[row] = ensemble.decide(table.subspan(row * width, width));
  return labels;
}

void bind_trees(nb::module_& module) {
  using Release = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<Ensemble>(module, "Ensemble")
      .def(
          "__init__",
          [](Ensemble* self, std::vector<std::uint32_t> domains, Numbers<FeatureId> test_feature,
             Numbers<std::uint32_t> test_first, Numbers<std::uint32_t> test_left,
             Numbers<std::int32_t> node_test, Numbers<std::uint32_t> node_left,
             Numbers<std::uint32_t> node_right, Numbers<std::uint32_t> tree_first,
             Numbers<std::uint32_t> tree_score, Numbers<std::uint32_t> tree_width,
             Numbers<double> values, Numbers<std::uint64_t> row_first, std::vector<double> start,
             double divisor, bool single, const std::string& rule, double cut, double slack,
             std::uint32_t labels, std::vector<std::uint32_t> guard_first,
             std::function<LabelId(const std::vector<Cell>&)> settle) {
            const auto rows = span_of(row_first);
            new (self) Ensemble(Forest{.domains = std::move(domains),
                                       .test_feature = copied(test_feature),
                                       .test_first = copied(test_first),
                                       .test_left = paired(span_of(test_left)),
                                       .node_test = copied(node_test),
                                       .node_left = copied(node_left),
                                       .node_right = copied(node_right),
                                       .tree_first = copied(tree_first),
                                       .tree_score = copied(tree_score),
                                       .tree_width = copied(tree_width),
                                       .values = copied(values),
                                       .row_first = {rows.begin(), rows.end()},
                                       .start = std::move(start),
                                       .divisor = divisor,
                                       .single = single,
                                       .rule = rule_of(rule),
                                       .cut = cut,
                                       .slack = slack,
                                       .labels = labels,
                                       .guard_first = std::move(guard_first),
                                       .settle = std::move(settle)});
          },
          nb::kw_only(), "domains"_a, "test_feature"_a, "test_first"_a, "test_left"_a,
          "node_test"_a, "node_left"_a, "node_right"_a, "tree_first"_a, "tree_score"_a,
          "tree_width"_a, "values"_a, "row_first"_a, "start"_a, "divisor"_a, "single"_a, "rule"_a,
          "cut"_a, "slack"_a, "labels"_a, "guard_first"_a, "settle"_a.none())
      .def_prop_ro("exact", &Ensemble::exact)
      .def_prop_ro("trees", &Ensemble::trees)
      .def("__len__", [](const Ensemble& e) { return e.forest().node_test.size(); })
      .def("decide_all", &decide_all, "cells"_a, "rows"_a);
  module.def(
      "decide",
      [](const Ensemble& ensemble, const Cells& instance) {
        return ensemble.decide(checked(ensemble, instance));
      },
      "ensemble"_a, "instance"_a, Release());
}

} // namespace reasons::bindings
