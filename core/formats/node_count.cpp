#include "formats/node_count.hpp"

#include <algorithm>
#include <string>

namespace reasons::formats {

std::uint32_t promised_nodes(Scanner& scan, std::string_view kind, std::size_t least,
                             std::size_t bytes) {
  const std::string line = "the line `" + std::string(kind) + "`";
  while (scan.next_line()) {
    const std::string_view word = scan.word();
    if (word.empty() || word == "c")
      continue;
    if (word == "psdd")
      scan.fail("this is a PSDD, a distribution; only SDDs are read");
    if (word != kind)
      scan.fail(line + " with the number of nodes is due, not " + shown(word));
    const std::int64_t count = scan.integer("the number of nodes", 1, 0xFFFFFFFE);
    if (static_cast<std::uint64_t>(count) > bytes / least)
      scan.fail("the file is too short for that many nodes");
    scan.end_of_line();
    return static_cast<std::uint32_t>(count);
  }
  throw FormatError("the file has no " + line.substr(4), std::max<std::uint64_t>(scan.line(), 1));
}

void fail_too_many(const Scanner& scan, std::uint32_t promised) {
  scan.fail("more nodes than the " + std::to_string(promised) + " of the header");
}

void fail_too_few(const Scanner& scan, std::uint32_t read, std::uint32_t promised) {
  throw FormatError("the file ends after " + std::to_string(read) + " of " +
                        std::to_string(promised) + " nodes",
                    scan.line());
}

} // namespace reasons::formats
