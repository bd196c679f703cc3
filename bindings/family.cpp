// family.cpp: families of sets as Python objects; big numbers travel as bytes.
#include "zdd/family.hpp"
#include "convert.hpp"
#include "zdd/minimal_models.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

namespace reasons::bindings {

using namespace reason;
using namespace zdd;

namespace {

/// A family with its counts, which are worked out at the first question for them.
struct Sets {
  Family family;
  mutable std::shared_ptr<const SetCounts> counts;
};

nb::bytes number(std::span<const std::uint64_t> limbs) {
  return bytes_of(limbs);
}

Members checked(const Family& family, Members members) {
  std::sort(members.begin(), members.end());
  for (const Variable v : members)
    if (v >= family.variables)
      throw InputError("there is no variable number " + std::to_string(v));
  return members;
}

using Costs = std::vector<std::pair<double, double>>;

std::vector<Cost> checked_costs(const Family& family, const Costs& costs) {
  if (costs.size() != family.variables)
    throw InputError("one cost is needed for each variable");
  std::vector<Cost> result;
  for (const auto& [first, second] : costs)
    result.push_back({first, second});
  return result;
}

std::vector<bool> flags(const Family& family, const std::vector<Variable>& group) {
  std::vector<bool> result(family.variables, false);
  for (const Variable v : checked(family, group))
    result[v] = true;
  return result;
}

std::shared_ptr<const SetCounts> counts_of(const Sets& sets) {
  // Called with the GIL held, so that two threads do not make it twice at once.
  if (!sets.counts)
    sets.counts = std::make_shared<const SetCounts>(sets.family);
  return sets.counts;
}

Members sample(const Sets& sets, const nb::bytes& rank) {
  const auto counts = counts_of(sets);
  std::vector<std::uint64_t> limbs(counts->limbs(), 0);
  if (rank.size() > limbs.size() * 8)
    throw InputError("a family of sets has no member of that rank");
  std::memcpy(limbs.data(), rank.c_str(), rank.size());
  return member_at(sets.family, *counts, limbs);
}

Sets from_nodes(std::uint32_t variables, const nb::bytes& nodes, std::uint32_t root) {
  if (nodes.size() % sizeof(DiagramNode) != 0)
    throw InputError("malformed family of sets: half a node");
  Sets sets{{variables, std::vector<DiagramNode>(nodes.size() / sizeof(DiagramNode)), root}, {}};
  std::memcpy(sets.family.nodes.data(), nodes.c_str(),
              sets.family.nodes.size() * sizeof(DiagramNode));
  validate(sets.family);
  return sets;
}

void check_variables(const Reason& reason, const std::vector<std::vector<Variable>>& of_literals,
                     std::uint32_t variables) {
  if (of_literals.size() != reason.literals.size())
    throw InputError("the variables of each literal are needed");
  for (const auto& own : of_literals)
    (void)checked(Family{variables, {}, 0}, own);
}

std::vector<Members> next_of(Enumeration& enumeration, std::size_t most) {
  std::vector<Members> found;
  while (found.size() < most) {
    auto members = enumeration.next();
    if (!members)
      break;
    found.push_back(std::move(*members));
  }
  return found;
}

} // namespace

void bind_family(nb::module_& module) {
  using Release = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<Sets>(module, "Family")
      .def_static("from_nodes", &from_nodes, "variables"_a, "nodes"_a, "root"_a)
      .def("to_nodes",
           [](const Sets& s) { return bytes_of(std::span<const DiagramNode>(s.family.nodes)); })
      .def("__len__", [](const Sets& s) { return s.family.nodes.size(); })
      .def_prop_ro("variables", [](const Sets& s) { return s.family.variables; })
      .def_prop_ro("root", [](const Sets& s) { return s.family.root; })
      .def("count", [](const Sets& s) { return number(counts_of(s)->of(s.family.root)); })
      .def(
          "contains",
          [](const Sets& s, const Members& m) { return contains(s.family, checked(s.family, m)); },
          "members"_a)
      .def("member_at", &sample, "rank"_a)
      .def(
          "restricted",
          [](const Sets& s, const std::vector<Variable>& group, bool mentioned, Budget& budget) {
            return Sets{restricted(s.family, flags(s.family, group), mentioned, budget), {}};
          },
          "group"_a, "mentioned"_a, "budget"_a, Release())
      .def(
          "combined",
          [](const Sets& a, const Sets& b, int how, Budget& budget) {
            if (how < 1 || how > 3)
              throw InputError("families are united, intersected or subtracted");
            return Sets{combined(a.family, b.family, static_cast<Combination>(how), budget), {}};
          },
          "other"_a, "how"_a, "budget"_a, Release())
      .def(
          "marked",
          [](const Sets& s, std::vector<Variable> group_of, std::vector<Variable> renamed,
             std::vector<Variable> marker_of, std::uint32_t variables, const Sets& groups,
             Budget& budget) {
            for (const Variable group : group_of)
              if (group >= marker_of.size())
                throw InputError("a group has no marker");
            if (renamed.size() != s.family.variables || groups.family.variables > marker_of.size())
              throw InputError("each variable needs its new number and each group a marker");
            const GroupMarkers marking{std::move(group_of), std::move(renamed),
                                       std::move(marker_of), variables};
            return Sets{marked(s.family, marking, groups.family, budget), {}};
          },
          "group_of"_a, "renamed"_a, "marker_of"_a, "variables"_a, "groups"_a, "budget"_a,
          Release())
      .def(
          "reordered",
          [](const Sets& s, const std::vector<Variable>& renamed, std::uint32_t variables,
             Budget& budget) {
            if (renamed.size() != s.family.variables)
              throw InputError("each variable needs its new number");
            (void)checked(Family{variables, {}, 0}, renamed);
            return Sets{reordered(s.family, renamed, variables, budget), {}};
          },
          "renamed"_a, "variables"_a, "budget"_a, Release())
      .def(
          "one_of_each",
          [](const Sets& s, const std::vector<Variable>& group_of, Budget& budget) {
            return Sets{one_of_each(s.family, group_of, budget), {}};
          },
          "group_of"_a, "budget"_a, Release())
      .def(
          "count_without",
          [](const Sets& s, const std::vector<Variable>& group) {
            return number(count_without(s.family, *counts_of(s), flags(s.family, group)));
          },
          "group"_a)
      .def(
          "cheapest",
          [](const Sets& s, const Costs& costs, Budget& budget) {
            return Sets{cheapest(s.family, checked_costs(s.family, costs), budget), {}};
          },
          "costs"_a, "budget"_a, Release())
      .def(
          "sizes",
          [](const Sets& s, const std::vector<Variable>& counted, Budget& budget) {
            nb::list result;
            for (const auto& limbs : sizes(s.family, flags(s.family, counted), budget))
              result.append(number(limbs));
            return result;
          },
          "counted"_a, "budget"_a);
  nb::class_<Enumeration>(module, "Enumeration")
      .def(
          "__init__",
          [](Enumeration* self, const Sets& sets, const Costs& costs) {
            new (self) Enumeration(sets.family, checked_costs(sets.family, costs));
          },
          "family"_a, "costs"_a)
      .def("next", &next_of, "most"_a, Release());
  module.def(
      "minimal_sets",
      [](const Reason& reason, const std::vector<std::vector<Variable>>& literal_variables,
         std::uint32_t variables, bool implicates, Budget& budget) {
        check_variables(reason, literal_variables, variables);
        const Minimal which = implicates ? Minimal::implicates : Minimal::implicants;
        return Sets{minimal_sets(reason, literal_variables, variables, which, budget), {}};
      },
      "reason"_a, "literal_variables"_a, "variables"_a, "implicates"_a, "budget"_a, Release());
  module.def(
      "support",
      [](const Reason& reason, const std::vector<std::vector<Variable>>& literal_variables,
         std::uint32_t variables, Budget& budget) {
        check_variables(reason, literal_variables, variables);
        return support(reason, literal_variables, variables, budget);
      },
      "reason"_a, "literal_variables"_a, "variables"_a, "budget"_a, Release());
  module.def(
      "family_of",
      [](std::vector<Members> sets, std::uint32_t variables, Budget& budget) {
        for (Members& members : sets)
          members = checked(Family{variables, {}, 0}, std::move(members));
        return Sets{family_of(sets, variables, budget), {}};
      },
      "sets"_a, "variables"_a, "budget"_a, Release());
  module.def("implicant_circuit", &implicant_circuit, "circuit"_a, "label"_a, Release());
}

} // namespace reasons::bindings
