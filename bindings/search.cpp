// search.cpp: the queries of circuits, answered by search over an ensemble.
//
// The names are those of queries.cpp, so that Python asks either alike.
#include "convert.hpp"
#include "explain.hpp"
#include "pair.hpp"

namespace reasons::bindings {
namespace {

using Limits = std::vector<std::pair<FeatureId, Cells>>;

void check_features(const Search& search, const std::vector<FeatureId>& features) {
  for (const FeatureId f : features)
    if (f >= search.ensemble().features())
      throw InputError("there is no feature number " + std::to_string(f));
}

std::optional<Cells> other_in(const Search& search, const Cells& instance, LabelId label,
                              const Limits& limits, Budget& budget) {
  const Ensemble& ensemble = search.ensemble();
  Box box(ensemble.features());
  for (FeatureId f = 0; f < ensemble.features(); ++f)
    box[f].assign(ensemble.domain(f), true);
  for (const auto& [feature, cells] : limits) {
    check_features(search, {feature});
    box[feature].assign(ensemble.domain(feature), false);
    for (const Cell cell : cells) {
      if (cell >= ensemble.domain(feature))
        throw InputError("there is no value number " + std::to_string(cell));
      box[feature][cell] = true;
    }
  }
  for (const auto& cells : box)
    if (std::find(cells.begin(), cells.end(), true) == cells.end())
      throw InputError("a feature is left without values");
  return search.other(label, box, checked(ensemble, instance), budget);
}

} // namespace

void bind_search(nb::module_& module) {
  using Release = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<Search>(module, "Search")
      .def(
          "__init__",
          [](Search* self, const Ensemble& ensemble) {
            new (self) Search(std::make_shared<const Ensemble>(ensemble));
          },
          "ensemble"_a);
  module.def(
      "decide",
      [](const Search& search, const Cells& instance) {
        return search.ensemble().decide(checked(search.ensemble(), instance));
      },
      "search"_a, "instance"_a, Release());
  module.def(
      "sufficient",
      [](const Search& search, const Cells& instance, LabelId label,
         const std::vector<FeatureId>& drop_order, Budget& budget) {
        check_features(search, drop_order);
        return sufficient(search, checked(search.ensemble(), instance), label, drop_order, budget);
      },
      "search"_a, "instance"_a, "label"_a, "drop_order"_a, "budget"_a, Release());
  module.def(
      "necessary",
      [](const Search& search, const Cells& instance, LabelId label) {
        return necessary(search, checked(search.ensemble(), instance), label);
      },
      "search"_a, "instance"_a, "label"_a, Release());
  module.def(
      "differing_pair",
      [](const Search& search, const std::vector<FeatureId>& loose, Budget& budget) {
        return differing_pair(search, loose, budget);
      },
      "search"_a, "loose"_a, "budget"_a, Release());
  module.def("counterexample", &other_in, "search"_a, "instance"_a, "label"_a, "term"_a, "budget"_a,
             Release());
}

} // namespace reasons::bindings
