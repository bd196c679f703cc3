#include "formats/dddmp/header.hpp"

#include "formats/dddmp/fields.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_set>

namespace reasons::formats {
namespace {

using Names = std::vector<std::string>;

/// The variables of the support in the order of ids, and how they are sorted by level.
struct Support {
  std::vector<std::int64_t> ids, levels;
  std::vector<std::size_t> by_level;

  explicit Support(const DddmpFields& fields) {
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

Names chosen(const Names& from, const std::vector<std::int64_t>& places,
             const DddmpFields::Field& field) {
  Names result;
  for (const std::int64_t place : places) {
    if (static_cast<std::size_t>(place) >= from.size())
      throw FormatError("there is no name for variable " + std::to_string(place), field.line);
    result.push_back(from[static_cast<std::size_t>(place)]);
  }
  return result;
}

Names every_name(const DddmpFields& fields, std::string_view key) {
  return fields.names(key, static_cast<std::size_t>(fields.number(".nvars")));
}

/// Names of the support in the order of ids; empty where the file has none.
/// `.varnames` is the support's in version 1, every variable's in version 3.
Names support_names(const DddmpFields& fields, const Support& support) {
  if (fields.find(".suppvarnames"))
    return fields.names(".suppvarnames", support.size());
  if (const DddmpFields::Field* field = fields.find(".varnames"))
    return field->words.size() == support.size()
               ? fields.names(".varnames", support.size())
               : chosen(every_name(fields, ".varnames"), support.ids, *field);
  if (const DddmpFields::Field* field = fields.find(".orderedvarnames"))
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
Names all_names(const DddmpFields& fields, const Support& support, const Names& names) {
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

void place_features(const DddmpFields& fields, const Support& support, const Names& names,
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
Names extra_words(const DddmpFields& fields, const Support& support, const Names& names) {
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

void read_roots(const DddmpFields& fields, DddmpHeader& header) {
  const auto count = static_cast<std::size_t>(fields.number(".nroots", 1));
  header.roots_line = fields.of(".rootids").line;
  for (const std::int64_t root : fields.numbers(".rootids", count, -DddmpFields::most)) {
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
  const DddmpFields fields(scan);
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

} // namespace reasons::formats
