// mutate.hpp: files as they should not be: words and lines exchanged, lost and doubled.
#pragma once

#include <algorithm>
#include <array>
#include <random>
#include <string>

namespace reasons::testing {

/// The text with one or two changes that keep most of its grammar; the same for the same rng.
inline std::string mutated(std::string text, std::mt19937& rng) {
  static constexpr std::array<const char*, 20> odd{
      "0",  "1", "-1", "2", "7", "99999999999", "-2147483648", "4294967295", "1073741824", "x",
      "\n", "o", "a",  "t", "f", "L 1\n",       "A 0\n",       "nnf",        "c ",         "%\n"};
  const auto below = [&](std::size_t n) { return n == 0 ? 0 : rng() % n; };
  for (std::size_t changes = below(2) + 1; changes > 0; --changes) {
    const std::size_t at = below(text.size() + 1);
    const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
    switch (below(8)) {
    case 0: // a word for a word
      text.replace(at, end - at, odd[below(odd.size())]);
      break;
    case 1: // a word more
      text.insert(at, std::string(" ") + odd[below(odd.size())] + " ");
      break;
    case 2: // a piece less
      text.erase(at, below(12));
      break;
    case 3: // a piece from elsewhere
      text.insert(at, text.substr(below(text.size() + 1), below(24)));
      break;
    default: // another digit
      if (const auto digit = text.find_first_of("0123456789", at); digit != std::string::npos)
        text[digit] = static_cast<char>('0' + below(10));
    }
  }
  return text;
}

} // namespace reasons::testing
