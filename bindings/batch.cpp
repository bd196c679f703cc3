// batch.cpp: questions about many decisions at once.
#include "batch.hpp"
#include "convert.hpp"

#include <thread>

namespace reasons::bindings {
namespace {

/// Rows whose cells are known to be in their domains, with labels that the circuit gives them.
class Rows {
public:
  Rows(const Circuit& circuit, const Numbers<Cell>& cells, std::size_t rows, unsigned threads,
       Budget& budget)
      : labels_(rows) {
    if (cells.size() != rows * circuit.features())
      throw InputError("the rows do not have one cell for each feature");
    cells_ = span_of(cells);
    nb::gil_scoped_release release;
    decide_rows(circuit, cells_, labels_, threads, budget);
  }
  [[nodiscard]] Decided decided() const { return {cells_, labels_}; }
  [[nodiscard]] std::vector<LabelId>& labels() { return labels_; }

private:
  std::span<const Cell> cells_;
  std::vector<LabelId> labels_;
};

unsigned all_cores() {
  return std::max(1u, std::thread::hardware_concurrency());
}

template <class T> nb::bytes packed(const std::vector<T>& items) {
  return bytes_of(std::span<const T>(items));
}

nb::tuple biased(const Circuit& circuit, const Numbers<Cell>& cells, std::size_t count,
                 const std::vector<FeatureId>& loose, bool with_witness, unsigned threads,
                 Budget& budget) {
  for (const FeatureId f : loose)
    check_feature(circuit, f);
  const Rows rows(circuit, cells, count, threads, budget);
  std::vector<Cell> witness(with_witness ? count * loose.size() : 0);
  std::vector<std::uint64_t> words;
  {
    nb::gil_scoped_release release;
    words = biased_rows(circuit, rows.decided(), loose, witness, threads, budget);
  }
  return nb::make_tuple(packed(words), packed(witness));
}

nb::bytes necessary(const Circuit& circuit, const Numbers<Cell>& cells, std::size_t count,
                    unsigned threads, Budget& budget) {
  const Rows rows(circuit, cells, count, threads, budget);
  std::vector<std::uint64_t> words;
  {
    nb::gil_scoped_release release;
    words = necessary_rows(circuit, rows.decided(), threads, budget);
  }
  return packed(words);
}

nb::bytes sufficient(const Circuit& circuit, const Numbers<Cell>& cells, std::size_t count,
                     const std::vector<FeatureId>& drop_order, unsigned threads, Budget& budget) {
  for (const FeatureId f : drop_order)
    check_feature(circuit, f);
  const Rows rows(circuit, cells, count, threads, budget);
  std::vector<std::uint64_t> words;
  {
    nb::gil_scoped_release release;
    words = sufficient_rows(circuit, rows.decided(), drop_order, threads, budget);
  }
  return packed(words);
}

} // namespace

std::vector<LabelId> labels_of(const Circuit& circuit, Numbers<Cell> cells, std::size_t rows) {
  Budget unlimited;
  return std::move(Rows(circuit, cells, rows, all_cores(), unlimited).labels());
}

void bind_batch(nb::module_& module) {
  module.def("all_cores", &all_cores);
  module.def("biased_rows", &biased, "circuit"_a, "cells"_a, "rows"_a, "protected"_a, "witness"_a,
             "threads"_a, "budget"_a);
  module.def("necessary_rows", &necessary, "circuit"_a, "cells"_a, "rows"_a, "threads"_a,
             "budget"_a);
  module.def("sufficient_rows", &sufficient, "circuit"_a, "cells"_a, "rows"_a, "drop_order"_a,
             "threads"_a, "budget"_a);
}

} // namespace reasons::bindings
