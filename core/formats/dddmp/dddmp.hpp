// dddmp.hpp: reader of DDDMP, the text format of CUDD and OxiDD for decision diagrams.
//
// A node's line is `number [extra] variable then else`: the variable is counted among those
// of the support, by level; a negative edge is complemented; `then` and `else` of a terminal
// are 0. The extra word (an id, a level, a name, as `.varinfo` says) is redundant. CUDD does
// not look at it and dd looks at nothing else, so where the two disagree the file is refused.
#pragma once

#include "base/budget.hpp"
#include "circuit/circuit.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace reasons::formats {

/// The nodes of a file; node n of the file is entry n - 1, and children stand before parents.
struct Dddmp {
  std::vector<std::string> features;
  std::vector<FeatureId> feature_of; ///< of each variable of the support, the top one first
  std::vector<double> values;        ///< of the terminals, ascending; 0 and 1 of a Boolean diagram
  std::vector<std::uint32_t> tests;  ///< the variable of a node, or the place of a terminal's value
  std::vector<std::int32_t> high, low; ///< both 0 at a terminal
  std::vector<std::int32_t> roots;
  std::vector<std::string> root_names;
};

/// Reads a file. Features are the variables of `.orderedvarnames` where the file has that line,
/// otherwise those of the support; in the order of ids, called by their names or else by ids.
/// A file with variables but no names and no support (a constant of CUDD's) has no features.
/// Throws FormatError. Time O(text), memory O(text) whatever the header claims.
[[nodiscard]] Dddmp read_dddmp(std::string_view text, Budget& budget);

/// The circuit of one of the edges in `roots`; its labels are the places of `values`.
/// A node reached plainly and complemented becomes two. Time O(nodes).
[[nodiscard]] Circuit dddmp_circuit(const Dddmp& diagram, std::int32_t root, Budget budget);

} // namespace reasons::formats
