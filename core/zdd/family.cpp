// family.cpp: queries about a frozen family, each one pass over its nodes.
#include "zdd/family.hpp"

#include "base/error.hpp"
#include "zdd/apply.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace reasons::zdd {
namespace {

using Limbs = std::span<std::uint64_t>;

/// a += b; the caller has made room.
void add(Limbs a, std::span<const std::uint64_t> b) {
  unsigned carry = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::uint64_t sum = a[i] + b[i], total = sum + carry;
    carry = (sum < a[i]) | (total < sum);
    a[i] = total;
  }
}

void subtract(Limbs a, std::span<const std::uint64_t> b) {
  unsigned borrow = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::uint64_t difference = a[i] - b[i], rest = difference - borrow;
    borrow = (a[i] < b[i]) | (difference < borrow);
    a[i] = rest;
  }
}

bool is_less(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
}

/// As many limbs as the number of sets can need: by a floating estimate, or, where
/// that overflows, one bit a variable.
std::size_t limbs_needed(const Family& family) {
  std::vector<long double> estimate(family.size(), 0);
  estimate[1] = 1;
  for (std::uint32_t id = 2; id < family.size(); ++id)
    estimate[id] = estimate[family.node(id).low] + estimate[family.node(id).high];
  const long double total = estimate[family.root];
  const std::size_t bits = std::isfinite(total)
                               ? static_cast<std::size_t>(std::max(0, std::ilogb(total + 1))) + 2
                               : family.variables + 1;
  return bits / 64 + 1;
}

/// Copies a family into a diagram; where[id] is its node there.
std::vector<std::uint32_t> copied(ZddTable& diagram, const Family& family) {
  std::vector<std::uint32_t> where(family.size());
  where[1] = 1;
  for (std::uint32_t id = 2; id < family.size(); ++id) {
    const DiagramNode& node = family.node(id);
    where[id] = diagram.make(node.variable, where[node.low], where[node.high]);
  }
  return where;
}

} // namespace

Family frozen(const ZddTable& diagram, std::uint32_t root, std::uint32_t variables) {
  std::vector<std::uint32_t> renamed(std::max(root + 1, 2u), 0);
  renamed[root] = 1;
  for (std::uint32_t id = root + 1; id-- > 2;)
    if (renamed[id] != 0)
      renamed[diagram[id].low] = renamed[diagram[id].high] = 1;
  Family family{variables, {}, 0};
  renamed[0] = 0;
  renamed[1] = 1;
  for (std::uint32_t id = 2; id <= root; ++id) {
    if (renamed[id] == 0)
      continue;
    const DiagramNode& node = diagram[id];
    renamed[id] = family.size();
    family.nodes.push_back({node.variable, renamed[node.low], renamed[node.high]});
  }
  family.root = renamed[root];
  return family;
}

Family family_of(const std::vector<Members>& sets, std::uint32_t variables, Budget& budget) {
  ZddTable diagram(budget);
  std::vector<std::uint32_t> roots;
  for (const Members& members : sets) {
    std::uint32_t chain = 1;
    for (std::size_t i = members.size(); i-- > 0;)
      chain = diagram.make(members[i], 0, chain);
    roots.push_back(chain);
  }
  while (roots.size() > 1) { // in pairs: both sides of a union stay small
    std::vector<std::uint32_t> halved;
    for (std::size_t i = 0; i < roots.size(); i += 2)
      halved.push_back(i + 1 < roots.size()
                           ? apply(diagram, Union{{diagram}}, roots[i], roots[i + 1])
                           : roots[i]);
    roots = std::move(halved);
  }
  return frozen(diagram, roots.empty() ? 0 : roots.front(), variables);
}

void validate(const Family& family) {
  const auto variable = [&](std::uint32_t id) {
    return id < 2 ? no_variable : family.node(id).variable;
  };
  for (std::uint32_t id = 2; id < family.size(); ++id) {
    const DiagramNode& node = family.node(id);
    if (node.low >= id || node.high >= id || node.high == 0 || node.variable >= family.variables ||
        variable(node.low) <= node.variable || variable(node.high) <= node.variable)
      throw InputError("malformed family of sets at node " + std::to_string(id));
  }
  if (family.root >= family.size())
    throw InputError("a family of sets without its root");
}

SetCounts::SetCounts(const Family& family)
    : limbs_(limbs_needed(family)), numbers_(family.size() * limbs_, 0) {
  numbers_[limbs_] = 1;
  for (std::uint32_t id = 2; id < family.size(); ++id) {
    const Limbs here = std::span(numbers_).subspan(id * limbs_, limbs_);
    add(here, of(family.node(id).low));
    add(here, of(family.node(id).high));
  }
}

bool contains(const Family& family, const Members& members) {
  std::uint32_t at = family.root;
  for (const Variable member : members) {
    while (at > 1 && family.node(at).variable < member)
      at = family.node(at).low;
    if (at < 2 || family.node(at).variable != member)
      return false;
    at = family.node(at).high;
  }
  while (at > 1)
    at = family.node(at).low;
  return at == 1;
}

Members member_at(const Family& family, const SetCounts& counts, std::vector<std::uint64_t> rank) {
  rank.resize(counts.limbs(), 0);
  if (!is_less(rank, counts.of(family.root)))
    throw InputError("a family of sets has no member of that rank");
  Members members;
  for (std::uint32_t at = family.root; at > 1;) {
    const DiagramNode& node = family.node(at);
    if (is_less(rank, counts.of(node.low))) {
      at = node.low;
      continue;
    }
    subtract(rank, counts.of(node.low));
    members.push_back(node.variable);
    at = node.high;
  }
  return members;
}

Family restricted(const Family& family, const std::vector<bool>& group, bool mentioned,
                  Budget& budget) {
  ZddTable diagram(budget);
  const auto every = mentioned ? copied(diagram, family) : std::vector<std::uint32_t>();
  std::vector<std::uint32_t> kept(family.size(), 0);
  kept[1] = mentioned ? 0 : 1;
  for (std::uint32_t id = 2; id < family.size(); ++id) {
    const DiagramNode& node = family.node(id);
    std::uint32_t high = kept[node.high];
    if (group[node.variable])
      high = mentioned ? every[node.high] : 0;
    kept[id] = diagram.make(node.variable, kept[node.low], high);
  }
  return frozen(diagram, kept[family.root], family.variables);
}

Family combined(const Family& a, const Family& b, Combination how, Budget& budget) {
  if (a.variables != b.variables)
    throw InputError("families over different variables cannot be combined");
  ZddTable diagram(budget);
  const std::uint32_t x = copied(diagram, a)[a.root], y = copied(diagram, b)[b.root];
  const std::uint32_t root = how == Combination::unite ? apply(diagram, Union{{diagram}}, x, y)
                             : how == Combination::intersect
                                 ? apply(diagram, Intersection{{diagram}}, x, y)
                                 : apply(diagram, Difference{{diagram}}, x, y);
  return frozen(diagram, root, a.variables);
}

namespace {

/// The family with one more variable in every set; no set has it yet.
std::uint32_t attached(ZddTable& diagram, std::uint32_t family, Variable variable) {
  if (family == 0)
    return 0;
  std::vector<std::uint32_t> upper; // the nodes above the variable, users before inputs
  std::unordered_map<std::uint32_t, std::uint32_t> done;
  const auto value = [&](std::uint32_t id) {
    if (id == 0)
      return 0u;
    return diagram[id].variable > variable ? diagram.make(variable, 0, id) : done.at(id);
  };
  std::vector<std::uint32_t> open{family};
  while (!open.empty()) {
    const std::uint32_t id = open.back();
    open.pop_back();
    if (diagram[id].variable > variable || !done.emplace(id, 0).second)
      continue;
    upper.push_back(id);
    open.push_back(diagram[id].low);
    open.push_back(diagram[id].high);
  }
  std::sort(upper.begin(), upper.end());
  for (const std::uint32_t id : upper) {
    const DiagramNode node = diagram[id];
    const std::uint32_t low = value(node.low), high = value(node.high);
    done[id] = diagram.make(node.variable, low, high);
  }
  return value(family);
}

} // namespace

Family reordered(const Family& family, const std::vector<Variable>& renamed,
                 std::uint32_t variables, Budget& budget) {
  ZddTable diagram(budget);
  std::vector<std::uint32_t> made(family.size(), 0);
  made[1] = 1;
  for (std::uint32_t id = 2; id < family.size(); ++id) {
    const DiagramNode& node = family.node(id);
    const std::uint32_t high = attached(diagram, made[node.high], renamed[node.variable]);
    made[id] = apply(diagram, Union{{diagram}}, made[node.low], high);
  }
  return frozen(diagram, made[family.root], variables);
}

Family one_of_each(const Family& family, const std::vector<Variable>& group_of, Budget& budget) {
  if (group_of.size() != family.variables || !std::is_sorted(group_of.begin(), group_of.end()))
    throw InputError("groups must follow the order of the variables");
  ZddTable diagram(budget);
  // kept: the node's sets so cut down; later: those of them without its own group.
  std::vector<std::uint32_t> kept(family.size(), 0), later(family.size(), 0);
  kept[1] = later[1] = 1;
  for (std::uint32_t id = 2; id < family.size(); ++id) {
    const DiagramNode& node = family.node(id);
    const auto beyond = [&](std::uint32_t child) {
      const bool same =
          child > 1 && group_of[family.node(child).variable] == group_of[node.variable];
      return same ? later[child] : kept[child];
    };
    later[id] = beyond(node.low);
    kept[id] = diagram.make(node.variable, kept[node.low], beyond(node.high));
  }
  return frozen(diagram, kept[family.root], family.variables);
}

std::vector<std::uint64_t> count_without(const Family& family, const SetCounts& counts,
                                         const std::vector<bool>& group) {
  const std::size_t limbs = counts.limbs();
  const auto last = std::find(group.rbegin(), group.rend(), true);
  const auto below = static_cast<Variable>(group.rend() - last); // one past the last of the group
  std::vector<std::uint64_t> numbers(family.size() * limbs, 0);
  const auto cell = [&](std::uint32_t id) { return std::span(numbers).subspan(id * limbs, limbs); };
  cell(1)[0] = 1;
  for (std::uint32_t id = 2; id < family.size(); ++id) {
    const DiagramNode& node = family.node(id);
    if (node.variable >= below) { // nothing of the group can come any more
      std::ranges::copy(counts.of(id), cell(id).begin());
      continue;
    }
    add(cell(id), cell(node.low));
    if (!group[node.variable])
      add(cell(id), cell(node.high));
  }
  const auto total = cell(family.root);
  return {total.begin(), total.end()};
}

std::vector<std::vector<std::uint64_t>> sizes(const Family& family,
                                              const std::vector<bool>& counted, Budget& budget) {
  const std::size_t limbs = limbs_needed(family);
  std::vector<std::size_t> longest(family.size(), 0), from(family.size(), 0);
  std::size_t total = 2;
  from[1] = 1;
  for (std::uint32_t id = 2; id < family.size(); ++id) {
    const DiagramNode& node = family.node(id);
    longest[id] = std::max(longest[node.low], longest[node.high] + counted[node.variable]);
    from[id] = total;
    total += longest[id] + 1;
    budget.require(0, total * limbs * 8);
  }
  std::vector<std::uint64_t> table(total * limbs, 0);
  const auto cell = [&](std::uint32_t id, std::size_t size) {
    return std::span(table).subspan((from[id] + size) * limbs, limbs);
  };
  cell(1, 0)[0] = 1;
  for (std::uint32_t id = 2; id < family.size(); ++id) {
    const DiagramNode& node = family.node(id);
    for (std::size_t size = 0; size <= longest[node.low]; ++size)
      add(cell(id, size), cell(node.low, size));
    for (std::size_t size = 0; size <= longest[node.high]; ++size)
      add(cell(id, size + counted[node.variable]), cell(node.high, size));
  }
  std::vector<std::vector<std::uint64_t>> result;
  for (std::size_t size = 0; size <= longest[family.root]; ++size) {
    const auto count = cell(family.root, size);
    result.emplace_back(count.begin(), count.end());
  }
  return result;
}

} // namespace reasons::zdd
