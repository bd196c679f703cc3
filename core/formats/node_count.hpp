// node_count.hpp: the promised number of nodes in `.vtree` and `.sdd` files.
#pragma once

#include "formats/scanner.hpp"

#include <cstdint>
#include <string_view>

namespace reasons::formats {

/// The number in the line `kind NUMBER`, which comments may precede. A node takes a line of
/// more than `least` bytes; a number that promises more than the text has is not believed.
[[nodiscard]] std::uint32_t promised_nodes(Scanner& scan, std::string_view kind, std::size_t least,
                                           std::size_t bytes);

/// Complains that there are more nodes, or fewer, than were promised.
[[noreturn]] void fail_too_many(const Scanner& scan, std::uint32_t promised);
[[noreturn]] void fail_too_few(const Scanner& scan, std::uint32_t read, std::uint32_t promised);

/// Calls `node` with the first word of each line of a node, of which there must be so many.
template <class Node> void read_nodes(Scanner& scan, std::uint32_t promised, const Node& node) {
  std::uint32_t read = 0;
  while (scan.next_line()) {
    const std::string_view kind = scan.word();
    if (kind.empty() || kind == "c")
      continue;
    if (read++ == promised)
      fail_too_many(scan, promised);
    node(kind);
  }
  if (read < promised)
    fail_too_few(scan, read, promised);
}

} // namespace reasons::formats
