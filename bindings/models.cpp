// models.cpp: counting, sampling, listing and transforming the instances of a label.
#include "circuit/transform.hpp"
#include "convert.hpp"
#include "counting/label_share.hpp"
#include "counting/modular_sum.hpp"
#include "counting/sampler.hpp"
#include "query/differing_pair.hpp"
#include "query/min_cost.hpp"
#include "reorder/sift.hpp"

#include <algorithm>
#include <cstring>

namespace reasons::bindings {

using namespace circuit;
using namespace counting;
using namespace query;
using namespace reorder;

namespace {

using Words = std::vector<std::uint64_t>;

std::size_t cells_of(const Circuit& circuit) {
  std::size_t cells = 0;
  for (const auto domain : circuit.arrays().domains)
    cells += domain;
  return cells;
}

void check_label(const Circuit& circuit, LabelId label) {
  if (label >= circuit.labels())
    throw InputError("there is no label number " + std::to_string(label));
}

/// (features whose weights cancel, the sums at some nodes, the sums by value if wanted)
std::tuple<std::vector<FeatureId>, Words, Words>
field_sums(const Circuit& circuit, const Words& weights, const Words& leaf_values,
           std::uint64_t impossible_value, std::uint64_t prime, const std::vector<NodeId>& nodes,
           bool by_value) {
  if (weights.size() != cells_of(circuit) || leaf_values.size() != circuit.labels())
    throw InputError("a weighted sum needs one weight a value and one value a label");
  ModularSums sums(circuit, weights, prime);
  if (!sums.cancelling().empty())
    return {sums.cancelling(), {}, {}};
  sums.upward(leaf_values, impossible_value);
  Words found;
  for (const NodeId n : nodes) {
    if (n >= circuit.size())
      throw InputError("there is no node number " + std::to_string(n));
    found.push_back(sums.at(n));
  }
  return {{}, found, by_value ? sums.by_value() : Words{}};
}

nb::tuple shares(const Circuit& circuit, const std::vector<double>& weights, LabelId label) {
  if (weights.size() != cells_of(circuit))
    throw InputError("shares need one weight a value");
  check_label(circuit, label);
  std::unique_ptr<LabelShares> found;
  {
    nb::gil_scoped_release release;
    found = std::make_unique<LabelShares>(circuit, weights, label);
  }
  return nb::make_tuple(bytes_of(std::span<const double>(found->values())),
                        bytes_of(std::span<const std::int64_t>(found->blocks())),
                        found->roundings());
}

/// (0 done, 1 needs exact shares, 2 out of numbers; the arms of the splits passed)
std::pair<int, std::vector<std::pair<SplitId, std::uint32_t>>> walk(Sampler& sampler,
                                                                    const nb::bytes& numbers) {
  Words words(numbers.size() / sizeof(std::uint64_t));
  std::memcpy(words.data(), numbers.c_str(), words.size() * sizeof(std::uint64_t));
  std::vector<std::pair<SplitId, std::uint32_t>> taken;
  const Sampler::End end = sampler.walk(words, taken);
  return {static_cast<int>(end), taken};
}

/// Numbers of 16 bytes each, little-endian; all bits but the highest: not allowed.
std::vector<Price> prices_of(const Circuit& circuit, const nb::bytes& costs) {
  std::vector<Price> prices(cells_of(circuit));
  if (costs.size() != prices.size() * sizeof(Price))
    throw InputError("one cost is needed for each value");
  std::memcpy(prices.data(), costs.c_str(), costs.size());
  return prices;
}

/// What the cheapest instance costs above the cheapest values, as 16 bytes, if there is one.
std::optional<nb::bytes> extra_of(const MinCostSearch& search) {
  const std::optional<Price> extra = search.extra();
  if (!extra)
    return std::nullopt;
  return bytes_of(std::span<const Price>(&*extra, 1));
}

Circuit condition(const Circuit& circuit, const std::vector<std::pair<FeatureId, Cell>>& term,
                  Budget budget) {
  Cells fixed(circuit.features(), any_cell);
  for (const auto& [feature, cell] : term) {
    check_feature(circuit, feature);
    if (cell >= circuit.domain(feature))
      throw InputError("feature " + std::to_string(feature) + " has no value number " +
                       std::to_string(cell));
    fixed[feature] = cell;
  }
  return conditioned(circuit, fixed, std::move(budget));
}

std::vector<bool> flags_of(const Circuit& circuit, const std::vector<FeatureId>& features) {
  std::vector<bool> flags(circuit.features(), false);
  for (const FeatureId f : features) {
    check_feature(circuit, f);
    flags[f] = true;
  }
  return flags;
}

Circuit forget(const Circuit& circuit, const std::vector<FeatureId>& features, Budget budget) {
  return forgotten(circuit, flags_of(circuit, features), std::move(budget));
}

Circuit merge(const Circuit& circuit, const std::vector<FeatureId>& features, Budget budget) {
  return merged(circuit, flags_of(circuit, features), std::move(budget));
}

Circuit renumber(const Circuit& circuit, const std::vector<FeatureId>& feature,
                 const std::vector<LabelId>& label) {
  if (feature.size() != circuit.features() || label.size() != circuit.labels())
    throw InputError("each feature and label needs its new number");
  for (const FeatureId f : feature)
    check_feature(circuit, f);
  for (const LabelId l : label)
    check_label(circuit, l);
  return renumbered(circuit, feature, label);
}

std::optional<Cells> differing(const Circuit& one, const Circuit& other,
                               const std::vector<FeatureId>& order, Budget& budget) {
  if (!std::ranges::equal(one.arrays().domains, other.arrays().domains))
    throw InputError("two circuits about different features");
  for (const FeatureId f : order)
    check_feature(one, f);
  return differing_instance(one, other, order, budget);
}

} // namespace

void bind_models(nb::module_& module) {
  using Release = nb::call_guard<nb::gil_scoped_release>;
  module.def("field_sums", &field_sums, "circuit"_a, "weights"_a, "leaf_values"_a,
             "impossible_value"_a, "prime"_a, "nodes"_a, "by_value"_a, Release());
  module.def("shares", &shares, "circuit"_a, "weights"_a, "label"_a);
  nb::class_<Sampler>(module, "Sampler")
      .def(
          "__init__",
          [](Sampler* self, const Circuit& circuit, const std::vector<double>& allowed,
             LabelId label, double slack) {
            if (allowed.size() != cells_of(circuit))
              throw InputError("each value is allowed or not");
            check_label(circuit, label);
            new (self) Sampler(circuit, allowed, label, slack);
          },
          "circuit"_a, "allowed"_a, "label"_a, "slack"_a, nb::keep_alive<1, 2>())
      .def("walk", &walk, "numbers"_a);
  nb::class_<MinCostSearch>(module, "MinCostSearch")
      .def(
          "__init__",
          [](MinCostSearch* self, const Circuit& circuit, const nb::bytes& costs, LabelId label) {
            check_label(circuit, label);
            new (self) MinCostSearch(circuit, prices_of(circuit, costs), label);
          },
          "circuit"_a, "costs"_a, "label"_a, nb::keep_alive<1, 2>())
      .def_prop_ro("extra", &extra_of)
      .def("instance", &MinCostSearch::instance)
      .def("share", &MinCostSearch::share, "prime"_a, Release());
  module.def("condition", &condition, "circuit"_a, "term"_a, "budget"_a, Release());
  module.def("forget", &forget, "circuit"_a, "features"_a, "budget"_a, Release());
  module.def("merge", &merge, "circuit"_a, "features"_a, "budget"_a, Release());
  module.def("renumber", &renumber, "circuit"_a, "feature"_a, "label"_a, Release());
  module.def("sift", &sifted, "circuit"_a, "budget"_a, Release());
  module.def("differing_instance", &differing, "circuit"_a, "other"_a, "order"_a, "budget"_a,
             Release());
}

} // namespace reasons::bindings
