// relaxation.cpp: min-sum diffusion: sweeps that raise the bound.
#include "forest/bound/relaxation.hpp"

#include <algorithm>
#include <utility>

namespace reasons::forest {
namespace {

using Value = Relaxation::Value;

constexpr Value enough = Value{1} << 45; // a gain that refutes, small enough to be added up

/// Rounded down, so that shares never add up to more than the whole.
Value share_of(Value total, Value parts) {
  const Value quotient = total / parts;
  return total % parts < 0 ? quotient - 1 : quotient;
}

} // namespace

Value Relaxation::bound() const {
  Value sum = fixed_;
  for (const Tree& tree : trees_) {
    if (tree.least >= none)
      return none;
    sum += tree.least;
  }
  if (sum >= none)
    return none;
  for (const Feature& feature : features_)
    sum += feature.folded;
  return sum;
}

/// For each class of the slot: the least cost of the leaves that admit it, without the slot's
/// own price.
void Relaxation::find_rest(const Slot& slot) {
  const Tree& tree = trees_[slot.tree];
  const auto rest = rest_.begin() + slot.first_class;
  std::fill(rest, rest + slot.classes, none);
  Value of_all = none; // of the leaves that admit every class
  std::uint32_t e = slot.first_entry;
  const std::uint32_t last = e + slot.entries;
  for (std::uint32_t i = 0; i < tree.leaves; ++i) {
    const Value cost = cost_[tree.first_leaf + i];
    if (e < last && entries_[e].leaf == i) {
      const Entry& entry = entries_[e++];
      if (cost >= none)
        continue;
      const Value left = cost - least_price(slot, entry);
      each_class(slot, entry, [&](std::uint32_t c) { rest_[c] = std::min(rest_[c], left); });
    } else if (cost < none) {
      of_all = std::min(of_all, cost - slot.least);
    }
  }
  for (auto r = rest; r != rest + slot.classes; ++r)
    *r = std::min(*r, of_all);
}

/// New prices from `lowest_` and `rest_`; the costs of the leaves and the tree's least follow.
void Relaxation::reprice(Slot& slot) {
  Tree& tree = trees_[slot.tree];
  own_.resize(slot.entries);
  for (std::uint32_t k = 0; k < slot.entries; ++k)
    own_[k] = least_price(slot, entries_[slot.first_entry + k]);
  const Value least_before = slot.least;
  for (std::uint32_t c = 0; c < slot.classes; ++c)
    price_[slot.first_class + c] = none;
  for (std::uint32_t r = slot.first_run; r < slot.first_run + slot.runs; ++r) {
    const std::uint32_t first = runs_[r].first, end = run_end(slot, r);
    const auto level = static_cast<std::size_t>(std::bit_width(end - first) - 1);
    const Value least =
        std::min(lowest_[level][first], lowest_[level][end - (std::uint32_t{1} << level)]);
    Value& price = price_[slot.first_class + runs_[r].of_class];
    price = std::min(price, least);
  }
  slot.least = none;
  for (std::uint32_t c = slot.first_class; c < slot.first_class + slot.classes; ++c) {
    price_[c] = price_[c] >= none || rest_[c] >= none ? none : price_[c] - rest_[c];
    slot.least = std::min(slot.least, price_[c]);
  }
  tree.least = none;
  std::uint32_t k = 0;
  for (std::uint32_t i = 0; i < tree.leaves; ++i) {
    Value& cost = cost_[tree.first_leaf + i];
    const bool limited = k < slot.entries && entries_[slot.first_entry + k].leaf == i;
    const Value before = limited ? own_[k] : least_before;
    const Value now = limited ? least_price(slot, entries_[slot.first_entry + k]) : slot.least;
    k += limited;
    if (cost < none)
      cost = now >= none ? none : cost - before + now;
    tree.least = std::min(tree.least, cost);
  }
}

void Relaxation::sweep(std::size_t f, Value limit) {
  Feature& feature = features_[f];
  const auto slots = std::span(slot_order_).subspan(feature.first_slot, feature.slots);
  Value base = fixed_;
  for (const Tree& tree : trees_)
    base += tree.least;
  for (const Feature& each : features_)
    base += each.folded;
  base -= feature.folded;
  feature.folded = 0;
  total_.assign(feature.values + 1, 0);
  dead_.assign(feature.values + 1, 0);
  for (const std::uint32_t s : slots) {
    const Slot& slot = slots_[s];
    base -= trees_[slot.tree].least;
    find_rest(slot);
    Value last = 0;
    std::int32_t was_dead = 0;
    for (std::uint32_t r = slot.first_run; r < slot.first_run + slot.runs; ++r) {
      const Value rest = rest_[slot.first_class + runs_[r].of_class];
      const std::int32_t is_dead = rest >= none;
      const Value now = is_dead ? 0 : rest;
      total_[runs_[r].first] += now - last;
      dead_[runs_[r].first] += is_dead - was_dead;
      last = now;
      was_dead = is_dead;
    }
  }
  const auto parts = static_cast<Value>(slots.size());
  if (lowest_.empty())
    lowest_.emplace_back();
  lowest_[0].resize(feature.values);
  Value total = 0;
  std::int32_t dead = 0;
  for (std::uint32_t v = 0; v < feature.values; ++v) {
    total += total_[v];
    dead += dead_[v];
    const Value with = dead > 0 ? none : base + total;
    value_bound_[feature.first_value + v] = with;
    if (with > limit)
      open_[feature.first_value + v] = false;
    lowest_[0][v] = open_[feature.first_value + v] ? share_of(total, parts) : none;
  }
  for (std::size_t level = 1; (std::uint32_t{1} << level) <= feature.values; ++level) {
    if (lowest_.size() <= level)
      lowest_.emplace_back();
    const std::uint32_t half = std::uint32_t{1} << (level - 1);
    lowest_[level].resize(feature.values);
    for (std::uint32_t v = 0; v + 2 * half <= feature.values; ++v)
      lowest_[level][v] = std::min(lowest_[level - 1][v], lowest_[level - 1][v + half]);
  }
  for (const std::uint32_t s : slots)
    reprice(slots_[s]);
}

void Relaxation::sweep(Value limit) {
  for (std::size_t f = 0; f < features_.size() && bound() <= limit; ++f)
    if (features_[f].slots > 0)
      sweep(f, limit);
}

void Relaxation::gains(std::size_t f, std::vector<Value>& below, std::vector<Value>& from) {
  const Feature& feature = features_[f];
  below.assign(feature.values + 1, 0);
  from.assign(feature.values + 1, 0);
  for (const std::uint32_t s : std::span(slot_order_).subspan(feature.first_slot, feature.slots)) {
    const Slot& slot = slots_[s];
    find_rest(slot);
    const Value least = trees_[slot.tree].least;
    const auto cost = [&](std::uint32_t r) { // of a leaf for the values of a run
      const std::uint32_t c = slot.first_class + runs_[r].of_class;
      return price_[c] >= none || rest_[c] >= none ? none : price_[c] + rest_[c];
    };
    const auto gain = [&](Value low) { return std::min(low - least, enough); };
    // differences first, added up below
    Value low = none, last = 0;
    for (std::uint32_t r = slot.first_run; r < slot.first_run + slot.runs; ++r) {
      low = std::min(low, cost(r));
      below[runs_[r].first + 1] += gain(low) - std::exchange(last, gain(low));
    }
    low = none;
    own_.resize(slot.runs);
    for (std::uint32_t k = slot.runs; k-- > 0;)
      own_[k] = gain(low = std::min(low, cost(slot.first_run + k)));
    last = 0;
    for (std::uint32_t k = 0; k < slot.runs; ++k)
      from[runs_[slot.first_run + k].first] += own_[k] - std::exchange(last, own_[k]);
  }
  for (std::uint32_t v = 1; v <= feature.values; ++v) {
    below[v] += below[v - 1];
    from[v] += from[v - 1];
  }
}

} // namespace reasons::forest
