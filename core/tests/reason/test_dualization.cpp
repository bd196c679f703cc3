// test_dualization.cpp: minimal transversals of edges told one by one, beside every subset.
#include "base/error.hpp"
#include "reason/dualization.hpp"
#include "reason/planted/dualization.hpp"
#include "tests/support/harness.hpp"
#include "tests/support/random_circuit.hpp"

#include <algorithm>
#include <bit>
#include <set>

using namespace reasons;
using namespace reasons::reason;
using namespace reasons::testing;

namespace {

using Subset = std::uint32_t;
using Subsets = std::set<Subset>;

Subsets minimal(const Subsets& sets) {
  Subsets found;
  for (const Subset s : sets)
    if (std::ranges::none_of(sets, [&](Subset t) { return t != s && (t & s) == t; }))
      found.insert(s);
  return found;
}

/// Edges of which none includes another; sometimes none, and sometimes the empty one alone.
Subsets random_edges(unsigned elements, Rng& rng) {
  Subsets edges;
  for (std::uint32_t i = rng() % 40; i > 0; --i) {
    Subset edge = 0;
    for (std::uint32_t size = rng() % 200 == 0 ? 0 : 2 + rng() % 5; size > 0; --size)
      edge |= Subset{1} << rng() % elements;
    edges.insert(edge);
  }
  return minimal(edges);
}

Subsets transversals(unsigned elements, const Subsets& edges) {
  Subsets found;
  for (Subset s = 0; s < Subset{1} << elements; ++s)
    if (std::ranges::all_of(edges, [&](Subset edge) { return (edge & s) != 0; }))
      found.insert(s);
  return minimal(found);
}

std::vector<std::uint32_t> members(Subset s) {
  std::vector<std::uint32_t> found;
  for (; s != 0; s &= s - 1)
    found.push_back(static_cast<std::uint32_t>(std::countr_zero(s)));
  return found;
}

/// The transversals accepted, if each is proposed once and all edges are asked for.
template <class Duals>
Subsets dualized(unsigned elements, const Subsets& edges, unsigned known, Rng& rng) {
  Duals duals(elements);
  Subsets accepted, told;
  for (const Subset edge : edges)
    if (known-- > 0) {
      duals.add_edge(members(edge));
      told.insert(edge);
    } else
      break;
  Budget budget;
  while (const auto proposed = duals.next(budget)) {
    Subset s = 0;
    for (const auto v : *proposed)
      s |= Subset{1} << v;
    std::vector<Subset> missed;
    std::ranges::copy_if(edges, std::back_inserter(missed), [&](Subset e) { return !(e & s); });
    if (missed.empty()) {
      CHECK(accepted.insert(s).second);
      duals.accept();
      continue;
    }
    const Subset edge = missed[rng() % missed.size()];
    CHECK(told.insert(edge).second);
    duals.add_edge(members(edge));
  }
  return accepted;
}

} // namespace

TEST(dualization_finds_every_minimal_transversal_once) {
  std::size_t mistakes = 0, many = 0;
  for (std::uint32_t seed = 0; seed < 3000; ++seed) {
    Rng rng(seed);
    const unsigned elements = 1 + rng() % 11;
    const Subsets edges = random_edges(elements, rng);
    const Subsets expected = transversals(elements, edges);
    const unsigned known = rng() % 2 == 0 ? 0 : rng() % 5;
    many += expected.size() > 10;
    CHECK(dualized<Dualization>(elements, edges, known, rng) == expected);
    mistakes += dualized<planted::Dualization>(elements, edges, known, rng) != expected;
  }
  CHECK(many > 100);
  CHECK(mistakes > 0); // elements left out of later branches are noticed
}

TEST(dualization_grows_beyond_a_word_of_edges_and_elements) {
  // 140 elements are in every transversal; of five pairs it has one each
  constexpr std::uint32_t elements = 150;
  Dualization duals(elements);
  Budget budget;
  std::size_t accepted = 0;
  const auto missed = [&](const std::vector<std::uint32_t>& set) {
    std::vector<std::uint32_t> edge;
    for (std::uint32_t v = 0; v < 140 && edge.empty(); ++v)
      if (!std::ranges::binary_search(set, v))
        edge = {v};
    for (std::uint32_t v = 140; v < elements && edge.empty(); v += 2)
      if (!std::ranges::binary_search(set, v) && !std::ranges::binary_search(set, v + 1))
        edge = {v, v + 1};
    return edge;
  };
  while (const auto proposed = duals.next(budget)) {
    if (const auto edge = missed(*proposed); !edge.empty())
      duals.add_edge(edge);
    else {
      duals.accept();
      ++accepted;
    }
  }
  CHECK(accepted == 32);
  CHECK(duals.edges() == 145);
}

TEST(edges_that_a_proposal_meets_are_refused) {
  Dualization duals(3);
  duals.add_edge({0});
  Budget budget;
  CHECK(duals.next(budget) == std::vector<std::uint32_t>{0});
  CHECK_THROWS(InputError, duals.add_edge({0, 1}), 0);
  CHECK_THROWS(InputError, duals.add_edge({3}), 0);
}
