// test_decision.cpp: what is decided, necessary, sufficient and biased, against brute force.
#include "base/budget.hpp"
#include "base/error.hpp"
#include "batch/batch.hpp"
#include "query/decision.hpp"
#include "query/sweep.hpp"
#include "tests/support/harness.hpp"
#include "tests/support/random_circuit.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

using namespace reasons;
using namespace reasons::batch;
using namespace reasons::circuit;
using namespace reasons::query;
using namespace reasons::testing;

namespace {

using Visit = std::function<void(const Circuit&, const Instance&, LabelId, Rng&)>;

/// A few allowed instances of many circuits of every shape.
void for_decisions(const Visit& visit) {
  for (const auto& shape : shapes())
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
      const Circuit circuit =
          seed % 3 == 0 ? random_graph(shape, seed) : random_circuit(shape, seed);
      Rng rng(seed);
      auto instances = all_instances(shape.domains);
      std::shuffle(instances.begin(), instances.end(), rng);
      instances.resize(6);
      for (const auto& instance : instances)
        if (const LabelId label = label_of(circuit, instance); label != impossible_label)
          visit(circuit, instance, label, rng);
    }
}

std::vector<FeatureId> all_features(const Circuit& circuit) {
  std::vector<FeatureId> features(circuit.features());
  std::iota(features.begin(), features.end(), 0u);
  return features;
}

/// A random box that holds the instance, as the region and as what it means.
std::pair<Region, Box> random_region(const Circuit& circuit, const Instance& instance, Rng& rng) {
  Region region(circuit, instance);
  Box box = fixing(circuit, instance, all_features(circuit));
  for (FeatureId f = 0; f < circuit.features(); ++f) {
    const auto choice = rng() % 3;
    if (choice == 0) {
      region.free(f);
      box[f].assign(box[f].size(), true);
    } else if (choice == 1) {
      std::vector<Cell> cells{instance[f]};
      for (Cell v = 0; v < circuit.domain(f); ++v)
        if (rng() % 2)
          cells.push_back(v);
      region.allow(f, cells);
      for (const Cell v : cells)
        box[f][v] = true;
    }
  }
  return {region, box};
}

} // namespace

TEST(decide_gives_the_label_of_every_instance) {
  for (const auto& shape : shapes())
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
      const Circuit circuit = random_circuit(shape, seed);
      std::vector<Cell> cells;
      std::vector<LabelId> wanted;
      for (const auto& instance : all_instances(shape.domains)) {
        wanted.push_back(label_of(circuit, instance));
        CHECK(decide(circuit, instance) == wanted.back());
        cells.insert(cells.end(), instance.begin(), instance.end());
      }
      std::vector<LabelId> found(wanted.size());
      Budget budget;
      decide_rows(circuit, cells, found, 2, budget);
      CHECK(found == wanted);
    }
}

TEST(a_region_forces_the_label_when_all_its_instances_have_it) {
  for_decisions([](const Circuit& circuit, const Instance& instance, LabelId label, Rng& rng) {
    const auto [region, box] = random_region(circuit, instance, rng);
    CHECK(is_forced(circuit, region, label) == forces(circuit, box, label));
  });
}

TEST(features_not_reported_as_tested_may_be_freed) {
  for_decisions([](const Circuit& circuit, const Instance& instance, LabelId label, Rng& rng) {
    auto [region, box] = random_region(circuit, instance, rng);
    BitSet tested(circuit.features());
    if (!is_forced(circuit, region, label, &tested))
      return;
    for (FeatureId f = 0; f < circuit.features(); ++f)
      if (!tested[f])
        box[f].assign(box[f].size(), true);
    CHECK(forces(circuit, box, label));
  });
}

TEST(a_counterexample_is_in_the_region_and_has_another_label) {
  for_decisions([](const Circuit& circuit, const Instance& instance, LabelId label, Rng& rng) {
    const auto [region, box] = random_region(circuit, instance, rng);
    const auto found = counterexample(circuit, region, instance, label);
    CHECK(found.has_value() != forces(circuit, box, label));
    if (found) {
      CHECK(contains(box, *found));
      const LabelId other = label_of(circuit, *found);
      CHECK(other != label && other != impossible_label);
    }
  });
}

TEST(a_feature_is_necessary_when_changing_it_alone_can_change_the_label) {
  for_decisions([](const Circuit& circuit, const Instance& instance, LabelId label, Rng&) {
    std::vector<FeatureId> wanted;
    for (FeatureId f = 0; f < circuit.features(); ++f) {
      auto others = all_features(circuit);
      std::erase(others, f);
      if (!forces(circuit, fixing(circuit, instance, others), label))
        wanted.push_back(f);
    }
    CHECK(necessary(circuit, instance, label) == wanted);
  });
}

TEST(one_sufficient_reason_is_what_greedy_deletion_leaves) {
  for_decisions([](const Circuit& circuit, const Instance& instance, LabelId label, Rng& rng) {
    auto order = all_features(circuit);
    std::shuffle(order.begin(), order.end(), rng);
    auto wanted = all_features(circuit);
    for (const FeatureId f : order) {
      auto fewer = wanted;
      std::erase(fewer, f);
      if (forces(circuit, fixing(circuit, instance, fewer), label))
        wanted = fewer;
    }
    Budget budget;
    CHECK(sufficient(circuit, instance, label, order, budget) == wanted);
  });
}

TEST(a_counterexample_changes_nothing_that_need_not_change) {
  Builder builder({5, 2}, 2);
  const NodeId no = builder.leaf(0), yes = builder.leaf(1);
  const Circuit circuit = builder.build(builder.decide(0, std::vector{no, no, yes, no, no}));
  Region region(circuit, Instance{2, 1});
  region.free(0);
  region.free(1);
  const auto found = counterexample(circuit, region, Instance{2, 1}, 1);
  CHECK(found && (*found)[1] == 1 && ((*found)[0] == 1 || (*found)[0] == 3));
}

TEST(a_constant_is_forced_by_nothing_and_needs_nothing) {
  Builder builder({2, 3}, 2);
  const Circuit circuit = builder.build(builder.leaf(1));
  Region region(circuit, Instance{0, 0});
  region.free(0);
  region.free(1);
  Budget budget;
  CHECK(decide(circuit, Instance{1, 2}) == 1 && is_forced(circuit, region, 1));
  CHECK(necessary(circuit, Instance{0, 0}, 1).empty());
  CHECK(sufficient(circuit, Instance{0, 0}, 1, all_features(circuit), budget).empty());
  CHECK(!counterexample(circuit, region, Instance{0, 0}, 1));
}
