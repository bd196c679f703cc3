#include "batch/propagation/ordered_propagate.hpp"

#include "batch/simd.hpp"

#include <algorithm>

namespace reasons::batch {
namespace {

using Edges = std::span<const LevelTable::Edge>;

REASONS_WIDE void pull_bad(const LevelTable& levels, std::size_t level, const RowMask* taking,
                           RowMask* bad) {
  for (std::size_t n = levels.begin(level); n < levels.end(level); ++n) {
    RowMask found;
    for (const auto [input, arm] : levels.inputs(n))
      found |= taking[arm] & bad[input];
    bad[n] = found;
  }
}

REASONS_WIDE void pull_reach(const LevelTable& levels, std::size_t level, const RowMask* taking,
                             RowMask* reach, std::uint8_t* met) {
  for (std::size_t n = levels.begin(level); n < levels.end(level); ++n) {
    RowMask found;
    for (const auto [user, arm] : levels.users(n))
      if (met[user])
        found |= taking[arm] & reach[user];
    reach[n] = found;
    met[n] = found.any();
  }
}

REASONS_WIDE RowMask meeting(const LevelTable& levels, std::size_t level, const RowMask* reach,
                             const RowMask* bad, const std::uint8_t* met) {
  RowMask failing;
  for (std::size_t n = levels.begin(level); n < levels.end(level); ++n) {
    if (!met[n])
      continue;
    RowMask found;
    for (const auto [input, arm] : levels.inputs(n))
      found |= bad[input];
    failing |= found & reach[n];
  }
  return failing;
}

} // namespace

OrderedPropagation::OrderedPropagation(const LevelTable& levels, Tile& tile)
    : levels_(levels), tile_(tile), reach_(levels.places()), bad_(levels.places()),
      met_(levels.places(), 0) {}

void OrderedPropagation::restart() {
  const auto arms = tile_.all_arms();
  taking_.assign(arms.begin(), arms.end());
  reach_[0] = tile_.asked();
  met_[0] = reach_[0].any();
  reach_to_ = 0;
  bad_from_ = levels_.count();
  for (std::size_t n = levels_.begin(bad_from_); n < levels_.end(bad_from_); ++n) {
    const LabelId label = levels_.label(n);
    bad_[n] = label == impossible_label ? RowMask{} : ~tile_.with_label(label);
  }
}

RowMask OrderedPropagation::failing_without(std::size_t level) {
  find_reach(level);
  find_bad(level + 1);
  return meeting(levels_, level, reach_.data(), bad_.data(), met_.data());
}

void OrderedPropagation::free(std::size_t level, const RowMask& rows) {
  for (const std::uint32_t arm : levels_.arms(level))
    taking_[arm] |= rows;
  reach_to_ = std::min(reach_to_, level);
  bad_from_ = std::max(bad_from_, level + 1);
}

void OrderedPropagation::find_reach(std::size_t level) {
  for (; reach_to_ < level; ++reach_to_)
    pull_reach(levels_, reach_to_ + 1, taking_.data(), reach_.data(), met_.data());
}

void OrderedPropagation::find_bad(std::size_t level) {
  for (; bad_from_ > level; --bad_from_)
    pull_bad(levels_, bad_from_ - 1, taking_.data(), bad_.data());
}

} // namespace reasons::batch
