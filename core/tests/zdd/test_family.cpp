// test_family.cpp: families of sets against std::set, on random families.
//
// Sets of up to eight variables are listed, and everything asked of a family is worked out from
// the list. test_large_family.cpp has those that cannot be listed.
#include "base/error.hpp"
#include "tests/support/harness.hpp"
#include "tests/zdd/costs.hpp"
#include "zdd/family.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <random>
#include <set>
#include <string>

using namespace reasons;
using namespace reasons::zdd;

namespace {

using Sets = std::set<Members>;
using Random = std::mt19937;

constexpr std::uint32_t seeds = 200;

std::uint32_t below(Random& rng, std::uint32_t bound) {
  return std::uniform_int_distribution<std::uint32_t>(0, bound - 1)(rng);
}

struct Example {
  std::uint32_t variables;
  Sets sets;
  Family family;
};

Family made(const Sets& sets, std::uint32_t variables) {
  Budget budget;
  return family_of(std::vector<Members>(sets.begin(), sets.end()), variables, budget);
}

Sets random_sets(Random& rng, std::uint32_t variables) {
  Sets sets;
  for (std::uint32_t left = below(rng, 25); left > 0; --left) {
    Members members;
    const std::uint32_t density = 1 + below(rng, 4);
    for (Variable v = 0; v < variables; ++v)
      if (below(rng, 5) < density)
        members.push_back(v);
    sets.insert(members);
  }
  return sets;
}

Example random_example(Random& rng, std::uint32_t variables) {
  Sets sets = random_sets(rng, variables);
  Family family = made(sets, variables);
  return {variables, std::move(sets), std::move(family)};
}

/// Runs a check on random families; a failure prints the seed it is replayed by.
template <class Check> void on_random(Check check) {
  for (std::uint32_t seed = 0; seed < seeds; ++seed) {
    Random rng(seed);
    try {
      check(rng, random_example(rng, 1 + seed % 8));
    } catch (const std::exception& error) {
      reasons::testing::fail(("seed " + std::to_string(seed)).c_str(), 0, error.what());
    }
  }
}

/// The sets of a family by walking all of its paths.
Sets listed(const Family& family) {
  Sets found;
  std::vector<std::pair<std::uint32_t, Members>> open{{family.root, {}}};
  while (!open.empty()) {
    auto [node, members] = open.back();
    open.pop_back();
    if (node == 1)
      found.insert(members);
    if (node < 2)
      continue;
    open.emplace_back(family.node(node).low, members);
    members.push_back(family.node(node).variable);
    open.emplace_back(family.node(node).high, members);
  }
  return found;
}

template <class Keep> Sets filtered(const Sets& sets, Keep keep) {
  Sets kept;
  std::copy_if(sets.begin(), sets.end(), std::inserter(kept, kept.end()), keep);
  return kept;
}

std::uint64_t number(std::span<const std::uint64_t> limbs) {
  for (std::size_t i = 1; i < limbs.size(); ++i)
    CHECK(limbs[i] == 0);
  return limbs[0];
}

std::uint64_t count_of(const Family& family) {
  return number(SetCounts(family).of(family.root));
}

std::vector<bool> random_flags(Random& rng, std::uint32_t variables) {
  std::vector<bool> flags(variables);
  for (Variable v = 0; v < variables; ++v)
    flags[v] = below(rng, 3) == 0;
  return flags;
}

bool meets(const Members& members, const std::vector<bool>& flags) {
  return std::any_of(members.begin(), members.end(), [&](Variable v) { return flags[v]; });
}

double paid(const Members& members, const std::vector<double>& costs) {
  double total = 0;
  for (const Variable v : members)
    total += costs[v];
  return total;
}

} // namespace

TEST(a_family_of_sets_has_these_sets_and_is_valid) {
  on_random([](Random&, const Example& e) {
    CHECK(listed(e.family) == e.sets);
    validate(e.family);
    CHECK(count_of(e.family) == e.sets.size());
    CHECK((e.family.root == 0) == e.sets.empty());
  });
}

TEST(equal_families_have_equal_nodes_whatever_the_order_of_their_sets) {
  on_random([](Random& rng, const Example& e) {
    std::vector<Members> shuffled(e.sets.begin(), e.sets.end());
    shuffled.insert(shuffled.end(), e.sets.begin(), e.sets.end()); // each twice
    std::shuffle(shuffled.begin(), shuffled.end(), rng);
    Budget budget;
    const Family again = family_of(shuffled, e.variables, budget);
    CHECK(listed(again) == e.sets && again.size() == e.family.size());
  });
}

TEST(membership_is_that_of_the_list) {
  on_random([](Random& rng, const Example& e) {
    for (const Members& members : e.sets)
      CHECK(contains(e.family, members));
    for (const Members& members : random_sets(rng, e.variables))
      CHECK(contains(e.family, members) == e.sets.contains(members));
  });
}

TEST(every_rank_is_another_member) {
  on_random([](Random&, const Example& e) {
    const SetCounts counts(e.family);
    Sets found;
    for (std::uint64_t rank = 0; rank < e.sets.size(); ++rank)
      found.insert(member_at(e.family, counts, {rank}));
    CHECK(found == e.sets);
    CHECK_THROWS(InputError, member_at(e.family, counts, {e.sets.size()}));
  });
}

TEST(restricted_families_have_the_sets_that_meet_a_group_or_avoid_it) {
  on_random([](Random& rng, const Example& e) {
    Budget budget;
    const std::vector<bool> group = random_flags(rng, e.variables);
    const Sets inside = filtered(e.sets, [&](const Members& m) { return meets(m, group); });
    const Sets outside = filtered(e.sets, [&](const Members& m) { return !meets(m, group); });
    CHECK(listed(restricted(e.family, group, true, budget)) == inside);
    CHECK(listed(restricted(e.family, group, false, budget)) == outside);
    CHECK(number(count_without(e.family, SetCounts(e.family), group)) == outside.size());
  });
}

TEST(combined_families_are_union_intersection_and_difference) {
  on_random([](Random& rng, const Example& a) {
    Budget budget;
    Example b = random_example(rng, a.variables);
    for (const Members& members : a.sets) // that they share something
      if (below(rng, 2) == 0)
        b.sets.insert(members);
    b.family = made(b.sets, a.variables);
    Sets both = a.sets;
    both.insert(b.sets.begin(), b.sets.end());
    const auto result = [&](Combination how) {
      const Family found = combined(a.family, b.family, how, budget);
      validate(found);
      return listed(found);
    };
    CHECK(result(Combination::unite) == both);
    const auto in_b = [&](const Members& m) { return b.sets.contains(m); };
    CHECK(result(Combination::intersect) == filtered(a.sets, in_b));
    CHECK(result(Combination::subtract) == filtered(a.sets, std::not_fn(in_b)));
  });
  Budget budget;
  const Family one = made({{0}}, 1), two = made({{0}}, 2);
  CHECK_THROWS(InputError, combined(one, two, Combination::unite, budget));
}

TEST(marked_families_have_the_sets_whose_groups_are_wanted) {
  on_random([](Random& rng, const Example& e) {
    Budget budget;
    GroupMarkers marking;
    std::uint32_t groups = 0;
    for (Variable v = 0; v < e.variables; ++v) {
      if (v == 0 || below(rng, 2) == 0) {
        ++groups;
        marking.marker_of.push_back(marking.variables++);
      }
      marking.group_of.push_back(groups - 1);
      marking.renamed.push_back(marking.variables++);
    }
    const Example wanted = random_example(rng, groups);
    Sets expected;
    for (const Members& members : e.sets) {
      Members own, renamed;
      for (const Variable v : members) {
        const Variable group = marking.group_of[v];
        if (own.empty() || own.back() != group) {
          own.push_back(group);
          renamed.push_back(marking.marker_of[group]);
        }
        renamed.push_back(marking.renamed[v]);
      }
      if (wanted.sets.contains(own))
        expected.insert(renamed);
    }
    const Family found = marked(e.family, marking, wanted.family, budget);
    validate(found);
    CHECK(listed(found) == expected);
  });
}

TEST(one_of_each_group_is_kept) {
  on_random([](Random& rng, const Example& e) {
    Budget budget;
    std::vector<Variable> group_of;
    for (Variable v = 0; v < e.variables; ++v)
      group_of.push_back(v == 0 ? 0 : group_of.back() + below(rng, 2));
    const Sets expected = filtered(e.sets, [&](const Members& members) {
      const auto same = [&](Variable a, Variable b) { return group_of[a] == group_of[b]; };
      return std::adjacent_find(members.begin(), members.end(), same) == members.end();
    });
    CHECK(listed(one_of_each(e.family, group_of, budget)) == expected);
  });
}

TEST(sizes_count_the_flagged_variables) {
  on_random([](Random& rng, const Example& e) {
    Budget budget;
    const std::vector<bool> counted = random_flags(rng, e.variables);
    std::vector<std::uint64_t> expected(e.variables + 1, 0), found(e.variables + 1, 0);
    for (const Members& members : e.sets)
      ++expected[static_cast<std::size_t>(
          std::count_if(members.begin(), members.end(), [&](Variable v) { return counted[v]; }))];
    const auto histogram = sizes(e.family, counted, budget);
    for (std::size_t size = 0; size < histogram.size(); ++size)
      found[size] = number(histogram[size]);
    CHECK(found == expected);
  });
}

TEST(enumeration_gives_every_set_once_cheapest_first_and_cheapest_those_of_least_cost) {
  on_random([](Random& rng, const Example& e) {
    std::vector<double> costs;
    for (Variable v = 0; v < e.variables; ++v)
      costs.push_back(below(rng, 9) / 4.0);
    Enumeration enumeration(e.family, priced(costs));
    Sets found;
    double before = -std::numeric_limits<double>::infinity();
    while (const auto members = enumeration.next()) {
      CHECK(paid(*members, costs) >= before);
      before = paid(*members, costs);
      CHECK(found.insert(*members).second);
    }
    CHECK(found == e.sets && !enumeration.next());
    double least = std::numeric_limits<double>::infinity();
    for (const Members& members : e.sets)
      least = std::min(least, paid(members, costs));
    Budget budget;
    const Sets cheap =
        filtered(e.sets, [&](const Members& members) { return paid(members, costs) == least; });
    CHECK(listed(cheapest(e.family, priced(costs), budget)) == cheap);
  });
}
