// test_large_family.cpp: families that cannot be listed, and arrays that are none.
//
// Counts of several limbs have closed forms; what is no diagram is refused.
#include "base/error.hpp"
#include "tests/support/harness.hpp"
#include "tests/zdd/costs.hpp"
#include "zdd/family.hpp"

#include <bit>
#include <random>

using namespace reasons;
using namespace reasons::zdd;

namespace {

using Limbs = std::vector<std::uint64_t>;

/// The subsets of some variables whose size has a remainder modulo a number.
Family subsets(std::uint32_t variables, std::uint32_t modulus, std::uint32_t remainder) {
  Budget budget;
  NodeTable<ZddRule> diagram(budget);
  std::vector<std::uint32_t> nodes(modulus, 0);
  nodes[remainder] = 1; // nodes[r]: what may follow when the size so far is r
  for (Variable v = variables; v-- > 0;) {
    std::vector<std::uint32_t> above(modulus);
    for (std::uint32_t r = 0; r < modulus; ++r)
      above[r] = diagram.make(v, nodes[r], nodes[(r + 1) % modulus]);
    nodes = above;
  }
  return frozen(diagram, nodes[0], variables);
}

Limbs trimmed(std::span<const std::uint64_t> limbs) {
  Limbs result(limbs.begin(), limbs.end());
  while (!result.empty() && result.back() == 0)
    result.pop_back();
  return result;
}

Limbs power_of_two(std::uint32_t exponent) {
  Limbs result(exponent / 64 + 1, 0);
  result.back() = std::uint64_t{1} << (exponent % 64);
  return result;
}

Limbs sum(const Limbs& a, const Limbs& b) {
  Limbs result(std::max(a.size(), b.size()) + 1, 0);
  unsigned carry = 0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::uint64_t x = i < a.size() ? a[i] : 0, y = i < b.size() ? b[i] : 0;
    result[i] = x + y + carry;
    carry = result[i] < x || (carry != 0 && result[i] == x) ? 1 : 0;
  }
  return trimmed(result);
}

/// Row n of Pascal's triangle.
std::vector<Limbs> binomials(std::uint32_t n) {
  std::vector<Limbs> row{{1}};
  for (std::uint32_t i = 0; i < n; ++i) {
    std::vector<Limbs> next{{1}};
    for (std::size_t k = 1; k < row.size(); ++k)
      next.push_back(sum(row[k - 1], row[k]));
    next.push_back({1});
    row = std::move(next);
  }
  return row;
}

std::vector<bool> only(std::uint32_t variables, std::initializer_list<Variable> chosen) {
  std::vector<bool> flags(variables, false);
  for (const Variable v : chosen)
    flags[v] = true;
  return flags;
}

} // namespace

TEST(all_subsets_are_counted_across_the_borders_of_limbs) {
  for (const std::uint32_t n : {1u, 62u, 63u, 64u, 65u, 127u, 128u, 129u, 1000u, 5000u}) {
    const Family every = subsets(n, 1, 0), even = subsets(n, 2, 0);
    validate(every);
    const SetCounts counts(every);
    CHECK(trimmed(counts.of(every.root)) == power_of_two(n));
    CHECK(trimmed(SetCounts(even).of(even.root)) == power_of_two(n - 1));
    CHECK(trimmed(count_without(every, counts, only(n, {0}))) == power_of_two(n - 1));
    CHECK(trimmed(count_without(every, counts, only(n, {n - 1}))) == power_of_two(n - 1));
    CHECK(trimmed(count_without(every, counts, only(n, {}))) == power_of_two(n));
  }
}

TEST(sizes_of_all_subsets_are_the_binomial_coefficients) {
  Budget budget;
  for (const std::uint32_t n : {5u, 71u, 150u}) {
    const auto found = sizes(subsets(n, 1, 0), std::vector<bool>(n, true), budget);
    const auto expected = binomials(n);
    CHECK(found.size() == expected.size());
    for (std::size_t k = 0; k < found.size(); ++k)
      CHECK(trimmed(found[k]) == expected[k]);
  }
}

TEST(sizes_keep_the_budget_of_bytes) {
  Budget small(Budget::unlimited, 10'000, std::numeric_limits<double>::infinity());
  CHECK_THROWS(BudgetExceeded, sizes(subsets(150, 1, 0), std::vector<bool>(150, true), small));
}

TEST(the_member_of_a_rank_beyond_64_bits_is_found) {
  // Of all subsets, those without a variable come first: a rank is the set in binary.
  constexpr std::uint32_t n = 200;
  const Family every = subsets(n, 1, 0);
  const SetCounts counts(every);
  std::mt19937_64 rng(3);
  for (int i = 0; i < 100; ++i) {
    Limbs rank{rng(), rng(), rng(), rng() & 0xFF};
    Members expected;
    for (Variable v = 0; v < n; ++v)
      if (rank[(n - 1 - v) / 64] >> ((n - 1 - v) % 64) & 1)
        expected.push_back(v);
    CHECK(member_at(every, counts, rank) == expected);
    CHECK(contains(every, expected));
  }
  CHECK_THROWS(InputError, member_at(every, counts, power_of_two(n)));
}

TEST(large_families_are_combined_and_restricted_without_listing_them) {
  Budget budget;
  constexpr std::uint32_t n = 300;
  const Family even = subsets(n, 2, 0), odd = subsets(n, 2, 1), every = subsets(n, 1, 0);
  const Family both = combined(even, odd, Combination::unite, budget);
  CHECK(both.size() == every.size());
  CHECK(combined(both, every, Combination::subtract, budget).root == 0);
  CHECK(combined(even, odd, Combination::intersect, budget).root == 0);
  const Family rest = combined(every, even, Combination::subtract, budget);
  CHECK(rest.size() == odd.size());
  CHECK(trimmed(SetCounts(rest).of(rest.root)) == power_of_two(n - 1));
  const Family without = restricted(even, only(n, {7, 9}), false, budget);
  CHECK(trimmed(SetCounts(without).of(without.root)) == power_of_two(n - 3));
}

TEST(the_first_members_of_a_large_family_come_cheapest_first) {
  constexpr std::uint32_t n = 2000;
  Enumeration enumeration(subsets(n, 3, 1), priced(std::vector<double>(n, 1.0)));
  for (int i = 0; i < 500; ++i) {
    const auto members = enumeration.next();
    CHECK(members && members->size() == 1);
  }
}

TEST(a_family_of_the_empty_set_is_not_the_empty_family) {
  Budget budget;
  const Family nothing = family_of({}, 3, budget), empty = family_of({{}}, 3, budget);
  CHECK(nothing.root == 0 && empty.root == 1 && nothing.nodes.empty() && empty.nodes.empty());
  validate(nothing);
  validate(empty);
  CHECK(!contains(nothing, {}) && contains(empty, {}) && !contains(empty, {1}));
  CHECK(trimmed(SetCounts(nothing).of(0)).empty());
  CHECK(trimmed(SetCounts(empty).of(1)) == Limbs{1});
  CHECK(!Enumeration(nothing, priced({1, 1, 1})).next());
  CHECK(Enumeration(empty, priced({1, 1, 1})).next() == Members{});
  CHECK(sizes(empty, {true, true, true}, budget).size() == 1);
  CHECK(cheapest(nothing, priced({1, 1, 1}), budget).root == 0);
  CHECK(restricted(empty, {true, true, true}, false, budget).root == 1);
  CHECK(restricted(empty, {true, true, true}, true, budget).root == 0);
}

TEST(arrays_that_are_no_diagram_are_refused) {
  const auto refuses = [](std::vector<DiagramNode> nodes, std::uint32_t root) {
    CHECK_THROWS(InputError, (validate(Family{2, std::move(nodes), root}), 0));
  };
  validate(Family{2, {{1, 0, 1}, {0, 2, 1}}, 3});
  refuses({{0, 2, 1}}, 2);            // its own input
  refuses({{0, 7, 1}}, 2);            // an input that does not exist
  refuses({{0, 0, 7}}, 2);            // another
  refuses({{0, 1, 0}}, 2);            // superfluous
  refuses({{2, 0, 1}}, 2);            // a variable that does not exist
  refuses({{no_variable, 0, 1}}, 2);  // one that stands for terminals
  refuses({{1, 0, 1}, {1, 0, 2}}, 3); // a variable twice
  refuses({{0, 0, 1}, {1, 2, 1}}, 3); // against the order
  refuses({{0, 0, 1}}, 3);            // no root
}

TEST(random_arrays_are_refused_or_answer) {
  // What passes the validation must be safe to ask, reduced or not.
  std::mt19937 rng(11);
  const auto any = [&](std::uint32_t bound) { return static_cast<std::uint32_t>(rng() % bound); };
  int taken = 0;
  for (int i = 0; i < 20'000; ++i) {
    Family family{3, {}, any(6)};
    for (std::uint32_t left = any(5); left > 0; --left)
      family.nodes.push_back({any(4), any(6), any(6)});
    try {
      validate(family);
    } catch (const InputError&) {
      continue;
    }
    ++taken;
    Budget budget;
    const SetCounts counts(family);
    const std::uint64_t count = counts.of(family.root)[0];
    Enumeration enumeration(family, priced({1, 1, 1}));
    std::uint64_t found = 0;
    while (const auto members = enumeration.next()) {
      CHECK(contains(family, *members));
      ++found;
    }
    CHECK(found == count && count <= 8);
    CHECK(combined(family, family, Combination::subtract, budget).root == 0);
  }
  CHECK(taken > 1000);
}
