// test_relaxation.cpp: bounds of sums of trees, beside the sums of every instance.
#include "tests/forest/leaf_tables.hpp"
#include "tests/support/harness.hpp"

#include <cstdio>
#include <set>

using namespace reasons;
using namespace reasons::forest;
using namespace reasons::testing;

namespace {

/// What a wrong sweep could do to a relaxation.
struct Planted : Relaxation {
  /// The prices of a feature's values add up to more than nothing.
  static bool dearer(Relaxation& relaxation) {
    if ((relaxation.*&Planted::slots_).empty())
      return false;
    const auto& slot = (relaxation.*&Planted::slots_)[0];
    for (std::uint32_t c = slot.first_class; c < slot.first_class + slot.classes; ++c)
      (relaxation.*&Planted::price_)[c] += 1;
    (relaxation.*&Planted::add_costs)();
    return true;
  }
  /// A value is closed that need not be.
  static bool closed(Relaxation& relaxation) {
    const auto found = std::ranges::find((relaxation.*&Planted::open_), true);
    if (found == (relaxation.*&Planted::open_).end())
      return false;
    *found = false;
    return true;
  }
  /// A leaf admits a class more than it should.
  static bool misplaced(Relaxation& relaxation) {
    for (auto& entry : (relaxation.*&Planted::entries_))
      if (entry.begin > 0) {
        --entry.begin;
        return true;
      }
    return false;
  }
};

using Value = Relaxation::Value;

/// A relaxation beside the instances that it speaks of, each with its sum.
class Checked {
public:
  Checked(const LeafTable& table, const std::vector<std::pair<Instance, Value>>& inside,
          const Instance& like, Value limit)
      : table_(table), limit_(limit), inside_(inside), relaxation(table, like) {}

  void restrict(const Box& part) {
    Box allowed = whole_box({});
    for (std::size_t f = 0; f < relaxation.features(); ++f) {
      allowed.emplace_back(relaxation.values(f), false);
      for (std::size_t v = 0; v < relaxation.values(f); ++v)
        allowed[f][v] =
            relaxation.is_open(f, v) && part[relaxation.feature(f)][relaxation.first_cell(f, v)];
      if (std::ranges::count(allowed[f], true) == 0)
        for (std::size_t v = 0; v < relaxation.values(f); ++v)
          allowed[f][v] = relaxation.is_open(f, v);
    }
    std::erase_if(inside_, [&](const auto& each) {
      for (std::size_t f = 0; f < relaxation.features(); ++f)
        if (!allowed[f][value_of(f, each.first)])
          return true;
      return false;
    });
    for (const auto& values : allowed)
      if (std::ranges::count(values, true) == 0)
        return; // nothing is open
    relaxation = relaxation.restricted(allowed);
  }

  /// The first thing that is not as it should be, or nothing.
  const char* wrong() {
    const Value least = least_sum([](const Instance&) { return true; });
    if (least <= limit_ && relaxation.bound() > least)
      return "the bound";
    for (std::size_t f = 0; f < relaxation.features(); ++f)
      for (std::size_t v = 0; v < relaxation.values(f); ++v) {
        const auto with = [&](const Instance& x) { return value_of(f, x) == v; };
        if (!relaxation.is_open(f, v) && least_sum(with) <= limit_)
          return "a closed value";
      }
    if (relaxation.bound() <= limit_) {
      if (const char* found = wrong_descent())
        return found;
      return wrong_gains();
    }
    return nullptr;
  }

  std::size_t closed() const {
    std::size_t found = 0;
    for (std::size_t f = 0; f < relaxation.features(); ++f)
      for (std::size_t v = 0; v < relaxation.values(f); ++v)
        found += !relaxation.is_open(f, v);
    return found;
  }

private:
  const LeafTable& table_;
  Value limit_;
  std::vector<std::pair<Instance, Value>> inside_;

  std::size_t value_of(std::size_t f, const Instance& instance) const {
    std::size_t v = relaxation.values(f) - 1;
    while (v > 0 && relaxation.first_cell(f, v) > instance[relaxation.feature(f)])
      --v;
    return v;
  }

  Value least_sum(const auto& holds) const {
    Value least = Relaxation::none;
    for (const auto& [instance, sum] : inside_)
      if (holds(instance))
        least = std::min(least, sum);
    return least;
  }

  const char* wrong_descent() const {
    std::vector<std::uint32_t> choice;
    const Value sum = relaxation.descend(choice);
    const Instance cells = relaxation.cells(choice);
    if (sum != sum_of(table_, cells))
      return "the sum of a choice";
    for (const auto& [instance, least] : inside_)
      if (instance == cells)
        return nullptr;
    return "a choice outside of the box";
  }

  const char* wrong_gains() {
    std::vector<Value> below, from;
    for (std::size_t f = 0; f < relaxation.features(); ++f) {
      relaxation.gains(f, below, from);
      for (std::size_t v = 1; v < relaxation.values(f); ++v) {
        const Value before = least_sum([&](const Instance& x) { return value_of(f, x) < v; });
        const Value after = least_sum([&](const Instance& x) { return value_of(f, x) >= v; });
        if ((before <= limit_ && relaxation.bound() + below[v] > before) ||
            (after <= limit_ && relaxation.bound() + from[v] > after))
          return "a gain";
        if (below[v] < 0 || from[v] < 0)
          return "a gain below nothing";
      }
    }
    return nullptr;
  }

public:
  Relaxation relaxation;
};

struct Met {
  std::size_t raised = 0, closed = 0, refuted = 0, wide = 0;
};

/// Restricts and sweeps at random; calls `damage` after each sweep. What is wrong, or nothing.
const char* first_wrong(std::uint32_t seed, Met& met, const auto& damage) {
  Rng rng(seed + 1);
  TableGrower grower(seed);
  const LeafTable table = grower.table();
  std::vector<std::pair<Instance, Value>> inside;
  std::vector<Value> sums;
  for (Instance& instance : all_instances(grower.domains))
    if (contains(grower.box(), instance)) {
      sums.push_back(sum_of(table, instance));
      inside.emplace_back(std::move(instance), sums.back());
    }
  std::ranges::sort(sums);
  const Value unlimited = Relaxation::none - 1, some = sums[rng() % sums.size()];
  const Value limit = rng() % 3 == 0 || some >= Relaxation::none ? unlimited : some - rng() % 2;
  Instance like;
  for (const std::uint32_t cells : grower.domains)
    like.push_back(static_cast<Cell>(rng() % cells));
  Checked checked(table, inside, like, limit);
  met.wide += grower.domains[0] > 64;
  for (int step = 0; step < 4; ++step) {
    for (std::uint32_t sweeps = rng() % 4; sweeps > 0; --sweeps) {
      const Value before = checked.relaxation.bound();
      checked.relaxation.sweep(limit);
      met.raised += checked.relaxation.bound() > before;
      damage(checked.relaxation);
      if (const char* found = checked.wrong())
        return found;
    }
    met.closed += checked.closed();
    met.refuted += checked.relaxation.bound() > limit;
    checked.restrict(random_part(whole_box(grower.domains), rng));
    if (const char* found = checked.wrong())
      return found;
  }
  return nullptr;
}

} // namespace

TEST(the_bound_of_a_relaxation_is_below_every_sum_in_its_box) {
  Met met;
  for (std::uint32_t seed = 0; seed < 3000; ++seed) {
    const char* found = first_wrong(seed, met, [](Relaxation&) {});
    if (found != nullptr)
      std::printf("seed %u: %s\n", seed, found);
    CHECK(found == nullptr);
  }
  CHECK(met.raised > 400 && met.closed > 400 && met.refuted > 50 && met.wide > 50);
}

TEST(damaged_relaxations_are_noticed) {
  const auto what = [](bool (*damage)(Relaxation&)) {
    std::set<std::string> found;
    Met met;
    for (std::uint32_t seed = 0; seed < 300; ++seed)
      if (const char* wrong = first_wrong(seed, met, damage))
        found.insert(wrong);
    return found;
  };
  CHECK(what(&Planted::dearer).contains("the bound"));
  CHECK(what(&Planted::closed).contains("a closed value"));
  CHECK(what(&Planted::misplaced).contains("the sum of a choice"));
}
