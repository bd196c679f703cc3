// test_diagrams.cpp: files of decision diagrams and of SDDs, good ones and hostile ones.
#include "base/error.hpp"
#include "circuit/builder.hpp"
#include "formats/dddmp/dddmp.hpp"
#include "formats/nnf/to_obdd.hpp"
#include "formats/scanner.hpp"
#include "formats/sdd.hpp"
#include "query/decision.hpp"
#include "tests/support/harness.hpp"

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

using namespace reasons;
using namespace reasons::circuit;
using namespace reasons::formats;
using namespace reasons::query;

namespace {

// !((a & (b | c)) | (!a & (b | !c))), as CUDD stores it; c is above b here.
const std::string diagram = ".ver DDDMP-2.0\n.mode A\n.varinfo 0\n.nnodes 5\n.nvars 5\n"
                            ".nsuppvars 3\n.suppvarnames a b c\n.ids 1 2 3\n.permids 1 4 2\n"
                            ".auxids 1 2 3\n.nroots 1\n.rootids -5\n.nodes\n1 T 1 0 0\n"
                            "2 2 2 1 -1\n3 3 1 1 2\n4 3 1 2 1\n5 1 0 3 4\n.end\n";

// Variables 1 and 2 decide about 3 and 4; the file numbers its nodes from the left.
const std::string tree = "c a comment\nvtree 7\nL 0 1\nL 1 2\nI 6 0 1\nL 2 3\nL 3 4\nI 5 2 3\n"
                         "I 4 6 5\n";
const std::string sentence = "c\nsdd 11\nL 1 0 1\nL 2 0 -1\nL 3 2 2\nF 4\nT 10\n"
                             "D 5 1 2 1 3 2 4\nL 6 2 -2\nD 7 1 2 1 6 2 10\nL 8 4 3\nL 9 6 -4\n"
                             "D 0 3 2 5 8 7 9\n";

Dddmp read(const std::string& text) {
  Budget budget;
  return read_dddmp(text, budget);
}

Sdd read_with_vtree(const std::string& text, const std::string& vtree) {
  Budget budget;
  const Vtree shape = read_vtree(vtree, budget);
  return read_sdd(text, &shape, VtreeUse::shape, budget);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  CHECK(at != std::string::npos);
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// The line that a reader complains about, or 0.
template <class Read> std::uint64_t refused_line(Read attempt) {
  try {
    attempt();
  } catch (const FormatError& error) {
    return error.line();
  }
  return 0;
}

std::uint64_t refused_dddmp(const std::string& from, const std::string& to) {
  return refused_line([&] { (void)read(replaced(diagram, from, to)); });
}

std::uint64_t refused_sdd(const std::string& from, const std::string& to) {
  return refused_line([&] { (void)read_with_vtree(replaced(sentence, from, to), tree); });
}

std::vector<Cell> instance(std::uint32_t features, std::uint32_t bits) {
  std::vector<Cell> cells;
  for (std::uint32_t f = 0; f < features; ++f)
    cells.push_back(bits >> f & 1);
  return cells;
}

bool value(const Nnf& nnf, std::uint32_t bits) {
  std::vector<bool> values;
  for (std::uint32_t n = 0; n <= nnf.root; ++n) {
    bool all = true, some = false;
    for (const std::uint32_t input : nnf.inputs(n)) {
      all = all && values[input];
      some = some || values[input];
    }
    const std::int32_t literal = nnf.literals[n];
    const bool holds =
        literal != 0 && (bits >> (std::abs(literal) - 1) & 1) == (literal > 0 ? 1u : 0u);
    switch (nnf.kinds[n]) {
    case NnfKind::falsum:
      values.push_back(false);
      break;
    case NnfKind::verum:
      values.push_back(true);
      break;
    case NnfKind::literal:
      values.push_back(holds);
      break;
    case NnfKind::conjunction:
      values.push_back(all);
      break;
    case NnfKind::disjunction:
      values.push_back(some);
      break;
    }
  }
  return values[nnf.root];
}

Nnf random_nnf(std::mt19937& random, std::uint32_t variables, std::uint32_t nodes) {
  Nnf nnf;
  nnf.variables = variables;
  for (std::uint32_t n = 0; n < nodes; ++n) {
    const auto kind = n < 2 ? static_cast<NnfKind>(n)
                      : n < 2 + 2 * variables
                          ? NnfKind::literal
                          : (random() % 2 == 0 ? NnfKind::conjunction : NnfKind::disjunction);
    const auto variable = static_cast<std::int32_t>(n / 2);
    nnf.kinds.push_back(kind);
    nnf.literals.push_back(kind != NnfKind::literal ? 0 : n % 2 == 0 ? variable : -variable);
    if (kind == NnfKind::conjunction || kind == NnfKind::disjunction)
      for (std::uint32_t i = random() % 4; i > 0; --i)
        nnf.edges.push_back(random() % n);
    nnf.first.push_back(static_cast<std::uint32_t>(nnf.edges.size()));
  }
  nnf.root = nodes - 1;
  return nnf;
}

/// Changes some bytes; what is read must be read or refused, and the sanitizers see the rest.
template <class Read> int refused_of_mutants(const std::string& text, unsigned seed, Read attempt) {
  const std::string signs = "0123456789-- .\nTFLDIc";
  std::mt19937 random(seed);
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string mutant = text;
    for (std::uint32_t changes = 1 + random() % 3; changes > 0; --changes)
      mutant[random() % mutant.size()] = signs[random() % signs.size()];
    refused += refused_line([&] { attempt(mutant); }) != 0 ? 1 : 0;
  }
  return refused;
}

} // namespace

TEST(a_diagram_with_complemented_edges_is_the_function_it_stands_for) {
  const Dddmp file = read(diagram);
  CHECK((file.features == std::vector<std::string>{"a", "b", "c"}));
  const Circuit circuit = dddmp_circuit(file, file.roots.front(), {});
  CHECK(circuit.order() == (std::vector<FeatureId>{0, 2, 1}));
  for (std::uint32_t bits = 0; bits < 8; ++bits) {
    const bool a = bits & 1, b = bits >> 1 & 1, c = bits >> 2 & 1;
    CHECK(decide(circuit, instance(3, bits)) == !((a && (b || c)) || (!a && (b || !c))));
  }
}

TEST(terminals_other_than_0_and_1_are_labels) {
  const Dddmp file = read(".ver DDDMP-2.0\n.add\n.mode A\n.varinfo 4\n.nnodes 3\n.nvars 1\n"
                          ".nsuppvars 1\n.ids 7\n.permids 0\n.nroots 2\n.rootids 3 1\n.nodes\n"
                          "1 2.5 0 0\n2 -1 0 0\n3 0 1 2\n.end\n");
  CHECK((file.values == std::vector<double>{-1, 2.5}));
  CHECK(file.features.front() == "7");
  const Circuit circuit = dddmp_circuit(file, 3, {});
  CHECK(decide(circuit, instance(1, 0)) == 0);
  CHECK(decide(circuit, instance(1, 1)) == 1);
  CHECK(dddmp_circuit(file, 1, {}).size() == 1);
  CHECK_THROWS(InputError, dddmp_circuit(file, 4, {}));
}

TEST(a_diagram_that_breaks_a_rule_is_refused_with_its_line) {
  CHECK(refused_dddmp(".mode A", ".mode B") == 2);
  CHECK(refused_dddmp(".varinfo 0", ".varinfo 5") == 3);
  CHECK(refused_dddmp(".permids 1 4 2", ".permids 1 4 4") == 9);
  CHECK(refused_dddmp(".ids 1 2 3", ".ids 1 2") == 8);
  CHECK(refused_dddmp(".suppvarnames a b c", ".suppvarnames a b a") == 8);
  CHECK(refused_dddmp(".rootids -5", ".rootids -6") == 12);
  CHECK(refused_dddmp(".nnodes 5", ".nnodes 99999999999999999999") == 4);
  CHECK(refused_dddmp(".nnodes 5", ".nnodes 2147483647") == 19);
  CHECK(refused_dddmp("3 3 1 1 2", "3 3 1 1 3") == 16); // itself
  CHECK(refused_dddmp("3 3 1 1 2", "3 3 1 1 4") == 16); // a later one
  CHECK(refused_dddmp("3 3 1 1 2", "4 3 1 1 2") == 16); // a number out of turn
  CHECK(refused_dddmp("3 3 1 1 2", "3 2 1 1 2") == 16); // the extra word disagrees
  CHECK(refused_dddmp("5 1 0 3 4", "5 2 2 3 4") == 18); // not ordered
  CHECK(refused_dddmp("1 T 1 0 0", "1 T 2 0 0") == 15); // complement of a number
  CHECK(refused_dddmp(".auxids 1 2 3", ".auxids 1 2 3\n.auxids 1 2 3") == 11);
}

TEST(the_vtree_of_an_sdd_is_numbered_in_order_whatever_ids_it_has) {
  Budget budget;
  const Vtree shape = read_vtree(tree, budget);
  CHECK((shape.variable == std::vector<std::uint32_t>{1, 0, 2, 0, 3, 0, 4}));
  CHECK((shape.first == std::vector<std::uint32_t>{0, 0, 2, 0, 4, 4, 6}));
  CHECK((shape.last == std::vector<std::uint32_t>{0, 2, 2, 6, 4, 6, 6}));
}

TEST(an_sdd_is_the_disjunction_of_its_elements) {
  const Sdd sdd = read_with_vtree(sentence, tree);
  const Circuit circuit = ordered_circuit(sdd.nnf, sdd.order, {});
  for (std::uint32_t bits = 0; bits < 16; ++bits) {
    const bool v1 = bits & 1, v2 = bits >> 1 & 1, v3 = bits >> 2 & 1, v4 = bits >> 3 & 1;
    CHECK(decide(circuit, instance(4, bits)) == (v1 && v2 ? v3 : !v4));
  }
}

TEST(without_a_fitting_vtree_the_variables_that_occur_come_first) {
  Budget budget;
  const Vtree other = read_vtree("vtree 3\nL 0 9\nL 2 3\nI 1 0 2\n", budget);
  const Sdd sdd = read_sdd(sentence, &other, VtreeUse::variables, budget);
  CHECK((sdd.variables == std::vector<std::uint32_t>{1, 2, 3, 4, 9}));
  CHECK((sdd.order == std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
  CHECK(read_sdd("sdd 1\nL 0 7 -2147483647\n", nullptr, VtreeUse::shape, budget).nnf.literals[0] ==
        -1);
}

TEST(an_sdd_that_breaks_a_rule_is_refused_with_its_line) {
  CHECK(refused_sdd("sdd 11", "sdd 12") == 13);
  CHECK(refused_sdd("sdd 11", "sdd 10") == 7); // the id 10 is too large
  CHECK(refused_sdd("sdd 11", "psdd 11") == 2);
  CHECK(refused_sdd("sdd 11", "sdd 4294967294") == 2);
  CHECK(refused_sdd("L 3 2 2", "L 3 2 3") == 5); // not the leaf of 3
  CHECK(refused_sdd("L 3 2 2", "L 3 2 0") == 5);
  CHECK(refused_sdd("D 5 1 2 1 3 2 4", "D 5 1 2 3 1 2 4") == 8); // prime and sub swapped
  CHECK(refused_sdd("D 5 1 2 1 3 2 4", "D 5 1 2 1 5 2 4") == 8); // itself
  CHECK(refused_sdd("D 5 1 2 1 3 2 4", "D 5 1 2 1 3 2") == 8);
  CHECK(refused_sdd("D 5 1 2 1 3 2 4", "D 5 1 3000000000 1 3 2 4") == 8);
  CHECK(refused_sdd("D 5 1 2 1 3 2 4", "D 5 0 2 1 3 2 4") == 8); // at a leaf
  CHECK(refused_sdd("D 0 3 2 5 8 7 9", "D 0 3 2 5 8 7 9 1") == 13);
  CHECK(refused_sdd("D 0 3 2 5 8 7 9", "D 0 5 2 1 9 2 4") == 13); // primes left of the subtree
  CHECK(refused_sdd("D 0 3 2 5 8 7 9", "D 0 1 2 1 8 2 4") == 13); // a sub right of it
}

TEST(a_vtree_that_is_no_tree_is_refused_with_its_line) {
  const auto refused = [](const std::string& from, const std::string& to) {
    return refused_line([&] {
      Budget budget;
      (void)read_vtree(replaced(tree, from, to), budget);
    });
  };
  CHECK(refused("I 6 0 1", "I 6 0 0") == 5);
  CHECK(refused("I 6 0 1", "I 6 0 6") == 5);
  CHECK(refused("I 6 0 1", "I 6 0 5") == 5);
  CHECK(refused("L 1 2", "L 1 1") == 4);
  CHECK(refused("I 4 6 5", "L 4 9") == 9);
  CHECK(refused("vtree 7", "vtree 4000000000") == 2);
  CHECK(refused("vtree 7", "tree 7") == 2);
}

TEST(files_cut_anywhere_are_refused) {
  for (std::size_t size = 0; size + 1 < diagram.size(); ++size)
    CHECK(refused_line([&] { (void)read(diagram.substr(0, size)); }) != 0);
  // Cut within its last number a file may still be one; before that it may not.
  for (std::size_t size = 0; size + 2 < sentence.size(); ++size)
    CHECK(refused_line([&] { (void)read_with_vtree(sentence.substr(0, size), tree); }) != 0);
  for (std::size_t size = 0; size + 2 < tree.size(); ++size)
    CHECK(refused_line([&] { (void)read_with_vtree(sentence, tree.substr(0, size)); }) != 0);
}

TEST(mutants_are_read_or_refused) {
  CHECK(refused_of_mutants(diagram, 1, [](const std::string& text) {
          const Dddmp file = read(text);
          for (const std::int32_t root : file.roots)
            if (root != 0)
              (void)dddmp_circuit(file, root, {});
        }) > 2000);
  CHECK(refused_of_mutants(sentence, 2, [](const std::string& text) {
          const Sdd sdd = read_with_vtree(text, tree);
          (void)ordered_circuit(sdd.nnf, sdd.order, {});
        }) > 1000);
  CHECK(refused_of_mutants(tree, 3, [](const std::string& text) {
          (void)read_with_vtree(sentence, text);
        }) > 1000);
}

TEST(chains_of_100_000_are_read_without_recursion) {
  const std::uint32_t depth = 100'000;
  std::string vtree = "vtree " + std::to_string(2 * depth + 1) + "\nL " +
                      std::to_string(2 * depth) + " " + std::to_string(depth + 1) + "\n";
  std::string sdd = "sdd " + std::to_string(3 * depth + 2) + "\nF 1\nT 0\n";
  for (std::uint32_t i = depth; i > 0; --i) {
    const std::string leaf = std::to_string(2 * i - 2), inner = std::to_string(2 * i - 1);
    vtree += "L " + leaf + " " + std::to_string(i) + "\nI " + inner + " " + leaf + " " +
             std::to_string(2 * i + (i == depth ? 0 : 1)) + "\n";
    const std::string id = std::to_string(3 * i), plus = std::to_string(3 * i + 1);
    const std::string minus = std::to_string(3 * i - 1);
    sdd += "L " + minus + " " + leaf + " -" + std::to_string(i) + "\nL " + plus + " " + leaf + " " +
           std::to_string(i) + "\nD " + id + " " + inner + " 2 " + plus + " " +
           (i == depth ? "0" : std::to_string(3 * i + 3)) + " " + minus + " 1\n";
  }
  const Sdd file = read_with_vtree(sdd, vtree);
  CHECK(file.variables.size() == depth + 1);
  const Circuit circuit = ordered_circuit(file.nnf, file.order, {});
  CHECK(circuit.size() == depth + 2);
}

TEST(any_graph_becomes_an_ordered_circuit) {
  std::mt19937 random(7);
  for (int i = 0; i < 300; ++i) {
    const Nnf nnf = random_nnf(random, 4, 30);
    std::vector<std::uint32_t> order{0, 1, 2, 3};
    std::shuffle(order.begin(), order.end(), random);
    const Circuit circuit = ordered_circuit(nnf, order, {});
    for (std::uint32_t bits = 0; bits < 16; ++bits)
      CHECK(decide(circuit, instance(4, bits)) == (value(nnf, bits) ? 1u : 0u));
  }
  const Nnf nnf = random_nnf(random, 2, 10);
  CHECK_THROWS(InputError, ordered_circuit(nnf, std::vector<std::uint32_t>{0, 0}, {}));
  CHECK_THROWS(InputError, ordered_circuit(nnf, std::vector<std::uint32_t>{0}, {}));
}

TEST(an_explosion_stops_at_the_budget) {
  Nnf nnf; // (1 = 11) & (2 = 12) & ... in the worst order
  nnf.variables = 40;
  std::vector<std::uint32_t> conjuncts, order;
  const auto add = [&](NnfKind kind, std::int32_t literal, std::vector<std::uint32_t> inputs) {
    nnf.kinds.push_back(kind);
    nnf.literals.push_back(literal);
    nnf.edges.insert(nnf.edges.end(), inputs.begin(), inputs.end());
    nnf.first.push_back(static_cast<std::uint32_t>(nnf.edges.size()));
    return nnf.size() - 1;
  };
  for (std::int32_t v = 1; v <= 20; ++v) {
    const auto both = add(NnfKind::disjunction, 0,
                          {add(NnfKind::literal, v, {}), add(NnfKind::literal, v + 20, {})});
    conjuncts.push_back(both);
  }
  nnf.root = add(NnfKind::conjunction, 0, conjuncts);
  for (std::uint32_t f = 0; f < 40; ++f)
    order.push_back(f);
  CHECK_THROWS(BudgetExceeded, ordered_circuit(nnf, order, Budget(10'000, Budget::unlimited, 1e9)));
}
