// relaxation.cpp: min-sum diffusion: sweeps that raise the bound.
#include "forest/bound/relaxation.hpp"

#include <algorithm>
#include <utility>

namespace reasons::forest {
namespace {

using Value = Relaxation::Value;

constexpr Value enough = Value{1} << 45;  // a gain that refutes, small enough to be added up
constexpr std::uint32_t few_classes = 16; // of a slot: ranges of them are scanned

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
  const auto rest = std::span(rest_).subspan(slot.first_class, slot.classes);
  const bool few = slot.classes <= few_classes;
  RangeLower<Value>& lowered = work_->lowered;
  if (few)
    std::ranges::fill(rest, none);
  else
    lowered.reset(slot.classes, none);
  Value of_all = none; // of the leaves that admit every class
  const Value* cost = cost_.data() + tree.first_leaf;
  std::uint32_t i = 0, e = slot.first_entry;
  const std::uint32_t last = e + slot.entries;
  while (e < last) {
    const std::uint32_t leaf = entries_[e].leaf;
    for (; i < leaf; ++i)
      of_all = std::min(of_all, cost[i]);
    ++i;
    if (cost[leaf] >= none) {
      e = leaf_end(slot, e);
      continue;
    }
    const Value left = cost[leaf] - entry_price_[e];
    do {
      const Entry& entry = entries_[e];
      if (few)
        for (std::uint32_t c = entry.begin; c < entry.end; ++c)
          rest[c] = std::min(rest[c], left);
      else
        lowered.lower(entry.begin, entry.end, left);
      ++e;
    } while (e < last && entries_[e].leaf == leaf);
  }
  for (; i < tree.leaves; ++i)
    of_all = std::min(of_all, cost[i]);
  if (!few)
    lowered.finish(rest);
  if (of_all < none)
    for (Value& each : rest)
      each = std::min(each, of_all - slot.least);
}

/// New prices from the shares and `rest_`; the costs of the leaves and the tree's least follow.
void Relaxation::reprice(Slot& slot) {
  Tree& tree = trees_[slot.tree];
  const Value least_before = slot.least;
  const auto prices = std::span(price_).subspan(slot.first_class, slot.classes);
  slot.least = none;
  for (std::uint32_t c = 0; c < slot.classes; ++c) {
    const Value share =
        work_->least_share.least(class_first_[slot.first_class + c], class_end(slot, c));
    const Value rest = rest_[slot.first_class + c];
    prices[c] = share >= none || rest >= none ? none : share - rest;
    slot.least = std::min(slot.least, prices[c]);
  }
  work_->least_price.reset(prices);
  tree.least = none;
  Value* cost = cost_.data() + tree.first_leaf;
  const Value all = slot.least >= none ? none : slot.least - least_before;
  std::uint32_t i = 0, e = slot.first_entry;
  const std::uint32_t last = e + slot.entries;
  const auto unlimited_until = [&](std::uint32_t leaf) {
    for (; i < leaf; ++i) {
      if (cost[i] < none)
        cost[i] = all >= none ? none : cost[i] + all;
      tree.least = std::min(tree.least, cost[i]);
    }
  };
  while (e < last) {
    const std::uint32_t leaf = entries_[e].leaf, first = e;
    unlimited_until(leaf);
    ++i;
    Value now = none;
    do {
      now = std::min(now, work_->least_price.least(entries_[e].begin, entries_[e].end));
      ++e;
    } while (e < last && entries_[e].leaf == leaf);
    if (cost[leaf] < none)
      cost[leaf] = now >= none ? none : cost[leaf] - entry_price_[first] + now;
    std::fill(entry_price_.begin() + first, entry_price_.begin() + e, now);
    tree.least = std::min(tree.least, cost[leaf]);
  }
  unlimited_until(tree.leaves);
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
  auto& [total, shares, gain, dead, least_share, least_price, lowered] = *work_;
  total.assign(feature.values + 1, 0);
  dead.assign(feature.values + 1, 0);
  for (const std::uint32_t s : slots) {
    const Slot& slot = slots_[s];
    base -= trees_[slot.tree].least;
    find_rest(slot);
    Value last = 0;
    std::int32_t was_dead = 0;
    for (std::uint32_t c = slot.first_class; c < slot.first_class + slot.classes; ++c) {
      const std::int32_t is_dead = rest_[c] >= none;
      const Value now = is_dead ? 0 : rest_[c];
      total[class_first_[c]] += now - last;
      dead[class_first_[c]] += is_dead - was_dead;
      last = now;
      was_dead = is_dead;
    }
  }
  const auto parts = static_cast<Value>(slots.size());
  shares.resize(feature.values);
  Value sum = 0;
  std::int32_t dead_now = 0;
  for (std::uint32_t v = 0; v < feature.values; ++v) {
    sum += total[v];
    dead_now += dead[v];
    const Value with = dead_now > 0 ? none : base + sum;
    value_bound_[feature.first_value + v] = with;
    if (with > limit)
      open_[feature.first_value + v] = false;
    shares[v] = open_[feature.first_value + v] ? share_of(sum, parts) : none;
  }
  least_share.reset(shares);
  for (const std::uint32_t s : slots)
    reprice(slots_[s]);
}

void Relaxation::sweep(Value limit) {
  for (std::size_t i = 0; i < features_.size() && bound() <= limit; ++i) {
    const std::size_t f = backwards_ ? features_.size() - 1 - i : i;
    if (features_[f].slots > 0)
      sweep(f, limit);
  }
  backwards_ = !backwards_;
}

void Relaxation::gains(std::size_t f, std::vector<Value>& below, std::vector<Value>& from) {
  const Feature& feature = features_[f];
  below.assign(feature.values + 1, 0);
  from.assign(feature.values + 1, 0);
  std::vector<Value>& gain = work_->gain;
  for (const std::uint32_t s : std::span(slot_order_).subspan(feature.first_slot, feature.slots)) {
    const Slot& slot = slots_[s];
    find_rest(slot);
    const Value least = trees_[slot.tree].least;
    const auto cost = [&](std::uint32_t k) { // of a leaf for the values of a class
      const std::uint32_t c = slot.first_class + k;
      return price_[c] >= none || rest_[c] >= none ? none : price_[c] + rest_[c];
    };
    const auto gain_of = [&](Value low) { return std::min(low - least, enough); };
    const std::uint32_t* first = class_first_.data() + slot.first_class;
    // differences first, added up below
    Value low = none, last = 0;
    for (std::uint32_t k = 0; k < slot.classes; ++k) {
      low = std::min(low, cost(k));
      below[first[k] + 1] += gain_of(low) - std::exchange(last, gain_of(low));
    }
    low = none;
    gain.resize(slot.classes);
    for (std::uint32_t k = slot.classes; k-- > 0;)
      gain[k] = gain_of(low = std::min(low, cost(k)));
    last = 0;
    for (std::uint32_t k = 0; k < slot.classes; ++k)
      from[first[k]] += gain[k] - std::exchange(last, gain[k]);
  }
  for (std::uint32_t v = 1; v <= feature.values; ++v) {
    below[v] += below[v - 1];
    from[v] += from[v - 1];
  }
}

} // namespace reasons::forest
