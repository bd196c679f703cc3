// batch.cpp: questions about many decisions at once.
#include "batch/binning.hpp"
#include "batch/row_table.hpp"
#include "convert.hpp"

#include <algorithm>
#include <thread>

namespace reasons::bindings {

using namespace batch;

namespace {

unsigned all_cores() {
  return std::max(1u, std::thread::hardware_concurrency());
}

template <class T> nb::bytes packed(const std::vector<T>& items) {
  return bytes_of(std::span<const T>(items));
}

/// What a question answers, asked while other Python threads run.
template <class Ask> auto unlocked(const Ask& ask) {
  nb::gil_scoped_release release;
  return ask();
}

void check_features(const RowTable& rows, std::vector<FeatureId> features) {
  for (const FeatureId f : features)
    check_feature(rows.circuit(), f);
  std::sort(features.begin(), features.end());
  const auto twice = std::adjacent_find(features.begin(), features.end());
  if (twice != features.end())
    throw InputError("feature number " + std::to_string(*twice) + " is given twice");
}

void make_rows(RowTable* self, const Circuit& circuit, const Numbers<Cell>& cells, std::size_t rows,
               unsigned threads, Budget& budget) {
  nb::gil_scoped_release release;
  new (self) RowTable(circuit, span_of(cells), rows, threads, budget);
}

nb::tuple biased(const RowTable& rows, const std::vector<FeatureId>& loose, bool with_witness,
                 Budget& budget) {
  check_features(rows, loose);
  const auto found = unlocked([&] { return rows.biased(loose, with_witness, budget); });
  return nb::make_tuple(packed(found.biased), packed(found.witness));
}

nb::bytes necessary(const RowTable& rows, Budget& budget) {
  return packed(unlocked([&] { return rows.necessary(budget); }));
}

nb::bytes sufficient(const RowTable& rows, const std::vector<FeatureId>& drop_order,
                     Budget& budget) {
  check_features(rows, drop_order);
  return packed(unlocked([&] { return rows.sufficient(drop_order, budget); }));
}

nb::bytes cut(const Numbers<double>& numbers, const Numbers<double>& cuts, bool below,
              bool single) {
  if (cuts.size() > most_cells - 2)
    throw InputError("more cuts than cells can be numbered for");
  return packed(
      unlocked([&] { return cells_of_numbers(span_of(numbers), {span_of(cuts), below, single}); }));
}

nb::tuple distinct(const RowTable& rows) {
  return nb::make_tuple(packed(rows.distinct().first), packed(rows.distinct().number));
}

} // namespace

std::vector<LabelId> labels_of(const Circuit& circuit, Numbers<Cell> cells, std::size_t rows) {
  Budget unlimited;
  return unlocked([&] {
    check_rows(circuit, span_of(cells), rows);
    std::vector<LabelId> labels(rows);
    decide_rows(circuit, span_of(cells), labels, all_cores(), unlimited);
    return labels;
  });
}

void bind_batch(nb::module_& module) {
  module.def("all_cores", &all_cores);
  module.def("cells_of_numbers", &cut, "numbers"_a, "cuts"_a, "below"_a, "single"_a,
             "The cells of numbers as uint16: how many of the ascending cuts each lies above.\n"
             "`below` says that a number lies below the cut that equals it, `single` that both\n"
             "are rounded to single precision. What is no number gets the number of cuts and 1.");
  nb::class_<RowTable>(
      module, "Rows",
      "Decisions on many rows of cells, row after row, to be asked about. Answers are\n"
      "for each distinct row. Those of yes or no are bits packed as Arrow packs them,\n"
      "padded to 64 bits; where there is one for each feature, feature after feature.\n"
      "An impossible row has no answer but no.")
      .def("__init__", &make_rows, "circuit"_a, "cells"_a, "rows"_a, "threads"_a, "budget"_a,
           nb::keep_alive<1, 2>())
      .def(
          "labels", [](const RowTable& rows) { return packed(rows.labels()); },
          "The position of each distinct row's label as uint32, or `IMPOSSIBLE`.")
      .def(
          "cells", [](const RowTable& rows) { return packed(rows.cells()); },
          "The cells of the distinct rows as uint16, row after row.")
      .def("distinct", &distinct,
           "Of each distinct row the first row that is it, and of each row the number of its "
           "distinct row, all uint32.")
      .def("biased", &biased, "protected"_a, "witness"_a, "budget"_a,
           "Bits, and if asked for the cells (uint16) of the protected features in an instance\n"
           "that is decided otherwise, row after row; of a row that is not biased, its own.")
      .def("necessary", &necessary, "budget"_a, "For each feature the rows it is necessary for.")
      .def("sufficient", &sufficient, "drop_order"_a, "budget"_a,
           "For each feature the rows one sufficient reason of which mentions it: what dropping "
           "features in the order leaves, which lists each once.");
}

} // namespace reasons::bindings
