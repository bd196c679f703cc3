// test_reason_circuit.cpp: reason circuits mean what the definitions say.
#include "reason/reason_circuit.hpp"
#include "tests/support/harness.hpp"
#include "tests/support/random_circuit.hpp"

#include <algorithm>
#include <functional>

using namespace reasons;
using namespace reasons::circuit;
using namespace reasons::reason;
using namespace reasons::testing;

namespace {

using Values = std::vector<std::uint8_t>;
using Visit = std::function<void(const Circuit&, const Instance&, LabelId, Rng&)>;

void for_decisions(const Visit& visit) {
  for (const auto& shape : shapes())
    for (std::uint32_t seed = 0; seed < 24; ++seed) {
      const Circuit circuit =
          seed % 3 == 0 ? random_graph(shape, seed) : random_circuit(shape, seed);
      Rng rng(seed);
      const auto instances = all_instances(shape.domains);
      for (int i = 0; i < 3; ++i) {
        const auto& instance = instances[rng() % instances.size()];
        if (const LabelId label = label_of(circuit, instance); label != impossible_label)
          visit(circuit, instance, label, rng);
      }
    }
}

Values truth(const Reason& reason, const Instance& instance) {
  Values values;
  for (const auto& literal : reason.literals)
    values.push_back(literal.values[instance[literal.feature]]);
  return values;
}

bool holds(const Reason& reason, const Instance& instance) {
  return evaluate(reason, truth(reason, instance));
}

/// The smallest box with both instances; simple boxes keep or free a whole feature.
Box box_of(const Circuit& circuit, const Instance& one, const Instance& other, bool simple) {
  std::vector<FeatureId> kept;
  for (FeatureId f = 0; f < circuit.features(); ++f)
    if (!simple || one[f] == other[f])
      kept.push_back(f);
  Box box = fixing(circuit, one, kept);
  for (FeatureId f = 0; f < circuit.features(); ++f)
    box[f][other[f]] = true;
  return box;
}

bool is_well_formed(const Reason& reason) {
  for (NodeId g = reason.first_gate(); g < reason.size(); ++g) {
    const auto inputs = reason.inputs(g);
    if (inputs.size() < 2 ||
        std::any_of(inputs.begin(), inputs.end(), [&](NodeId i) { return i >= g || i < 2; }))
      return false;
  }
  return reason.root < reason.size() && reason.first.size() == reason.gates.size() + 1;
}

} // namespace

TEST(the_complete_reason_holds_where_what_is_shared_with_the_instance_suffices) {
  for_decisions([](const Circuit& circuit, const Instance& instance, LabelId label, Rng&) {
    const Reason reason = complete_reason(circuit, instance, label);
    CHECK(is_well_formed(reason));
    for (const auto& x : all_instances(circuit.arrays().domains))
      CHECK(holds(reason, x) == forces(circuit, box_of(circuit, instance, x, true), label));
  });
}

TEST(the_general_reason_holds_where_the_smallest_box_with_the_instance_suffices) {
  for_decisions([](const Circuit& circuit, const Instance& instance, LabelId label, Rng&) {
    const Reason reason = general_reason(circuit, instance, label);
    CHECK(is_well_formed(reason));
    for (const auto& x : all_instances(circuit.arrays().domains))
      CHECK(holds(reason, x) == forces(circuit, box_of(circuit, instance, x, false), label));
  });
}

TEST(every_literal_is_true_of_the_instance) {
  for_decisions([](const Circuit& circuit, const Instance& instance, LabelId label, Rng&) {
    for (const Reason& reason :
         {complete_reason(circuit, instance, label), general_reason(circuit, instance, label)}) {
      for (const auto value : truth(reason, instance))
        CHECK(value == 1);
      CHECK(holds(reason, instance));
    }
  });
}

TEST(a_reason_is_linear_in_its_circuit) {
  for_decisions([](const Circuit& circuit, const Instance& instance, LabelId label, Rng&) {
    const std::size_t most = 3 * circuit.arrays().edges.size();
    CHECK(complete_reason(circuit, instance, label).edges.size() <= most);
    CHECK(general_reason(circuit, instance, label).edges.size() <= most);
  });
}

TEST(the_negation_holds_where_the_reason_does_not) {
  for_decisions([](const Circuit& circuit, const Instance& instance, LabelId label, Rng&) {
    for (const Reason& reason :
         {complete_reason(circuit, instance, label), general_reason(circuit, instance, label)}) {
      const Reason negation = negate(reason, circuit.arrays().domains);
      const Reason again = negate(negation, circuit.arrays().domains);
      for (const auto& x : all_instances(circuit.arrays().domains)) {
        CHECK(holds(negation, x) != holds(reason, x));
        CHECK(holds(again, x) == holds(reason, x));
      }
    }
  });
}

TEST(substituted_literals_are_constants_and_the_others_stay) {
  for_decisions([](const Circuit& circuit, const Instance& instance, LabelId label, Rng& rng) {
    const Reason reason = general_reason(circuit, instance, label);
    Values fixed;
    for (std::size_t l = 0; l < reason.literals.size(); ++l)
      fixed.push_back(static_cast<std::uint8_t>(rng() % 3));
    const Reason result = substitute(reason, fixed);
    CHECK(is_well_formed(result) && result.gates.size() <= reason.gates.size());
    for (int round = 0; round < 20; ++round) {
      Values values = fixed;
      for (auto& value : values)
        value = value == keep ? static_cast<std::uint8_t>(rng() % 2) : value;
      CHECK(evaluate(result, values) == evaluate(reason, values));
      // What was fixed does not matter any more.
      const bool wanted = evaluate(reason, values);
      for (std::size_t l = 0; l < values.size(); ++l)
        if (fixed[l] != keep)
          values[l] = static_cast<std::uint8_t>(rng() % 2);
      CHECK(evaluate(result, values) == wanted);
    }
  });
}

TEST(substituting_everything_leaves_a_constant) {
  for_decisions([](const Circuit& circuit, const Instance& instance, LabelId label, Rng&) {
    const Reason reason = complete_reason(circuit, instance, label);
    const Reason all_true = substitute(reason, Values(reason.literals.size(), 1));
    CHECK(all_true.root == Reason::verum && all_true.gates.empty());
    const Reason all_false = substitute(reason, Values(reason.literals.size(), 0));
    CHECK(all_false.root < 2 && all_false.gates.empty());
  });
}

TEST(the_reason_of_a_constant_is_true_and_its_negation_false) {
  Builder builder({2, 3}, 2);
  const Circuit circuit = builder.build(builder.leaf(0));
  for (const Reason& reason :
       {complete_reason(circuit, Instance{0, 0}, 0), general_reason(circuit, Instance{0, 0}, 0)}) {
    CHECK(reason.root == Reason::verum && reason.gates.empty());
    CHECK(negate(reason, circuit.arrays().domains).root == Reason::falsum);
  }
}
