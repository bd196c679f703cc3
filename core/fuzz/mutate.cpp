// mutate.cpp: changes of words and lines, which is what all the formats are made of.
//
// Bytes changed at random rarely get past the first line. Numbers exchanged for others of the
// same file make cycles, forward references and second definitions; boundary numbers and
// changed headers try every count that a file may claim.
#include "fuzz/mutate.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <random>

namespace reasons::fuzz {
namespace {

using Words = std::vector<std::string>;

constexpr std::array boundary{"0",
                              "1",
                              "-1",
                              "2",
                              "-0",
                              "+1",
                              "01",
                              "65535",
                              "65536",
                              "99999",
                              "1000000",
                              "1073741823",
                              "1073741824",
                              "2147483647",
                              "2147483648",
                              "-2147483648",
                              "-2147483647",
                              "4294967295",
                              "4294967296",
                              "9223372036854775807",
                              "9223372036854775808",
                              "-9223372036854775808",
                              "18446744073709551616",
                              "99999999999999999999999999",
                              "1e9",
                              "1e999",
                              "0.5",
                              "nan",
                              "x",
                              "-"};

bool is_number(const std::string& word) {
  return !word.empty() && std::isdigit(static_cast<unsigned char>(word.back())) &&
         word.find_first_not_of("-0123456789") == std::string::npos;
}

Words split(const std::string& text, char at) {
  Words parts(1);
  for (const char c : text)
    if (c == at)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

std::string joined(const Words& parts, char with) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i)
    text += (i == 0 ? "" : std::string(1, with)) + parts[i];
  return text;
}

class Mutator {
public:
  Mutator(const Words& seeds, std::mt19937_64 rng) : seeds_(seeds), rng_(rng) {
    lines_ = split(any(seeds_), '\n');
  }

  std::string changed() {
    if (below(64) == 0)
      return joined(lines_, '\n'); // the seed itself
    for (std::size_t changes = std::size_t{1} << below(4); changes > 0; --changes)
      change();
    std::string text = joined(lines_, '\n');
    if (below(16) == 0)
      change_bytes(text);
    text.resize(std::min(text.size(), most_bytes));
    return text;
  }

private:
  std::size_t below(std::size_t n) { return n == 0 ? 0 : rng_() % n; }
  template <class T> const T& any(const std::vector<T>& from) { return from[below(from.size())]; }
  std::size_t line() { return below(lines_.size()); }

  void change() {
    switch (below(9)) {
    case 0:
      return change_lines();
    case 1:
      return change_header();
    case 2:
      return splice();
    default:
      return change_words(line());
    }
  }

  void change_words(std::size_t at) {
    Words words = split(lines_[at], ' ');
    std::string& word = words[below(words.size())];
    switch (below(8)) {
    case 0:
      word = any(Words(boundary.begin(), boundary.end()));
      break;
    case 1:
      if (is_number(word))
        word = word.front() == '-' ? word.substr(1) : "-" + word;
      break;
    case 2:
      if (is_number(word) && word.size() < 18)
        word = std::to_string(std::stoll(word) + (below(2) == 0 ? 1 : -1));
      break;
    case 3:
      std::swap(word, words[below(words.size())]);
      break;
    case 4:
      words.erase(words.begin() + static_cast<std::ptrdiff_t>(below(words.size())));
      break;
    case 5:
      words.insert(words.begin() + static_cast<std::ptrdiff_t>(below(words.size())),
                   std::string(any(split(lines_[line()], ' '))));
      break;
    default: // another number of the file: an id for an id
      if (const std::string other = any(split(lines_[line()], ' ')); is_number(other))
        word = other;
    }
    lines_[at] = joined(words, ' ');
  }

  void change_lines() {
    const auto at = static_cast<std::ptrdiff_t>(line());
    const std::string copy = lines_[line()];
    switch (below(7)) {
    case 0:
      lines_.insert(lines_.begin() + at, copy);
      break;
    case 1:
      std::swap(lines_[static_cast<std::size_t>(at)], lines_[line()]);
      break;
    case 2: // a line or a section
      lines_.erase(lines_.begin() + at, lines_.begin() + at +
                                            static_cast<std::ptrdiff_t>(std::min(
                                                std::size_t{1} << below(5),
                                                lines_.size() - static_cast<std::size_t>(at))));
      break;
    case 3: // cut off
      lines_.resize(static_cast<std::size_t>(at) + 1);
      break;
    case 4:
      lines_.insert(lines_.begin() + at, below(200), copy);
      break;
    case 5: // two lines in one
      lines_[static_cast<std::size_t>(at)] += " " + copy;
      break;
    default:
      lines_.insert(lines_.begin() + at, below(2) == 0 ? "c comment" : "");
    }
    if (lines_.empty())
      lines_.emplace_back();
  }

  /// The first lines, where counts are.
  void change_header() {
    change_words(below(std::min<std::size_t>(lines_.size(), below(2) == 0 ? 2 : 14)));
  }

  /// The beginning of this text and the end of another.
  void splice() {
    const Words other = split(any(seeds_), '\n');
    const std::size_t from = below(other.size());
    lines_.resize(line() + 1);
    lines_.insert(lines_.end(), other.begin() + static_cast<std::ptrdiff_t>(from), other.end());
  }

  void change_bytes(std::string& text) {
    const std::size_t at = below(text.size() + 1);
    if (below(3) == 0)
      text.resize(at);
    else if (at < text.size())
      text[at] = any(std::vector<char>{'\0', '\r', '\n', ' ', '\t', '-', '9', '\xff', 'A', '%'});
  }

  const Words& seeds_;
  std::mt19937_64 rng_;
  Words lines_;
};

} // namespace

std::string mutated(const std::vector<std::string>& seeds, std::uint64_t seed,
                    std::uint64_t number) {
  std::seed_seq mixed{seed, seed >> 32, number, number >> 32};
  return Mutator(seeds, std::mt19937_64(mixed)).changed();
}

} // namespace reasons::fuzz
