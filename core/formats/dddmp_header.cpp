#include "dddmp_header.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <numeric>
#include <unordered_set>

namespace reasons {
namespace {

using Names = std::vector<std::string>;
constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();

struct Field {
  std::uint64_t line = 0;
  std::vector<std::string_view> words;
};

/// The lines `.key word*` of a header.
class Fields {
public:
  explicit Fields(Scanner& scan) {
    for (;;) {
      if (!scan.next_line())
        throw FormatError("the file ends before its .nodes",
                          std::max<std::uint64_t>(scan.line(), 1));
      const std::string_view key = scan.word();
      if (key == ".nodes")
        break;
      if (!key.empty() && key.front() != '#')
        take(scan, key);
    }
    line_ = scan.line();
  }

  [[nodiscard]] const Field* find(std::string_view key) const {
    const auto found = fields_.find(key);
    return found == fields_.end() ? nullptr : &found->second;
  }
  [[nodiscard]] const Field& of(std::string_view key) const {
    if (const Field* field = find(key))
      return *field;
    throw FormatError("the header has no " + std::string(key), line_);
  }
  [[nodiscard]] std::string_view word(std::string_view key) const {
    const Field& field = of(key);
    if (field.words.size() != 1)
      throw FormatError(std::string(key) + " takes one word, not " +
                            std::to_string(field.words.size()),
                        field.line);
    return field.words.front();
  }
  [[nodiscard]] std::int64_t number(std::string_view key, std::int64_t least = 0) const {
    return number(of(key).line, word(key), least, key);
  }
  [[nodiscard]] std::vector<std::int64_t> numbers(std::string_view key, std::size_t count,
                                                  std::int64_t least = 0) const {
    std::vector<std::int64_t> result;
    for (const std::string_view each : listed(key, count).words)
      result.push_back(number(of(key).line, each, least, key));
    return result;
  }
  [[nodiscard]] Names names(std::string_view key, std::size_t count) const {
    const auto& words = listed(key, count).words;
    return {words.begin(), words.end()};
  }

private:
  void take(Scanner& scan, std::string_view key) {
    static constexpr std::string_view known[] = {
        ".ver",    ".add",      ".mode",         ".varinfo",         ".dd",       ".nnodes",
        ".nvars",  ".varnames", ".suppvarnames", ".orderedvarnames", ".ids",      ".permids",
        ".auxids", ".nroots",   ".rootids",      ".rootnames",       ".nsuppvars"};
    if (std::ranges::find(known, key) == std::end(known))
      scan.fail("a DDDMP header has no line " + shown(key));
    const auto [place, is_new] = fields_.try_emplace(key);
    if (!is_new)
      scan.fail("a second " + std::string(key));
    place->second.line = scan.line();
    for (std::string_view word = scan.word(); !word.empty(); word = scan.word())
      place->second.words.push_back(word);
  }

  [[nodiscard]] const Field& listed(std::string_view key, std::size_t count) const {
    const Field& field = of(key);
    if (field.words.size() != count)
      throw FormatError(std::string(key) + " lists " + std::to_string(field.words.size()) +
                            " where " + std::to_string(count) + " are due",
                        field.line);
    return field;
  }

  static std::int64_t number(std::uint64_t line, std::string_view word, std::int64_t least,
                             std::string_view key) {
    std::int64_t value = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || stop != word.data() + word.size() || value < least || value > most)
      throw FormatError(shown(word) + " is no number for " + std::string(key), line);
    return value;
  }

  std::map<std::string_view, Field> fields_;
  std::uint64_t line_ = 0;
};

/// The variables of the support in the order of ids, and how they are sorted by level.
struct Support {
  std::vector<std::int64_t> ids, levels;
  std::vector<std::size_t> by_level;

  explicit Support(const Fields& fields) {
    const auto count = static_cast<std::size_t>(fields.number(".nsuppvars"));
    ids = fields.numbers(".ids", count);
    levels = fields.numbers(".permids", count);
    by_level.resize(count);
    std::iota(by_level.begin(), by_level.end(), std::size_t{0});
    std::ranges::sort(by_level, {}, [&](std::size_t i) { return levels[i]; });
    const auto same = std::ranges::adjacent_find(
        by_level, [&](std::size_t a, std::size_t b) { return levels[a] == levels[b]; });
    if (same != by_level.end())
      throw FormatError("two variables have the level " + std::to_string(levels[*same]),
                        fields.of(".permids").line);
  }
  [[nodiscard]] std::size_t size() const { return ids.size(); }
  [[nodiscard]] Names sorted(const Names& in_id_order) const {
    Names result;
    for (const std::size_t i : by_level)
      result.push_back(in_id_order[i]);
    return result;
  }
};

Names texts(const std::vector<std::int64_t>& numbers) {
  Names result;
  for (const std::int64_t each : numbers)
    result.push_back(std::to_string(each));
  return result;
}

Names chosen(const Names& from, const std::vector<std::int64_t>& places, const Field& field) {
  Names result;
  for (const std::int64_t place : places) {
    if (static_cast<std::size_t>(place) >= from.size())
      throw FormatError("there is no name for variable " + std::to_string(place), field.line);
    result.push_back(from[static_cast<std::size_t>(place)]);
  }
  return result;
}

Names every_name(const Fields& fields, std::string_view key) {
  return fields.names(key, static_cast<std::size_t>(fields.number(".nvars")));
}

/// Names of the support in the order of ids; empty where the file has none.
/// `.varnames` is the support's in version 1, every variable's in version 3.
Names support_names(const Fields& fields, const Support& support) {
  if (fields.find(".suppvarnames"))
    return fields.names(".suppvarnames", support.size());
  if (const Field* field = fields.find(".varnames"))
    return field->words.size() == support.size()
               ? fields.names(".varnames", support.size())
               : chosen(every_name(fields, ".varnames"), support.ids, *field);
  if (const Field* field = fields.find(".orderedvarnames"))
    return chosen(every_name(fields, ".orderedvarnames"), support.levels, *field);
  return {};
}

std::unordered_set<std::string_view> distinct(const Names& names, std::uint64_t line) {
  std::unordered_set<std::string_view> result;
  for (const std::string& name : names)
    if (!result.insert(name).second)
      throw FormatError("two variables are called " + shown(name), line);
  return result;
}

/// Every name of `.orderedvarnames`, the support's at the places of their ids. That line goes
/// by levels, which for the others is all that is known: they fill the places left over.
Names all_names(const Fields& fields, const Support& support, const Names& names) {
  const std::uint64_t line = fields.of(".ids").line;
  const Names ordered = every_name(fields, ".orderedvarnames");
  const auto in_support = distinct(names, line);
  Names result(ordered.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto id = static_cast<std::size_t>(support.ids[i]);
    if (id >= result.size() || !result[id].empty())
      throw FormatError("the id " + std::to_string(id) + " is not below .nvars, or given twice",
                        line);
    result[id] = names[i];
  }
  const auto declared = distinct(ordered, fields.of(".orderedvarnames").line);
  if (!std::ranges::all_of(names, [&](const auto& name) { return declared.contains(name); }))
    throw FormatError(".orderedvarnames does not hold every name of the support",
                      fields.of(".orderedvarnames").line);
  std::size_t place = 0;
  for (const std::string& name : ordered) {
    if (in_support.contains(name))
      continue;
    while (!result[place].empty())
      ++place;
    result[place] = name;
  }
  return result;
}

void place_features(const Fields& fields, const Support& support, const Names& names,
                    DddmpHeader& header) {
  const bool is_complete = fields.find(".orderedvarnames") != nullptr;
  header.features = is_complete     ? all_names(fields, support, names)
                    : names.empty() ? texts(support.ids)
                                    : names;
  (void)distinct(header.features, fields.of(".ids").line);
  for (const std::size_t i : support.by_level)
    header.feature_of.push_back(static_cast<FeatureId>(is_complete ? support.ids[i] : i));
}

/// What the nodes' lines repeat about their variable.
Names extra_words(const Fields& fields, const Support& support, const Names& names) {
  switch (fields.find(".varinfo") ? fields.number(".varinfo") : 4) {
  case 0:
    return support.sorted(texts(support.ids));
  case 1:
    return support.sorted(texts(support.levels));
  case 2:
    return support.sorted(texts(fields.numbers(".auxids", support.size())));
  case 3:
    return names.empty() ? Names(support.size()) : support.sorted(names);
  case 4:
    return Names(support.size());
  default:
    throw FormatError(".varinfo is 0, 1, 2, 3 or 4", fields.of(".varinfo").line);
  }
}

void read_roots(const Fields& fields, DddmpHeader& header) {
  const auto count = static_cast<std::size_t>(fields.number(".nroots", 1));
  header.roots_line = fields.of(".rootids").line;
  for (const std::int64_t root : fields.numbers(".rootids", count, -most)) {
    if (root > header.nodes || -root > header.nodes)
      throw FormatError("there is no node " + std::to_string(root) + " to be a root",
                        header.roots_line);
    header.roots.push_back(static_cast<std::int32_t>(root));
  }
  if (fields.find(".rootnames"))
    header.root_names = fields.names(".rootnames", count);
}

} // namespace

DddmpHeader read_dddmp_header(Scanner& scan) {
  const Fields fields(scan);
  if (!fields.word(".ver").starts_with("DDDMP-"))
    throw FormatError("the version is not one of DDDMP", fields.of(".ver").line);
  if (fields.word(".mode") != "A")
    throw FormatError("only the text form is read, `.mode A`; store the diagram in text mode",
                      fields.of(".mode").line);
  DddmpHeader header;
  header.nodes = static_cast<std::uint32_t>(fields.number(".nnodes", 1));
  const Support support(fields);
  const Names names = support_names(fields, support);
  place_features(fields, support, names, header);
  header.extra = extra_words(fields, support, names);
  header.ids = support.sorted(texts(support.ids));
  read_roots(fields, header);
  return header;
}

} // namespace reasons
