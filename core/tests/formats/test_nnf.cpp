// test_nnf.cpp: both dialects of NNF, decisions from their graphs, and defining clauses.
#include "base/error.hpp"
#include "circuit/validator.hpp"
#include "formats/nnf/reader.hpp"
#include "formats/nnf/variable_sets.hpp"
#include "tests/formats/mutate.hpp"
#include "tests/support/harness.hpp"
#include "tests/support/random_circuit.hpp"

#include <algorithm>
#include <set>
#include <string>

using namespace reasons;
using namespace reasons::circuit;
using namespace reasons::cnf;
using namespace reasons::formats;
using namespace reasons::testing;

namespace {

std::uint64_t failing_line(const std::string& text) {
  try {
    (void)read_nnf(text);
  } catch (const FormatError& error) {
    return error.line();
  }
  return 0;
}

/// The value of a graph by its definition.
bool holds(const Nnf& nnf, const Instance& instance) {
  std::vector<bool> value(nnf.size());
  for (std::uint32_t n = 0; n < nnf.size(); ++n) {
    const auto inputs = nnf.inputs(n);
    const auto is_true = [&](std::uint32_t input) { return bool(value[input]); };
    if (nnf.kinds[n] == NnfKind::literal)
      value[n] = (instance[std::abs(nnf.literals[n]) - 1] == 1) == (nnf.literals[n] > 0);
    else if (nnf.kinds[n] == NnfKind::conjunction || nnf.kinds[n] == NnfKind::verum)
      value[n] = std::all_of(inputs.begin(), inputs.end(), is_true);
    else
      value[n] = std::any_of(inputs.begin(), inputs.end(), is_true);
  }
  return value[nnf.root];
}

std::vector<Instance> instances(std::uint32_t variables) {
  return all_instances(std::vector<std::uint32_t>(variables, 2));
}

bool is_faithful(const std::string& text) {
  const Nnf nnf = read_nnf(text).nnf;
  const Circuit circuit = decision_circuit(nnf, {});
  Budget budget;
  if (first_violation(circuit, budget) || circuit.features() != nnf.variables)
    return false;
  return std::ranges::all_of(instances(nnf.variables), [&](const Instance& instance) {
    return (label_of(circuit, instance) == 1) == holds(nnf, instance);
  });
}

std::string refusal(const std::string& text) {
  try {
    (void)decision_circuit(read_nnf(text).nnf, {});
  } catch (const PropertyError& error) {
    return error.what();
  }
  return "";
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const std::string exclusive_or = "nnf 7 6 2\nL 1\nL -1\nL 2\nL -2\nA 2 0 3\nA 2 1 2\nO 1 2 4 5\n";
const std::string interleaved = "o 1 0\na 7 0\n1 7 1 0\no 3 0\nt 9 0\n3 9 2 -3 0\n3 9 -2 0\n7 3 0\n"
                                "7 9 4 0\nf 5 0\n1 5 -1 0\n";

} // namespace

TEST(the_dialect_of_c2d_is_read) {
  const auto file = read_nnf(exclusive_or);
  CHECK(file.warnings.empty() && file.nnf.size() == 7 && file.nnf.variables == 2);
  CHECK(file.nnf.names[6] == 6 && file.nnf.lines[6] == 8 && file.nnf.literals[6] == 1);
  CHECK(is_faithful(exclusive_or));
}

TEST(the_dialect_of_d4_is_read) {
  const auto file = read_nnf(interleaved);
  CHECK(file.warnings.empty() && file.nnf.variables == 4);
  CHECK(file.nnf.names[file.nnf.root] == 1 && is_faithful(interleaved));
  CHECK(is_faithful("1 2 1 0\no 1 0\nt 2 0\n")); // an arc first
}

TEST(free_variables_on_arcs_are_counted_and_constrain_nothing) {
  const auto file = read_nnf("o 1 0\nt 2 0\n1 2 -1 0 5 3 0\n1 2 1 0 0\n");
  CHECK(file.nnf.variables == 5 && is_faithful("o 1 0\nt 2 0\n1 2 -1 2 0 4 0\n1 2 1 0 3 0\n"));
  CHECK(failing_line("o 1 0\nt 2 0\n1 2 -1 0 5 3\n") == 3);
}

TEST(constants_have_several_forms) {
  for (const std::string text : {"nnf 1 0 2\nA 0\n", "nnf 1 0 2\nO 0 0\n", "t 1 0\n", "f 1 0\n",
                                 "o 1 0\nt 2 0\n1 2 0\n", "a 1 0\nf 2 0\n1 2 0\n"})
    CHECK(is_faithful(text));
  CHECK(failing_line("o 1 0") == 1 && failing_line("t 3 0\na 1 0") == 2); // arcs are lost
}

TEST(headers_that_count_wrongly_are_warnings_unless_nodes_are_missing) {
  CHECK(read_nnf("nnf 2 9 3\nL 1\nO 0 1 0\n").warnings.size() == 1);
  CHECK(read_nnf("nnf 1 1 3\nL 1\nO 0 1 0\n").warnings.size() == 1);
  CHECK(read_nnf("nnf 1 0 3\nL 7\n").nnf.variables == 7);
  CHECK(read_nnf("L 1\n").warnings.size() == 1);
  CHECK(read_nnf("./tool x.nnf -j 2nnf 1 0 3\nL 1\n").warnings.size() == 1);
  CHECK(failing_line("nnf 3 9 3\nL 1\nO 0 1 0\n") == 3);
  CHECK(failing_line("./tool x.nnf -j 2\nL 1\n") == 1);
}

TEST(bad_c2d_files_are_refused_with_the_line) {
  CHECK(failing_line("") == 1 && failing_line("\n\n") == 1 && failing_line("nnf 0 0 0\n") == 1);
  CHECK(failing_line("nnf 2 1 1\nA 1 1\nL 1\n") == 2);   // a forward reference
  CHECK(failing_line("nnf 1 1 1\nA 1 0\n") == 2);        // itself
  CHECK(failing_line("nnf 2 1 1\nL 1\nA 2 0\n") == 3);   // cut
  CHECK(failing_line("nnf 2 1 1\nL 1\nA 1 0 0\n") == 3); // too much
  CHECK(failing_line("nnf 2 1 1\nL 0\n") == 2);
  CHECK(failing_line("nnf 2 1 1\nL 99999999999\n") == 2);
  CHECK(failing_line("nnf 2 1 1\nL 1\nA 99999999999999999999 0\n") == 3);
  CHECK(failing_line("nnf 2 1 1\nL 1\nA 9999999999 0\n") == 3);
  CHECK(failing_line("nnf 2 1 1\nL 1\nX 1 0\n") == 3);
  CHECK(failing_line("nnf 2 1 1\nnnf 2 1 1\n") == 2);
  CHECK(failing_line("nnf 1 0 999999999999\nL 1\n") == 1);
}

TEST(bad_d4_files_are_refused_with_the_line) {
  CHECK(failing_line("o 2 0\nt 3 0\n2 3 0\n") == 1);                      // no root
  CHECK(failing_line("o 1 0\no 2 0\n1 2 0\n2 1 0\n") == 4);               // the root is used
  CHECK(failing_line("o 1 0\no 2 0\no 3 0\n1 2 0\n2 3 0\n3 2 0\n") == 6); // a cycle
  CHECK(failing_line("o 1 0\n1 2 0\n") == 2);                             // no such node
  CHECK(failing_line("o 1 0\nt 2 0\n7 2 0\n") == 3);
  CHECK(failing_line("o 1 0\no 1 0\n") == 2);
  CHECK(failing_line("o 1\n") == 1 && failing_line("o 1 2\n") == 1 &&
        failing_line("o 1 0 0\n") == 1);
  CHECK(failing_line("o 1 0\nt 2 0\n1 2 1\n") == 3);
  CHECK(failing_line("t 1 0\nt 2 0\n1 2 0\n") == 3); // a constant with an arc
  CHECK(failing_line("o 1 0\nt 2 0\n1 2 9999999999 0\n") == 3);
  CHECK(failing_line("o 99999999999999999999 0\n") == 1);
  CHECK(failing_line("o 1 0\nL 1\n") == 2);
  CHECK(failing_line("o 1 0\nt 2 0\n1 2 127 -0 -1 0\n") == 3); // as a d4 writes 128
}

TEST(nodes_that_the_root_does_not_use_are_left_out) {
  CHECK(is_faithful("o 1 0\nt 2 0\no 3 0\no 4 0\n3 4 0\n4 3 0\n1 2 1 0\n"));
  CHECK(is_faithful("nnf 4 2 1\nL 1\nL -1\nA 2 0 1\nO 0 1 0\n"));
}

TEST(a_conjunction_that_shares_a_variable_is_refused_by_name) {
  const auto direct = refusal("nnf 3 2 2\nL 2\nL -2\nA 2 0 1\n");
  CHECK(says(direct, "node 2 (line 4)") && says(direct, "variable 2"));
  const auto deep =
      refusal("o 1 0\nt 9 0\na 4 0\no 5 0\n5 9 7 0\n5 9 -7 0\n4 5 0\n4 9 7 0\n1 4 0\n");
  CHECK(says(deep, "node 4 (line 3)") && says(deep, "variable 7") && says(deep, "recompile=True"));
  CHECK(says(refusal("nnf 2 2 1\nL 1\nA 2 0 0\n"), "node 1"));
}

TEST(a_disjunction_that_is_no_decision_is_refused_by_name) {
  const auto either = refusal("nnf 3 2 2\nL 1\nL 2\nO 1 2 0 1\n");
  CHECK(says(either, "node 2 (line 4)") && says(either, "recompile=True"));
  const auto three =
      refusal("nnf 8 9 2\nL 1\nL -1\nL 2\nL -2\nA 2 0 2\nA 2 0 3\nA 2 1 2\nO 0 3 4 5 6\n");
  CHECK(says(three, "more than two inputs"));
}

TEST(the_variable_that_a_file_names_is_checked) {
  // Both 1 and 2 are decided; 3 is named and is not.
  CHECK(is_faithful("nnf 7 6 3\nL 1\nL -1\nL 2\nL -2\nA 2 0 3\nA 2 1 2\nO 3 2 4 5\n"));
  const Circuit second = decision_circuit(
      read_nnf("nnf 7 6 2\nL 1\nL -1\nL 2\nL -2\nA 2 0 3\nA 2 1 2\nO 2 2 4 5\n").nnf, {});
  CHECK(second.tested(second.payload(second.root())) == 1);
}

TEST(decisions_hidden_in_nested_gates_are_found) {
  // (1 | 1) through unary gates, false inputs dropped, constants absorbed.
  CHECK(is_faithful(
      "nnf 9 9 2\nL 1\nO 0 0\nA 2 0 1\nL -1\nL 2\nA 2 3 4\nO 0 1 5\nA 1 6\nO 0 3 0 7 2\n"));
  // A decision with an arm of 0 stands for a literal.
  CHECK(is_faithful("nnf 6 6 1\nL -1\nO 0 0\nL 1\nA 2 1 2\nO 0 2 0 3\nO 0 2 2 4\n"));
}

TEST(decisions_with_an_arm_of_zero_stay_decisions) {
  const Circuit circuit = decision_circuit(
      read_nnf("o 1 0\no 2 0\nt 3 0\nf 4 0\n1 2 1 0\n1 4 -1 0\n2 3 2 0\n2 4 -2 0\n").nnf, {});
  CHECK(circuit.is_ordered() && circuit.size() == 4);
}

TEST(every_cut_of_a_file_is_read_or_refused) {
  for (const auto& whole : {exclusive_or, interleaved})
    for (std::size_t end = 0; end <= whole.size(); ++end)
      try {
        const Nnf nnf = read_nnf(whole.substr(0, end)).nnf;
        CHECK(defining_clauses(nnf).clauses() > 0);
        (void)decision_circuit(nnf, {});
      } catch (const FormatError&) {
      } catch (const PropertyError&) {
      }
}

TEST(deep_graphs_need_no_stack) {
  constexpr std::uint32_t depth = 50'000;
  std::string text, arcs;
  for (std::uint32_t n = 1; n <= depth; ++n) {
    const auto own = std::to_string(n);
    text += "o " + own + " 0\n";
    arcs += own + " " + std::to_string(n + 1) + " " + own + " 0\n" + own + " " +
            std::to_string(depth + 2) + " -" + own + " 0\n";
  }
  text += "t " + std::to_string(depth + 1) + " 0\nf " + std::to_string(depth + 2) + " 0\n" + arcs;
  CHECK(decision_circuit(read_nnf(text).nnf, {}).size() == depth + 2);
}

TEST(conjunctions_of_one_twice_are_not_walked_twice) {
  for (const std::string first : {"A 0\n", "O 0 0\n", "L 1\n"}) {
    std::string text = "nnf 0 0 1\n" + first;
    for (int n = 0; n < 64; ++n)
      text += "A 2 " + std::to_string(n) + " " + std::to_string(n) + "\n";
    for (const std::string end :
         {"L 1\nO 0 2 65 64\n", "L 1\nA 2 65 64\n", "O 0 0\nA 2 65 64\nO 0 2 64 66\n"})
      try {
        CHECK(is_faithful(text + end));
      } catch (const PropertyError&) {
        CHECK(first == "L 1\n");
      }
  }
}

TEST(a_budget_ends_the_conversion) {
  const Nnf nnf = read_nnf(interleaved).nnf;
  CHECK_THROWS(BudgetExceeded, decision_circuit(nnf, Budget(3, Budget::unlimited, 10)));
  CHECK_THROWS(BudgetExceeded, decision_circuit(nnf, Budget(Budget::unlimited, 8, 10)));
}

TEST(defining_clauses_have_the_models_of_the_graph_each_once) {
  for (const auto& text :
       {exclusive_or, interleaved, std::string("nnf 3 2 2\nL 1\nL 2\nO 0 2 0 1\n"),
        std::string("nnf 3 2 2\nL 2\nL -2\nA 2 0 1\n"), std::string("t 1 0\n"),
        std::string("nnf 2 0 2\nO 0 0\nL -2\n")}) {
    const Nnf nnf = read_nnf(text).nnf;
    const Cnf cnf = defining_clauses(nnf);
    std::multiset<Instance> models;
    for (const Instance& instance : instances(cnf.variables)) {
      bool all = true;
      for (std::size_t c = 0; c < cnf.clauses() && all; ++c)
        all = std::ranges::any_of(cnf.clause(c), [&](std::int32_t literal) {
          return (instance[std::abs(literal) - 1] == 1) == (literal > 0);
        });
      if (all)
        models.insert(Instance(instance.begin(), instance.begin() + nnf.variables));
    }
    for (const Instance& instance : instances(nnf.variables))
      CHECK(models.count(instance) == (holds(nnf, instance) ? 1 : 0));
  }
}

TEST(scopes_are_sets) {
  Budget budget;
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    Rng rng(seed);
    const std::uint32_t most = seed % 2 == 0 ? 200 : 100'000;
    VariableSets scopes(most, budget);
    const auto random_set = [&] {
      std::set<std::uint32_t> made;
      for (int i = 0; i < 20; ++i)
        made.insert(rng() % most + 1);
      return made;
    };
    const auto number = [&](const std::set<std::uint32_t>& set) {
      return scopes.with(0, std::vector<std::uint32_t>(set.begin(), set.end()));
    };
    const auto one = random_set(), other = random_set();
    std::set<std::uint32_t> both = one, common;
    both.insert(other.begin(), other.end());
    std::ranges::set_intersection(one, other, std::inserter(common, common.end()));
    CHECK(scopes.unite(number(one), number(other)) == number(both));
    CHECK(scopes.with(number(one), std::vector<std::uint32_t>(other.begin(), other.end())) ==
          number(both));
    CHECK(scopes.common(number(one), number(other)) == (common.empty() ? 0 : *common.begin()));
    for (const auto variable : both)
      CHECK(scopes.contains(number(one), variable) == one.contains(variable));
  }
}

TEST(mutated_graphs_are_read_faithfully_or_refused) {
  const std::string nested =
      "nnf 9 9 2\nL 1\nO 0 0\nA 2 0 1\nL -1\nL 2\nA 2 3 4\nO 0 1 5\nA 1 6\nO 0 3 0 7 2\n";
  Rng rng(11);
  int faithful = 0, refused = 0, unlike = 0;
  for (int round = 0; round < 6'000; ++round)
    try {
      const std::string text = mutated(round % 3 == 0   ? exclusive_or
                                       : round % 3 == 1 ? interleaved
                                                        : nested,
                                       rng);
      const Nnf nnf = read_nnf(text).nnf;
      if (nnf.variables > 12)
        continue;
      CHECK(defining_clauses(nnf).clauses() > 0);
      CHECK(is_faithful(text));
      ++faithful;
    } catch (const FormatError&) {
      ++refused;
    } catch (const PropertyError&) {
      ++unlike;
    }
  CHECK(faithful > 300 && refused > 300 && unlike > 50);
}
