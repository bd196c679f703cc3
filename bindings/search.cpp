// search.cpp: the queries of circuits, answered by search over an ensemble.
//
// The names are those of queries.cpp, so that Python asks either alike.
#include "forest/pair/differing_pair.hpp"
#include "forest/search/greedy_reason.hpp"
#include "trees.hpp"

#include <array>

namespace reasons::bindings {
namespace {

using Limits = std::vector<std::pair<FeatureId, Cells>>;

void check_features(const Search& search, const std::vector<FeatureId>& features) {
  for (const FeatureId f : features)
    if (f >= search.ensemble().features())
      throw InputError("there is no feature number " + std::to_string(f));
}

/// A limit for a question that names none: time, and Ctrl-C.
Budget a_while(double seconds) {
  Budget budget(Budget::unlimited, Budget::unlimited, seconds, on_pause(nb::none()));
  budget.stage("search");
  return budget;
}

/// The search together with the seconds that a question may take.
struct Timed {
  Search search;
  double seconds;
  Timed(const Ensemble& ensemble, double limit)
      : search(std::make_shared<const Ensemble>(ensemble)), seconds(limit) {}
};

std::optional<Cells> other_in(const Timed& timed, const Cells& instance, LabelId label,
                              const Limits& limits, std::optional<double> seconds) {
  const Ensemble& ensemble = timed.search.ensemble();
  checked(ensemble, instance);
  Box box(ensemble.features());
  for (FeatureId f = 0; f < ensemble.features(); ++f)
    box[f].assign(ensemble.domain(f), true);
  for (const auto& [feature, cells] : limits) {
    check_features(timed.search, {feature});
    box[feature].assign(ensemble.domain(feature), false);
    for (const Cell cell : cells) {
      if (cell >= ensemble.domain(feature))
        throw InputError("there is no value number " + std::to_string(cell));
      box[feature][cell] = true;
    }
    if (cells.empty())
      throw InputError("a feature is left without values");
  }
  Budget budget = a_while(std::min(timed.seconds, seconds.value_or(timed.seconds)));
  nb::gil_scoped_release release;
  return timed.search.other(label, box, instance, budget);
}

std::optional<Cells> biased(const Timed& timed, const Cells& instance, LabelId label,
                            const std::vector<FeatureId>& loose) {
  const Ensemble& ensemble = timed.search.ensemble();
  check_features(timed.search, loose);
  std::vector<bool> is_loose(ensemble.features(), false);
  for (const FeatureId f : loose)
    is_loose[f] = true;
  const Box box = box_around(ensemble, checked(ensemble, instance), is_loose);
  Budget budget = a_while(timed.seconds);
  nb::gil_scoped_release release;
  return timed.search.other(label, box, instance, budget);
}

/// All that is said of the trees, array after array with their sizes: equal for equal models.
std::string content(const Timed& timed) {
  const Forest& forest = timed.search.ensemble().forest();
  std::string bytes;
  const auto append = [&bytes](const auto& values) {
    const std::uint64_t size = values.size();
    bytes.append(reinterpret_cast<const char*>(&size), sizeof size);
    bytes.append(reinterpret_cast<const char*>(values.data()), size * sizeof(values[0]));
  };
  append(forest.domains), append(forest.test_feature), append(forest.test_left);
  append(forest.node_test), append(forest.node_left), append(forest.node_right);
  append(forest.tree_first), append(forest.tree_score), append(forest.tree_width);
  append(forest.values), append(forest.row_first), append(forest.start);
  append(std::array{forest.divisor, forest.cut, forest.slack});
  append(std::array{static_cast<std::uint32_t>(forest.single),
                    static_cast<std::uint32_t>(forest.rule), forest.labels});
  append(forest.guard_first);
  return bytes;
}

} // namespace

void bind_search(nb::module_& module) {
  using Release = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<Timed>(module, "Search")
      .def(nb::init<const Ensemble&, double>(), "ensemble"_a, "seconds"_a)
      .def_ro("seconds", &Timed::seconds)
      .def("__len__", [](const Timed& t) { return t.search.ensemble().forest().node_test.size(); })
      .def(
          "content",
          [](const Timed& timed) {
            const std::string bytes = content(timed);
            return nb::bytes(bytes.data(), bytes.size());
          },
          "All that is said of the trees: equal for equal models.")
      .def(
          "decide_all",
          [](const Timed& timed, Numbers<Cell> cells, std::size_t rows) {
            return decide_all(timed.search.ensemble(), cells, rows);
          },
          "cells"_a, "rows"_a);
  module.def(
      "decide",
      [](const Timed& timed, const Cells& instance) {
        return timed.search.ensemble().decide(checked(timed.search.ensemble(), instance));
      },
      "search"_a, "instance"_a, Release());
  module.def(
      "sufficient",
      [](const Timed& timed, const Cells& instance, LabelId label,
         const std::vector<FeatureId>& drop_order, Budget& budget) {
        check_features(timed.search, drop_order);
        return sufficient(timed.search, checked(timed.search.ensemble(), instance), label,
                          drop_order, budget);
      },
      "search"_a, "instance"_a, "label"_a, "drop_order"_a, "budget"_a, Release());
  module.def(
      "necessary",
      [](const Timed& timed, const Cells& instance, LabelId label) {
        return necessary(timed.search, checked(timed.search.ensemble(), instance), label);
      },
      "search"_a, "instance"_a, "label"_a, Release());
  module.def(
      "differing_pair",
      [](const Timed& timed, const std::vector<FeatureId>& loose, Budget& budget) {
        check_features(timed.search, loose);
        return differing_pair(timed.search, loose, budget);
      },
      "search"_a, "loose"_a, "budget"_a, Release());
  module.def("counterexample", &other_in, "search"_a, "instance"_a, "label"_a, "term"_a,
             "seconds"_a.none() = nb::none());
  module.def("biased", &biased, "search"_a, "instance"_a, "label"_a, "loose"_a);
}

} // namespace reasons::bindings
