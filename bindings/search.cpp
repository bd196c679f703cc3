// search.cpp: the queries of circuits, answered by search over an ensemble.
//
// The names are those of queries.cpp, so that Python asks either alike.
#include "forest/pair/differing_pair.hpp"
#include "forest/search/all_reasons.hpp"
#include "forest/search/cheapest_change.hpp"
#include "forest/search/greedy_reason.hpp"
#include "forest/search/widen_reason.hpp"
#include "trees.hpp"

#include <array>

namespace reasons::bindings {

using namespace forest;

namespace {

using Limits = std::vector<std::pair<FeatureId, Cells>>;

void check_features(const Ensemble& ensemble, const std::vector<FeatureId>& features) {
  for (const FeatureId f : features)
    if (f >= ensemble.features())
      throw InputError("there is no feature number " + std::to_string(f));
}

/// The cells that a term leaves: those listed for its features, all for the others.
Box box_of(const Ensemble& ensemble, const Limits& limits) {
  Box box(ensemble.features());
  for (FeatureId f = 0; f < ensemble.features(); ++f)
    box[f].assign(ensemble.domain(f), true);
  for (const auto& [feature, cells] : limits) {
    check_features(ensemble, {feature});
    box[feature].assign(ensemble.domain(feature), false);
    for (const Cell cell : cells) {
      if (cell >= ensemble.domain(feature))
        throw InputError("there is no value number " + std::to_string(cell));
      box[feature][cell] = true;
    }
    if (cells.empty())
      throw InputError("a feature is left without values");
  }
  return box;
}

std::optional<Cells> counterexample_to(const BranchAndBound& search, const Cells& instance,
                                       LabelId label, const Limits& limits, Budget& budget) {
  checked(search.ensemble(), instance);
  return search.other(label, box_of(search.ensemble(), limits), instance, budget);
}

void change_within(const BranchAndBound& search, const Cells& instance, LabelId label,
                   std::optional<LabelId> wanted, const Limits& limits,
                   const std::vector<std::vector<std::int64_t>>& costs, Budget& budget,
                   ChangeFound& found) {
  const Ensemble& ensemble = search.ensemble();
  checked(ensemble, instance);
  ChangeQuestion question{instance, label, wanted.value_or(Ensemble::no_label),
                          box_of(ensemble, limits), costs};
  cheapest_change(ensemble, question, budget, found);
}

/// Some more sets, those found before a limit was passed included.
std::vector<std::pair<bool, std::vector<FeatureId>>> next_sets(AllReasons& all, std::size_t most,
                                                               Budget& budget) {
  std::vector<std::pair<bool, std::vector<FeatureId>>> sets;
  try {
    while (sets.size() < most) {
      auto found = all.next(budget);
      if (!found)
        break;
      sets.emplace_back(found->suffices, std::move(found->features));
    }
  } catch (const BudgetExceeded&) {
    if (sets.empty())
      throw;
  }
  return sets;
}

/// All that is said of the trees, array after array with their sizes: equal for equal models.
std::string content(const BranchAndBound& search) {
  const Forest& forest = search.ensemble().forest();
  std::string bytes;
  const auto append = [&bytes](const auto& values) {
    const std::uint64_t size = values.size();
    bytes.append(reinterpret_cast<const char*>(&size), sizeof size);
    bytes.append(reinterpret_cast<const char*>(values.data()), size * sizeof(values[0]));
  };
  append(forest.domains), append(forest.test_feature), append(forest.test_first);
  append(forest.test_left);
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
  nb::class_<BranchAndBound>(module, "BranchAndBound")
      .def(
          "__init__",
          [](BranchAndBound* self, const Ensemble& ensemble) {
            new (self) BranchAndBound(std::make_shared<const Ensemble>(ensemble));
          },
          "ensemble"_a)
      .def("__len__",
           [](const BranchAndBound& s) { return s.ensemble().forest().node_test.size(); })
      .def(
          "content",
          [](const BranchAndBound& search) {
            const std::string bytes = content(search);
            return nb::bytes(bytes.data(), bytes.size());
          },
          "All that is said of the trees: equal for equal models.")
      .def(
          "decide_all",
          [](const BranchAndBound& search, Numbers<Cell> cells, std::size_t rows) {
            return decide_all(search.ensemble(), cells, rows);
          },
          "cells"_a, "rows"_a);
  module.def(
      "decide",
      [](const BranchAndBound& search, const Cells& instance) {
        return search.ensemble().decide(checked(search.ensemble(), instance));
      },
      "search"_a, "instance"_a, Release());
  module.def(
      "sufficient",
      [](const BranchAndBound& search, const Cells& instance, LabelId label,
         const std::vector<FeatureId>& drop_order, Budget& budget) {
        check_features(search.ensemble(), drop_order);
        return sufficient(search, checked(search.ensemble(), instance), label, drop_order, budget);
      },
      "search"_a, "instance"_a, "label"_a, "drop_order"_a, "budget"_a, Release());
  module.def(
      "widened",
      [](const BranchAndBound& search, const Cells& instance, LabelId label,
         const std::vector<std::pair<FeatureId, std::uint32_t>>& reason, Budget& budget) {
        std::vector<WidenedFeature> features;
        for (const auto& [feature, numbers] : reason)
          features.push_back({feature, numbers});
        return widened(search, checked(search.ensemble(), instance), label, features, budget);
      },
      "search"_a, "instance"_a, "label"_a, "reason"_a, "budget"_a, Release());
  module.def(
      "necessary",
      [](const BranchAndBound& search, const Cells& instance, LabelId label, Budget& budget) {
        return necessary(search, checked(search.ensemble(), instance), label, budget);
      },
      "search"_a, "instance"_a, "label"_a, "budget"_a, Release());
  module.def(
      "differing_pair",
      [](const BranchAndBound& search, const std::vector<FeatureId>& loose, Budget& budget) {
        check_features(search.ensemble(), loose);
        return differing_pair(search, loose, budget);
      },
      "search"_a, "loose"_a, "budget"_a, Release());
  module.attr("MOST_COST") = most_cost;
  nb::class_<ChangeFound>(module, "ChangeFound", "The best change so far, and a lower bound.")
      .def(nb::init<>())
      .def_ro("at_least", &ChangeFound::at_least, "What every change costs at least.")
      .def_prop_ro("cells",
                   [](const ChangeFound& found) {
                     return found.best ? std::optional(found.best->cells) : std::nullopt;
                   })
      .def_prop_ro("cost", [](const ChangeFound& found) {
        return found.best ? std::optional(found.best->cost) : std::nullopt;
      });
  module.def("cheapest_change", &change_within, "search"_a, "instance"_a, "label"_a,
             "wanted"_a.none(), "term"_a, "costs"_a, "budget"_a, "found"_a, Release());
  nb::class_<AllReasons>(module, "AllReasons",
                         "All sufficient reasons and contrastive sets of one decision.")
      .def(
          "__init__",
          [](AllReasons* self, const BranchAndBound& search, const Cells& instance, LabelId label) {
            checked(search.ensemble(), instance);
            new (self) AllReasons(search, instance, label);
          },
          "search"_a, "instance"_a, "label"_a)
      .def("next", &next_sets, "most"_a, "budget"_a, Release(),
           "Sets found next, and whether each suffices; none if all are found.");
  module.def("counterexample", &counterexample_to, "search"_a, "instance"_a, "label"_a, "term"_a,
             "budget"_a, Release());
}

} // namespace reasons::bindings
