// test_preprocess.cpp: simplification, components, the cache and decompositions, each by itself.
#include "cnf/compile/component_cache.hpp"
#include "cnf/compile/components.hpp"
#include "cnf/order/elimination.hpp"
#include "cnf/order/sparse_elimination.hpp"
#include "cnf/preprocess/preprocess.hpp"
#include "tests/cnf/random_cnf.hpp"
#include "tests/support/harness.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>

using namespace reasons;
using namespace reasons::cnf;
using namespace reasons::testing;

namespace {

/// Every look, many seeds, up to nine variables.
void for_random_cnfs(std::uint32_t seeds, const std::function<void(const Cnf&)>& run) {
  for (int look = 0; look < looks; ++look)
    for (std::uint32_t seed = 0; seed < seeds; ++seed)
      run(random_cnf(static_cast<Look>(look), 9, seed));
}

Clauses without_empty(const Cnf& cnf) {
  Clauses clauses = plain(cnf);
  std::erase_if(clauses, [](const auto& clause) { return clause.empty(); });
  return clauses;
}

Clauses long_ones(const Cnf& cnf) {
  Clauses clauses = plain(cnf);
  std::erase_if(clauses, [](const auto& clause) { return clause.size() < 2; });
  return clauses;
}

bool same(bool condition, const Cnf& cnf) {
  if (!condition)
    std::printf("%s\n", text_of(cnf).c_str());
  return condition;
}

using Residual = std::pair<std::set<Var>, std::set<std::vector<Lit>>>;

/// The components by definition: open variables that are joined by clauses that are not
/// satisfied, each with what is left of those clauses.
std::vector<Residual> components_of(const Clauses& clauses, const Solver& solver) {
  std::vector<Residual> parts;
  for (const auto& clause : clauses) {
    std::vector<Lit> left;
    std::ranges::copy_if(clause, std::back_inserter(left),
                         [&](Lit l) { return solver.value(l) == 0; });
    if (std::ranges::any_of(clause, [&](Lit l) { return solver.value(l) > 0; }))
      continue;
    std::ranges::sort(left);
    Residual joined{{}, {left}};
    for (const Lit l : left)
      joined.first.insert(variable_of(l));
    std::erase_if(parts, [&](const Residual& part) {
      const bool meets =
          std::ranges::any_of(joined.first, [&](Var v) { return part.first.contains(v); });
      if (meets) {
        joined.first.insert(part.first.begin(), part.first.end());
        joined.second.insert(part.second.begin(), part.second.end());
      }
      return meets;
    });
    parts.push_back(std::move(joined));
  }
  return parts;
}

/// The same as the compiler has it: long clauses from the stack, pairs from both variables open.
Residual residual(const Component& component, const Components& components, const Solver& solver) {
  Residual result;
  for (const Var v : components.variables(component)) {
    result.first.insert(v);
    for (const Lit l : {2 * v, 2 * v + 1})
      for (const Lit other : components.partners(l))
        if (solver.value(other) == 0)
          result.second.insert({std::min(l, other), std::max(l, other)});
  }
  for (const std::uint32_t c : components.clauses(component)) {
    std::vector<Lit> left;
    std::ranges::copy_if(components.literals(c), std::back_inserter(left),
                         [&](Lit l) { return solver.value(l) == 0; });
    result.second.insert(left);
  }
  return result;
}

/// What is left of the clauses of three and more of which something was falsified.
std::set<std::vector<Lit>> touched(const Component& component, const Components& components,
                                   const Solver& solver) {
  std::set<std::vector<Lit>> result;
  for (const std::uint32_t c : components.clauses(component)) {
    std::vector<Lit> left;
    std::ranges::copy_if(components.literals(c), std::back_inserter(left),
                         [&](Lit l) { return solver.value(l) == 0; });
    if (left.size() < components.literals(c).size())
      result.insert(left);
  }
  return result;
}

/// Leads a solver to random trails without conflict, and shows each.
void for_random_trails(const Clauses& clauses, Var variables, std::uint32_t seed,
                       const std::function<void(Solver&)>& run) {
  Budget budget;
  Solver solver(variables, clauses, budget);
  Rng rng(seed);
  if (variables == 0 || !solver.propagate())
    return;
  run(solver);
  for (int step = 0; step < 25; ++step) {
    const Var v = rng() % variables;
    if (!solver.is_open(v) || rng() % 6 == 0) {
      solver.undo_to(solver.level() == 0 ? 0 : rng() % solver.level());
      continue;
    }
    solver.decide(literal_of(v, rng() % 2 == 0));
    if (solver.propagate())
      run(solver);
    else
      solver.undo_to(solver.level() - 1);
  }
}

} // namespace

TEST(simplified_clauses_have_the_same_models) {
  std::size_t units = 0, redundant = 0;
  for_random_cnfs(400, [&](const Cnf& cnf) {
    Budget budget;
    const PreprocessedCnf found = preprocess(cnf, budget);
    const Truth truth = models(cnf);
    const bool none = std::ranges::count(truth, true) == 0;
    CHECK(same(!found.contradictory || none, cnf));
    if (found.contradictory)
      return;
    Clauses clauses = found.clauses;
    for (const Lit l : found.units)
      clauses.push_back({l});
    CHECK(same(models(clauses, cnf.variables) == truth, cnf));
    units += found.units.size();
    redundant += found.redundant.size();
    std::set<Var> set;
    for (const Lit l : found.units)
      CHECK(set.insert(variable_of(l)).second);
    for (const auto& clause : found.clauses) {
      CHECK(same(clause.size() >= 2, cnf));
      for (std::size_t i = 0; i < clause.size(); ++i)
        CHECK(!set.contains(variable_of(clause[i])) &&
              (i == 0 || variable_of(clause[i - 1]) < variable_of(clause[i])));
    }
    const std::size_t before = clauses.size();
    for (const auto& clause : found.redundant) {
      clauses.push_back(clause);
      CHECK(same(clause.size() >= 2 && models(clauses, cnf.variables) == truth, cnf));
      clauses.resize(before);
    }
  });
  CHECK(units > 500 && redundant > 100);
}

TEST(subsumption_keeps_the_models_and_leaves_no_clause_in_another) {
  std::size_t shorter = 0;
  for_random_cnfs(400, [&](const Cnf& cnf) {
    Budget budget;
    const Clauses before = without_empty(cnf);
    Clauses after = before;
    subsume(after, cnf.variables, budget);
    CHECK(same(models(after, cnf.variables) == models(before, cnf.variables), cnf));
    shorter += before.size() - after.size();
    for (const auto& one : after)
      CHECK(same(!one.empty() && std::ranges::is_sorted(one), cnf));
  });
  CHECK(shorter > 1000);
}

TEST(a_clause_inside_another_drops_it_and_nearly_inside_shortens_it) {
  Budget budget;
  Clauses clauses{{0, 2}, {0, 2, 4}, {1, 6, 8}, {0, 6, 8, 10}, {0, 2}};
  subsume(clauses, 6, budget);
  CHECK((clauses == Clauses{{0, 2}, {1, 6, 8}, {6, 8, 10}} ||
         clauses == Clauses{{1, 6, 8}, {6, 8, 10}, {0, 2}}));
}

TEST(merging_equivalent_literals_keeps_the_models) {
  for_random_cnfs(400, [&](const Cnf& cnf) {
    const Clauses before = without_empty(cnf);
    Clauses after = before;
    const bool possible = merge_equivalent(after, cnf.variables);
    const Truth truth = models(before, cnf.variables);
    if (possible)
      CHECK(same(models(after, cnf.variables) == truth, cnf));
    else
      CHECK(same(std::ranges::count(truth, true) == 0, cnf));
  });
}

TEST(a_ring_of_implications_is_one_variable_with_names) {
  Clauses clauses;
  constexpr Var many = 20'000; // deep, but no recursion
  for (Var v = 0; v < many; ++v)
    clauses.push_back({2 * v + 1, 2 * ((v + 1) % many)});
  clauses.push_back({0, 2, 4, 2 * many});
  CHECK(merge_equivalent(clauses, many + 1));
  CHECK(clauses.size() == 2 * (many - 1) + 1);
  CHECK(std::ranges::count(clauses, std::vector<Lit>{0, 2 * many}) == 1);
  clauses.push_back({1, 2 * many - 1});
  clauses.push_back({0, 2 * many - 2});
  CHECK(!merge_equivalent(clauses, many + 1));
}

TEST(components_are_those_of_a_naive_search_and_equal_keys_mean_equal_formulas) {
  std::size_t split = 0;
  for_random_cnfs(60, [&](const Cnf& cnf) {
    const Clauses clauses = long_ones(cnf);
    Components components(cnf.variables, clauses);
    ComponentCache cache(1 << 20);
    std::map<Residual, ComponentCache::Entry> entries; // by what is left of touched clauses
    std::map<ComponentCache::Entry, Residual> formulas;
    const auto mark = components.mark();
    for_random_trails(clauses, cnf.variables, 5, [&](Solver& solver) {
      std::vector<Component> found;
      components.split(components.whole(), solver, found);
      std::vector<Residual> got, want = components_of(clauses, solver);
      for (const Component& c : found) {
        CHECK(std::ranges::is_sorted(components.variables(c)));
        CHECK(std::ranges::is_sorted(components.clauses(c)));
        got.push_back(residual(c, components, solver));
      }
      std::ranges::sort(got);
      std::ranges::sort(want);
      CHECK(same(got == want, cnf));
      split += got.size() > 1 ? 1 : 0;
      for (const Component& c : found) {
        const ComponentCache::Entry entry = cache.entry(c, components, solver);
        const Residual whole = residual(c, components, solver);
        CHECK(same(formulas.emplace(entry, whole).first->second == whole, cnf));
        const Residual key{whole.first, touched(c, components, solver)};
        CHECK(same(entries.emplace(key, entry).first->second == entry, cnf));
      }
      // The parts of a part are the same parts.
      std::vector<Component> again;
      for (const Component& c : found)
        components.split(c, solver, again);
      CHECK(again.size() == found.size());
      components.shrink_to(mark);
    });
  });
  CHECK(split > 200);
}

TEST(a_cache_that_shrinks_keeps_what_is_pending_or_was_asked_for) {
  const Cnf cnf = ring_cnf(30, 2, 5, 3);
  const Clauses clauses = long_ones(cnf);
  Components components(cnf.variables, clauses);
  ComponentCache cache(0);
  std::map<Residual, NodeId> nodes;
  std::map<Residual, ComponentCache::Entry> pending;
  NodeId next = 1;
  int kept = 0, dropped = 0;
  const auto mark = components.mark();
  for (std::uint32_t seed = 0; seed < 40; ++seed)
    for_random_trails(clauses, cnf.variables, seed, [&](Solver& solver) {
      CHECK(cache.is_full());
      std::vector<Component> found;
      components.split(components.whole(), solver, found);
      for (const Component& c : found) {
        const Residual what{residual(c, components, solver).first, touched(c, components, solver)};
        const ComponentCache::Entry entry = cache.entry(c, components, solver);
        if (const auto waiting = pending.find(what); waiting != pending.end())
          CHECK(waiting->second == entry);
        if (cache.node(entry) != ComponentCache::unknown) {
          CHECK(nodes.at(what) == cache.node(entry));
          ++kept;
          continue;
        }
        dropped += nodes.contains(what) ? 1 : 0;
        nodes[what] = next;
        cache.set(entry, next++);
        if (pending.size() < 5)
          pending[what] = entry;
      }
      if (seed % 2 == 0) {
        std::vector<ComponentCache::Entry*> places;
        for (auto& [what, entry] : pending)
          places.push_back(&entry);
        cache.shrink(places);
        for (const auto& [what, entry] : pending)
          CHECK(cache.node(entry) == nodes.at(what));
      }
      components.shrink_to(mark);
    });
  CHECK(kept > 20 && dropped > 20);
}

TEST(bags_are_a_tree_decomposition) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    const Cnf cnf = seed % 2 == 0 ? random_cnf(static_cast<Look>(seed % looks), 40, seed)
                                  : ring_cnf(20 + seed % 90, 1.3, 9, seed);
    const Clauses clauses = long_ones(cnf);
    std::vector<Var> vertices; // every other variable, to see that numbers may have gaps
    for (Var v = 0; v < cnf.variables; ++v)
      vertices.push_back(2 * v + 1);
    std::vector<std::uint32_t> index(2 * cnf.variables + 2);
    Elimination elimination(vertices, index);
    SparseElimination sparse(vertices, index);
    std::vector<std::vector<Var>> joined;
    for (const auto& clause : clauses) {
      joined.emplace_back();
      for (const Lit l : clause)
        joined.back().push_back(2 * variable_of(l) + 1);
      for (const Var a : joined.back())
        for (const Var b : joined.back())
          if (a < b) {
            elimination.connect(a, b);
            sparse.connect(a, b);
          }
    }
    Budget budget;
    for (const Decomposition& d :
         {elimination.by_least_fill(seed, budget), sparse.by_least_degree(budget)}) {
      CHECK(d.bags.size() == vertices.size() && d.parent.size() == vertices.size());
      std::size_t widest = 1;
      std::vector<std::set<Var>> bags;
      for (const auto& bag : d.bags) {
        bags.emplace_back(bag.begin(), bag.end());
        CHECK(bags.back().size() == bag.size());
        widest = std::max(widest, bag.size());
      }
      CHECK(d.bags.empty() || d.width + 1 == widest);
      for (const auto& clause : joined)
        CHECK(std::ranges::any_of(bags, [&](const std::set<Var>& bag) {
          return std::ranges::all_of(clause, [&](Var v) { return bag.contains(v); });
        }));
      // A variable's bags are connected if all but one of them have it in their parent.
      std::map<Var, int> tops;
      for (std::size_t b = 0; b < bags.size(); ++b) {
        CHECK(d.parent[b] >= b);
        for (const Var v : bags[b])
          tops[v] += d.parent[b] == b || !bags[d.parent[b]].contains(v) ? 1 : 0;
      }
      CHECK(tops.size() == vertices.size());
      for (const auto& [v, top] : tops)
        CHECK(top == 1);
      for (const TreeWalk layout : {TreeWalk::branches, TreeWalk::halves}) {
        std::vector<double> place(2 * cnf.variables + 2, -1);
        write_places(d, layout, place);
        for (const Var v : vertices)
          CHECK(place[v] >= 0 && place[v] <= 1 && place[v - 1] == -1);
      }
    }
  }
}

TEST(a_path_has_width_one_and_its_middle_comes_first) {
  constexpr Var many = 101;
  std::vector<Var> vertices(many);
  std::iota(vertices.begin(), vertices.end(), 0u);
  std::vector<std::uint32_t> index(many);
  Elimination elimination(vertices, index);
  for (Var v = 0; v + 1 < many; ++v)
    elimination.connect(v, v + 1);
  Budget budget;
  const Decomposition d = elimination.by_least_fill(1, budget);
  CHECK(d.width == 1);
  for (const TreeWalk layout : {TreeWalk::branches, TreeWalk::halves}) {
    std::vector<double> place(many);
    write_places(d, layout, place);
    const auto first = std::ranges::min_element(place) - place.begin();
    CHECK(first > 40 && first < 60);
  }
}
