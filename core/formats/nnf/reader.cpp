// reader.cpp: which format an `.nnf` file is in.
#include "formats/nnf/reader.hpp"

namespace reasons::formats {
namespace {

bool is_comment(std::string_view word) {
  return word == "c";
}

} // namespace

NnfFile read_nnf(std::string_view text) {
  Scanner in(text);
  while (in.next_line()) {
    const std::string_view word = in.word();
    if (word.empty() || is_comment(word))
      continue;
    if (word == "o" || word == "a" || word == "t" || word == "f")
      return read_d4(text);
    const bool arc_first = word.find_first_not_of("0123456789") == std::string_view::npos;
    return arc_first ? read_d4(text) : read_c2d(text);
  }
  throw FormatError("there is no node", 1);
}

} // namespace reasons::formats
