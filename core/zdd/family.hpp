// family.hpp: families of sets as zero-suppressed decision diagrams (ZDD, Minato 1993).
//
// A zero-suppressed decision diagram in three arrays, children before parents.
// Nothing is shared between families and nothing changes once it is made, so
// any number of threads may ask.
#pragma once

#include "base/budget.hpp"
#include "zdd/node_table.hpp"

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace reasons::zdd {

/// Sets of variables. Node 0 is the empty family, node 1 holds the empty set only,
/// node i + 2 is nodes[i]: the sets of `low`, and those of `high` with the variable.
struct Family {
  std::uint32_t variables = 0;
  std::vector<DiagramNode> nodes;
  std::uint32_t root = 0;

  [[nodiscard]] const DiagramNode& node(std::uint32_t id) const { return nodes[id - 2]; }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(nodes.size()) + 2; }
};

using Members = std::vector<Variable>; // one set, ascending

/// The family below a node of a growing diagram, without what it does not use.
[[nodiscard]] Family frozen(const NodeTable<ZddRule>& diagram, std::uint32_t root,
                            std::uint32_t variables);

/// The family of given sets, each ascending.
[[nodiscard]] Family family_of(const std::vector<Members>& sets, std::uint32_t variables,
                               Budget& budget);

/// Throws InputError unless the arrays are a diagram as described. Time O(size).
void validate(const Family& family);

/// Exact numbers of sets below every node: additions only, in as many 64-bit limbs as
/// the largest needs.
class SetCounts {
public:
  explicit SetCounts(const Family& family);
  [[nodiscard]] std::size_t limbs() const { return limbs_; }
  [[nodiscard]] std::span<const std::uint64_t> of(std::uint32_t node) const {
    return std::span(numbers_).subspan(node * limbs_, limbs_);
  }

private:
  std::size_t limbs_;
  std::vector<std::uint64_t> numbers_;
};

[[nodiscard]] bool contains(const Family& family, const Members& members);

/// The member that `rank` (below the count, as limbs) stands for.
[[nodiscard]] Members member_at(const Family& family, const SetCounts& counts,
                                std::vector<std::uint64_t> rank);

/// The sets with a variable of a group (flags), or with none of them.
[[nodiscard]] Family restricted(const Family& family, const std::vector<bool>& group,
                                bool mentioned, Budget& budget);

enum class Combination : std::uint32_t { unite = 1, intersect = 2, subtract = 3 };
[[nodiscard]] Family combined(const Family& a, const Family& b, Combination how, Budget& budget);

/// Where the variables of a family go when each group of them gets a marker: variable v
/// becomes renamed[v], and marker_of[group_of[v]] stands right above its group.
struct GroupMarkers {
  std::vector<Variable> group_of, renamed, marker_of;
  std::uint32_t variables = 0; ///< after the marking
};

/// The sets whose groups form a set of `groups`, each with the markers of its groups.
/// Groups must follow the order of the variables.
[[nodiscard]] Family marked(const Family& family, const GroupMarkers& marking, const Family& groups,
                            Budget& budget);

/// The same sets with other variables: v becomes renamed[v], in any order.
[[nodiscard]] Family reordered(const Family& family, const std::vector<Variable>& renamed,
                               std::uint32_t variables, Budget& budget);

/// The sets with at most one variable of each group (group_of[variable]). Groups must
/// follow the order of the variables.
[[nodiscard]] Family one_of_each(const Family& family, const std::vector<Variable>& group_of,
                                 Budget& budget);

/// How many sets have none of the variables of a group (flags). Time O(size).
[[nodiscard]] std::vector<std::uint64_t>
count_without(const Family& family, const SetCounts& counts, const std::vector<bool>& group);

/// How many sets there are of each size, where only some variables (flags) count.
[[nodiscard]] std::vector<std::vector<std::uint64_t>>
sizes(const Family& family, const std::vector<bool>& counted, Budget& budget);

/// What a variable costs; the second number only decides between equals.
struct Cost {
  double first = 0, second = 0;
  [[nodiscard]] auto operator<=>(const Cost&) const = default;
  [[nodiscard]] Cost operator+(const Cost& other) const {
    return {first + other.first, second + other.second};
  }
};

/// The cheapest sets.
[[nodiscard]] Family cheapest(const Family& family, const std::vector<Cost>& costs, Budget& budget);

/// Members one after the other, cheapest first, equal costs in the order of variables.
/// Best-first search with an exact bound: no step is wasted.
class Enumeration {
public:
  Enumeration(const Family& family, std::vector<Cost> costs);
  [[nodiscard]] std::optional<Members> next();

private:
  struct Partial {
    Cost bound, cost;
    std::uint64_t serial; ///< earlier first among equals
    std::uint32_t node, last;
  };
  struct Link {
    Variable variable;
    std::uint32_t before;
  };
  static constexpr std::uint32_t no_link = 0xFFFFFFFF;
  static bool is_later(const Partial& a, const Partial& b) {
    return a.bound != b.bound ? a.bound > b.bound : a.serial < b.serial;
  }
  void push(std::uint32_t node, Cost cost, std::uint32_t last);

  Family family_;
  std::vector<Cost> costs_, cheapest_;
  std::vector<Partial> heap_;
  std::vector<Link> links_;
  std::uint64_t serial_ = 0;
};

} // namespace reasons::zdd
