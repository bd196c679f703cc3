#include "formats/dddmp/fields.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace reasons::formats {
namespace {

constexpr std::string_view known[] = {
    ".ver",       ".add",      ".mode",         ".varinfo",         ".dd",  ".nnodes",  ".nvars",
    ".nsuppvars", ".varnames", ".suppvarnames", ".orderedvarnames", ".ids", ".permids", ".auxids",
    ".nroots",    ".rootids",  ".rootnames"};

std::int64_t parsed(std::uint64_t line, std::string_view word, std::int64_t least,
                    std::string_view key) {
  std::int64_t value = 0;
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || stop != word.data() + word.size() || value < least ||
      value > DddmpFields::most)
    throw FormatError(shown(word) + " is no number for " + std::string(key), line);
  return value;
}

} // namespace

DddmpFields::DddmpFields(Scanner& scan) {
  for (;;) {
    if (!scan.next_line())
      throw FormatError("the file ends before its .nodes", std::max<std::uint64_t>(scan.line(), 1));
    const std::string_view key = scan.word();
    if (key == ".nodes")
      break;
    if (!key.empty() && key.front() != '#')
      take(scan, key);
  }
  line_ = scan.line();
}

void DddmpFields::take(Scanner& scan, std::string_view key) {
  if (std::ranges::find(known, key) == std::end(known))
    scan.fail("a DDDMP header has no line " + shown(key));
  const auto [place, is_new] = fields_.try_emplace(key);
  if (!is_new)
    scan.fail("a second " + std::string(key));
  place->second.line = scan.line();
  for (std::string_view word = scan.word(); !word.empty(); word = scan.word())
    place->second.words.push_back(word);
}

const DddmpFields::Field* DddmpFields::find(std::string_view key) const {
  const auto found = fields_.find(key);
  return found == fields_.end() ? nullptr : &found->second;
}

const DddmpFields::Field& DddmpFields::of(std::string_view key) const {
  if (const Field* field = find(key))
    return *field;
  throw FormatError("the header has no " + std::string(key), line_);
}

std::string_view DddmpFields::word(std::string_view key) const {
  return listed(key, 1).words.front();
}

std::int64_t DddmpFields::number(std::string_view key, std::int64_t least) const {
  return parsed(of(key).line, word(key), least, key);
}

std::vector<std::int64_t> DddmpFields::numbers(std::string_view key, std::size_t count,
                                               std::int64_t least) const {
  std::vector<std::int64_t> result;
  for (const std::string_view each : listed(key, count).words)
    result.push_back(parsed(of(key).line, each, least, key));
  return result;
}

std::vector<std::string> DddmpFields::names(std::string_view key, std::size_t count) const {
  const auto& words = listed(key, count).words;
  return {words.begin(), words.end()};
}

const DddmpFields::Field& DddmpFields::listed(std::string_view key, std::size_t count) const {
  const Field& field = of(key);
  if (field.words.size() != count)
    throw FormatError(std::string(key) + " has " + std::to_string(field.words.size()) +
                          " words where " + std::to_string(count) + " are due",
                      field.line);
  return field;
}

} // namespace reasons::formats
