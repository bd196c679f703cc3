// group_markers.cpp: families with markers: each set also names the groups of its variables.
#include "base/error.hpp"
#include "zdd/apply.hpp"
#include "zdd/family.hpp"

#include <algorithm>
#include <unordered_map>

namespace reasons::zdd {
namespace {

/// A walk over a family and a family of its groups at once. Within a group a walk is
/// `barred` (no variable of it may come), `due` (one must), or `met` (one has come);
/// between groups it is `fresh`.
class Marker {
public:
  Marker(const Family& family, const GroupMarkers& marking, const Family& groups, Budget& budget)
      : family_(family), marking_(marking), groups_(groups), diagram_(budget) {}

  Family run() {
    const State root{family_.root, groups_.root, Mode::fresh};
    std::vector<State> open{root};
    while (!open.empty()) {
      const State state = open.back();
      if (is_known(state)) {
        open.pop_back();
        continue;
      }
      const Task task = task_of(state);
      const std::size_t depth = open.size();
      for (const State& next : {task.low, task.high})
        if (!is_known(next))
          open.push_back(next);
      if (open.size() == depth)
        done_[key(state)] = task.skips
                                ? value(task.low)
                                : diagram_.make(task.variable, value(task.low), value(task.high));
    }
    return frozen(diagram_, value(root), marking_.variables);
  }

private:
  enum class Mode : std::uint64_t { fresh, barred, due, met };
  struct State {
    std::uint32_t node, groups;
    Mode mode;
  };
  struct Task {
    Variable variable;
    State low, high;
    bool skips;
  };
  static constexpr State nothing{0, 0, Mode::fresh};

  static std::uint64_t key(const State& s) {
    return std::uint64_t{s.node} << 34 | std::uint64_t{s.groups} << 2 |
           static_cast<std::uint64_t>(s.mode);
  }
  [[nodiscard]] Variable group(std::uint32_t node) const {
    return node < 2 ? no_variable : marking_.group_of[family_.node(node).variable];
  }
  [[nodiscard]] Variable next_group(std::uint32_t groups) const {
    return groups < 2 ? no_variable : groups_.node(groups).variable;
  }

  /// The state after a step within a group; what is due must not be left undone.
  [[nodiscard]] State after(std::uint32_t node, std::uint32_t groups, Mode mode,
                            Variable within) const {
    if (group(node) == within)
      return {node, groups, mode};
    return mode == Mode::due ? nothing : State{node, groups, Mode::fresh};
  }

  [[nodiscard]] Task task_of(const State& s) const {
    const DiagramNode& node = family_.node(s.node);
    const Variable here = marking_.group_of[node.variable];
    if (s.mode == Mode::fresh) {
      if (next_group(s.groups) < here) // passed without being mentioned
        return {0, {s.node, groups_.node(s.groups).low, Mode::fresh}, nothing, true};
      if (next_group(s.groups) > here)
        return {0, {s.node, s.groups, Mode::barred}, nothing, true};
      const DiagramNode& groups = groups_.node(s.groups);
      return {marking_.marker_of[here],
              {s.node, groups.low, Mode::barred},
              {s.node, groups.high, Mode::due},
              false};
    }
    const State low = after(node.low, s.groups, s.mode, here);
    if (s.mode == Mode::barred)
      return {0, low, nothing, true};
    return {marking_.renamed[node.variable], low, after(node.high, s.groups, Mode::met, here),
            false};
  }

  [[nodiscard]] bool is_known(const State& s) const {
    return s.node < 2 || s.groups == 0 || done_.contains(key(s));
  }
  [[nodiscard]] std::uint32_t value(const State& s) const {
    if (s.node == 0 || s.groups == 0)
      return 0;
    if (s.node > 1)
      return done_.at(key(s));
    std::uint32_t groups = s.groups; // at the end no further group may be asked for
    while (groups > 1)
      groups = groups_.node(groups).low;
    return groups;
  }

  const Family& family_;
  const GroupMarkers& marking_;
  const Family& groups_;
  ZddTable diagram_;
  std::unordered_map<std::uint64_t, std::uint32_t> done_;
};

} // namespace

Family marked(const Family& family, const GroupMarkers& marking, const Family& groups,
              Budget& budget) {
  if (marking.group_of.size() != family.variables ||
      !std::is_sorted(marking.group_of.begin(), marking.group_of.end()))
    throw InputError("groups must follow the order of the variables");
  if (family.size() >= 1u << 30 || groups.size() >= 1u << 30)
    throw BudgetExceeded("general reasons", "nodes", family.size(), 1u << 30);
  return Marker(family, marking, groups, budget).run();
}

} // namespace reasons::zdd
