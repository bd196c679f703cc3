// from_table.cpp: bulk ways in, each a loop over the builder.
#include "circuit/from_table.hpp"

#include "base/error.hpp"
#include "circuit/builder.hpp"

#include <string>

namespace reasons::circuit {

Circuit from_values(std::vector<std::uint32_t> domains, std::uint32_t labels,
                    std::span<const FeatureId> order, std::span<const LabelId> values,
                    Budget budget) {
  Builder builder(domains, labels, std::move(budget));
  std::uint64_t instances = 1;
  for (const FeatureId f : order)
    instances *= builder.domain(f);
  if (instances != values.size())
    throw InputError("the table does not list every instance once");
  std::vector<NodeId> level;
  level.reserve(values.size());
  for (const LabelId label : values)
    level.push_back(label == impossible_label ? builder.impossible() : builder.leaf(label));
  for (std::size_t i = order.size(); i-- > 0;) {
    const std::size_t width = builder.domain(order[i]);
    for (std::size_t row = 0; row < level.size() / width; ++row)
      level[row] = builder.decide(order[i], std::span(level).subspan(row * width, width));
    level.resize(level.size() / width);
  }
  return builder.build(level.front());
}

Circuit from_diagram(std::uint32_t features, std::span<const std::uint32_t> variables,
                     std::span<const std::uint32_t> low, std::span<const std::uint32_t> high,
                     std::uint32_t root, Budget budget) {
  Builder builder(std::vector<std::uint32_t>(features, 2), 2, std::move(budget));
  std::vector<NodeId> made{builder.leaf(0), builder.leaf(1)};
  made.reserve(variables.size() + 2);
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (low[i] >= made.size() || high[i] >= made.size())
      throw InputError("diagram node " + std::to_string(i + 2) + " does not follow its children");
    const NodeId children[2] = {made[low[i]], made[high[i]]};
    made.push_back(builder.decide(variables[i], children));
  }
  if (root >= made.size())
    throw InputError("the diagram has no node " + std::to_string(root));
  return builder.build(made[root]);
}

} // namespace reasons::circuit
