#include "formats/nnf/to_obdd.hpp"

#include "base/error.hpp"
#include "circuit/builder.hpp"
#include "zdd/apply.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

namespace reasons::formats {
namespace {

using Ids = std::vector<std::uint32_t>;

/// The level of each feature. Throws InputError unless `order` lists each of them once.
Ids levels_of(std::uint32_t features, std::span<const std::uint32_t> order) {
  Ids levels(features, zdd::no_variable);
  for (std::uint32_t level = 0; level < order.size(); ++level) {
    if (order[level] >= features || levels[order[level]] != zdd::no_variable)
      throw InputError("the order does not list every feature once");
    levels[order[level]] = level;
  }
  if (order.size() != features)
    throw InputError("the order does not list every feature once");
  return levels;
}

/// Combines neighbours, then their results: one after the other is quadratic on long rows.
template <class Step> std::uint32_t combined(zdd::BddTable& diagram, const Step& step, Ids row) {
  if (row.empty())
    return step.neutral;
  while (row.size() > 1) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i + 1 < row.size(); i += 2)
      row[kept++] = apply(diagram, step, row[i], row[i + 1]);
    if (row.size() % 2 == 1)
      row[kept++] = row.back();
    row.resize(kept);
  }
  return row.front();
}

std::uint32_t literal(zdd::BddTable& diagram, const Ids& levels, std::int32_t literal) {
  const std::uint32_t level = levels[static_cast<std::uint32_t>(std::abs(literal)) - 1];
  return literal > 0 ? diagram.make(level, 0, 1) : diagram.make(level, 1, 0);
}

std::uint32_t diagram_of(zdd::BddTable& diagram, const Nnf& nnf, const Ids& levels) {
  Ids made;
  made.reserve(nnf.size());
  for (std::uint32_t n = 0; n <= nnf.root; ++n) {
    diagram.tick();
    Ids row;
    for (const std::uint32_t input : nnf.inputs(n))
      row.push_back(made[input]);
    switch (nnf.kinds[n]) {
    case NnfKind::falsum:
    case NnfKind::verum:
      made.push_back(nnf.kinds[n] == NnfKind::verum ? 1 : 0);
      break;
    case NnfKind::literal:
      made.push_back(literal(diagram, levels, nnf.literals[n]));
      break;
    case NnfKind::conjunction:
      made.push_back(combined(diagram, zdd::Conjunction{diagram}, std::move(row)));
      break;
    case NnfKind::disjunction:
      made.push_back(combined(diagram, zdd::Disjunction{diagram}, std::move(row)));
      break;
    }
  }
  return made[nnf.root];
}

/// The nodes below the root, which are few of those that were made on the way.
Circuit circuit_below(const zdd::BddTable& diagram, std::uint32_t root,
                      std::span<const std::uint32_t> order, Budget budget) {
  std::vector<bool> used(std::max(root + 1, 2u));
  used[root] = true;
  for (std::uint32_t n = root; n > 1; --n)
    if (used[n])
      used[diagram[n].low] = used[diagram[n].high] = true;
  circuit::Builder builder(Ids(order.size(), 2), 2, std::move(budget));
  Ids made(used.size());
  for (std::uint32_t n = 0; n < used.size(); ++n) {
    if (!used[n])
      continue;
    const NodeId children[2] = {made[diagram[n].low], made[diagram[n].high]};
    made[n] = n < 2 ? builder.leaf(n) : builder.decide(order[diagram[n].variable], children);
  }
  return builder.build(made[root]);
}

} // namespace

Circuit ordered_circuit(const Nnf& nnf, std::span<const std::uint32_t> order, Budget budget) {
  const Ids levels = levels_of(nnf.variables, order);
  budget.stage("ordered decision graph");
  zdd::BddTable diagram(budget);
  const std::uint32_t root = diagram_of(diagram, nnf, levels);
  return circuit_below(diagram, root, order, budget);
}

} // namespace reasons::formats
