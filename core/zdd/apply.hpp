// apply.hpp: apply: binary operations on BDDs and ZDDs, without recursion (Bryant 1986).
#pragma once

#include "zdd/node_table.hpp"

#include <algorithm>
#include <utility>

namespace reasons::zdd {

using BddTable = NodeTable<BddRule>;
using ZddTable = NodeTable<ZddRule>;

/// What is left to do below one pair of nodes.
struct Cofactors {
  Variable variable = 0;
  std::uint32_t low_a = 0, low_b = 0, high_a = 0, high_b = 0;
  bool keeps_high = false; ///< the high result is high_a, as it stands
  bool skips = false;      ///< the result is the low result
};

/// Conjunction of two binary diagrams; with the constants swapped, disjunction.
struct Conjunction {
  static constexpr std::uint32_t op = 1;
  const BddTable& diagram;
  std::uint32_t neutral = 1, absorbing = 0;

  static void normalise(std::uint32_t& a, std::uint32_t& b) {
    if (a > b)
      std::swap(a, b);
  }
  bool is_known(std::uint32_t a, std::uint32_t b, std::uint32_t& result) const {
    if (a == absorbing || b == absorbing)
      result = absorbing;
    else if (a == neutral || a == b)
      result = b;
    else if (b == neutral)
      result = a;
    else
      return false;
    return true;
  }
  [[nodiscard]] Cofactors cofactors(std::uint32_t a, std::uint32_t b) const {
    const DiagramNode &x = diagram[a], &y = diagram[b];
    const Variable top = std::min(x.variable, y.variable);
    const bool in_x = x.variable == top, in_y = y.variable == top;
    return {top, in_x ? x.low : a, in_y ? y.low : b, in_x ? x.high : a, in_y ? y.high : b};
  }
};

struct Disjunction : Conjunction {
  static constexpr std::uint32_t op = 2;
  explicit Disjunction(const BddTable& within) : Conjunction{within, 0, 1} {}
};

/// What the three operations on families share.
struct FamilyStep {
  const ZddTable& diagram;
  [[nodiscard]] Variable top(std::uint32_t a) const { return diagram[a].variable; }
  [[nodiscard]] Cofactors both(std::uint32_t a, std::uint32_t b) const {
    return {top(a), diagram[a].low, diagram[b].low, diagram[a].high, diagram[b].high};
  }
  [[nodiscard]] Cofactors only(std::uint32_t a, std::uint32_t b) const {
    return {top(a), diagram[a].low, b, diagram[a].high, 0, true, false};
  }
};

/// The sets of the first family that are not in the second.
struct Difference : FamilyStep {
  static constexpr std::uint32_t op = 3;
  static void normalise(std::uint32_t&, std::uint32_t&) {}
  static bool is_known(std::uint32_t a, std::uint32_t b, std::uint32_t& result) {
    if (a != 0 && b != 0 && a != b)
      return false;
    result = b == 0 ? a : 0;
    return true;
  }
  [[nodiscard]] Cofactors cofactors(std::uint32_t a, std::uint32_t b) const {
    if (top(a) < top(b))
      return only(a, b);
    if (top(b) < top(a))
      return {top(b), a, diagram[b].low, 0, 0, true, true};
    return both(a, b);
  }
};

/// The sets of either family.
struct Union : FamilyStep {
  static constexpr std::uint32_t op = 4;
  static void normalise(std::uint32_t& a, std::uint32_t& b) { Conjunction::normalise(a, b); }
  static bool is_known(std::uint32_t a, std::uint32_t b, std::uint32_t& result) {
    if (a != 0 && b != 0 && a != b)
      return false;
    result = a == 0 ? b : a;
    return true;
  }
  [[nodiscard]] Cofactors cofactors(std::uint32_t a, std::uint32_t b) const {
    if (top(a) == top(b))
      return both(a, b);
    return top(a) < top(b) ? only(a, b) : only(b, a);
  }
};

/// The sets of both families.
struct Intersection : FamilyStep {
  static constexpr std::uint32_t op = 5;
  static void normalise(std::uint32_t& a, std::uint32_t& b) { Conjunction::normalise(a, b); }
  static bool is_known(std::uint32_t a, std::uint32_t b, std::uint32_t& result) {
    if (a != 0 && b != 0 && a != b)
      return false;
    result = a == b ? a : 0;
    return true;
  }
  [[nodiscard]] Cofactors cofactors(std::uint32_t a, std::uint32_t b) const {
    if (top(a) == top(b))
      return both(a, b);
    if (top(a) < top(b))
      return {top(a), diagram[a].low, b, 0, 0, true, true};
    return {top(b), a, diagram[b].low, 0, 0, true, true};
  }
};

/// The result of an operation on two nodes, by recursion on the variables without the
/// machine's stack.
template <class Rule, class Step>
std::uint32_t apply(NodeTable<Rule>& diagram, const Step& step, std::uint32_t a, std::uint32_t b) {
  struct Frame {
    std::uint32_t a, b;
    Cofactors cofactors;
    std::uint32_t low = 0;
    bool has_low = false;
  };
  std::vector<Frame> frames;
  std::uint32_t result = 0;
  // True if the result is there at once; otherwise a frame was opened for it.
  const auto settles = [&](std::uint32_t x, std::uint32_t y) {
    step.normalise(x, y);
    if (step.is_known(x, y, result))
      return true;
    result = diagram.recall(Step::op, x, y);
    if (result != NodeTable<Rule>::unknown)
      return true;
    diagram.tick();
    frames.push_back({x, y, step.cofactors(x, y)});
    return false;
  };
  bool fresh = !settles(a, b); // the newest frame has not asked for its low result yet
  while (!frames.empty()) {
    if (fresh) {
      fresh = !settles(frames.back().cofactors.low_a, frames.back().cofactors.low_b);
      continue;
    }
    Frame& frame = frames.back();
    if (!frame.has_low) {
      frame.low = result;
      frame.has_low = true;
      if (frame.cofactors.keeps_high)
        result = frame.cofactors.high_a;
      else if (!settles(frame.cofactors.high_a, frame.cofactors.high_b)) {
        fresh = true;
        continue;
      }
    }
    const Frame done = frames.back();
    frames.pop_back();
    result =
        done.cofactors.skips ? done.low : diagram.make(done.cofactors.variable, done.low, result);
    diagram.remember(Step::op, done.a, done.b, result);
  }
  return result;
}

} // namespace reasons::zdd
