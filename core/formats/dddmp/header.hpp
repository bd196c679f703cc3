// header.hpp: the header of a DDDMP file.
//
// The lists `.suppvarnames`, `.ids`, `.permids` and `.auxids` run over the support in the
// order of ids; the nodes number its variables by level instead. Here everything is by
// level, so that a node's number is an index.
#pragma once

#include "circuit/circuit.hpp"
#include "formats/scanner.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace reasons::formats {

struct DddmpHeader {
  std::uint32_t nodes = 0;
  std::vector<std::string> features; ///< see `read_dddmp`
  // Of the variables of the support, the top one first:
  std::vector<FeatureId> feature_of;
  std::vector<std::string> extra;      ///< what `.varinfo` adds to a node's line; empty: not known
  std::vector<std::string> ids;        ///< what some files add instead of a name
  std::vector<std::int32_t> roots;     ///< negative: complemented
  std::vector<std::string> root_names; ///< one for each root, or none
  std::uint64_t roots_line = 0;
};

/// Reads to the line `.nodes`. Throws FormatError.
[[nodiscard]] DddmpHeader read_dddmp_header(Scanner& scan);

} // namespace reasons::formats
