// reader.hpp: reader of `.nnf` files, in the format of c2d (and dsharp) or of d4.
#pragma once

#include "formats/nnf/nnf.hpp"
#include "formats/scanner.hpp"

#include <string_view>
#include <vector>

namespace reasons::formats {

struct NnfFile {
  Nnf nnf;
  std::vector<Warning> warnings;
};

/// Reads either dialect, told apart by the first line that is neither blank nor a comment.
/// FormatError with the line where a file cannot be what was meant; headers that count
/// wrongly are warnings. Memory O(text), no recursion.
[[nodiscard]] NnfFile read_nnf(std::string_view text);

/// `nnf NODES EDGES VARIABLES`, then a node a line: `L literal`, `A k inputs`, `O variable k
/// inputs`, numbered from 0, inputs before users, the root last.
[[nodiscard]] NnfFile read_c2d(std::string_view text);

/// `o|a|t|f ID 0` is a node, `PARENT CHILD literals 0` an arc; the root is 1.
[[nodiscard]] NnfFile read_d4(std::string_view text);

inline constexpr std::int64_t most_nnf_variables = (1 << 30) - 1;

} // namespace reasons::formats
