#include "formats/dddmp/dddmp.hpp"

#include "base/error.hpp"
#include "circuit/builder.hpp"
#include "formats/dddmp/header.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <locale>
#include <map>
#include <sstream>

namespace reasons::formats {
namespace {

constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();

/// The lines between `.nodes` and `.end`.
class NodeReader {
public:
  NodeReader(Scanner& scan, const DddmpHeader& header, Dddmp& out)
      : scan_(scan), header_(header), out_(out) {}

  void read(Budget& budget) {
    for (;;) {
      if (!scan_.next_line())
        throw FormatError("the file ends before its .end", scan_.line());
      const std::string_view number = scan_.word();
      if (number == ".end")
        break;
      if (number.empty() || number.front() == '#')
        continue;
      budget.tick();
      read_node(number);
    }
    if (out_.tests.size() != header_.nodes)
      throw FormatError("there are " + std::to_string(out_.tests.size()) +
                            " nodes where .nnodes says " + std::to_string(header_.nodes),
                        scan_.line());
    settle_values();
  }

private:
  void read_node(std::string_view number) {
    const std::size_t due = out_.tests.size() + 1;
    if (number != std::to_string(due) || due > header_.nodes)
      scan_.fail("the line of node " + std::to_string(due) + " or .end is due, not " +
                 shown(number));
    Scanner words = scan_; // tells four words from five
    std::size_t count = 1;
    while (count < 7 && !words.word().empty())
      ++count;
    if (count != 4 && count != 5)
      scan_.fail("a node's line has four or five words");
    const std::string_view extra = count == 5 ? scan_.word() : std::string_view{};
    const std::string_view test = scan_.word();
    const auto high = static_cast<std::int32_t>(scan_.integer("a node", -most, most));
    const auto low = static_cast<std::int32_t>(scan_.integer("a node", -most, most));
    if (high == 0 && low == 0)
      out_.tests.push_back(terminal(test));
    else
      out_.tests.push_back(variable(test, extra, high, low));
    out_.high.push_back(high);
    out_.low.push_back(low);
  }

  /// The place of a terminal's value among those seen so far.
  std::uint32_t terminal(std::string_view word) {
    double value = word == "T" ? 1 : 0;
    if (word != "T" && word != "F") {
      std::istringstream text{std::string(word)};
      text.imbue(std::locale::classic()); // the decimal point is no matter of the user's language
      if (!(text >> value) || !text.eof() || !std::isfinite(value))
        scan_.fail(shown(word) + " is no value of a terminal");
    }
    const auto [place, is_new] =
        places_.try_emplace(value, static_cast<std::uint32_t>(out_.values.size()));
    if (is_new)
      out_.values.push_back(value);
    return place->second;
  }

  std::uint32_t variable(std::string_view word, std::string_view extra, std::int32_t high,
                         std::int32_t low) {
    std::uint32_t index = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), index);
    if (error != std::errc{} || stop != word.data() + word.size() ||
        index >= header_.feature_of.size())
      scan_.fail(shown(word) + " is no variable of the " +
                 std::to_string(header_.feature_of.size()) + " of the support");
    const std::string& expected = header_.extra[index];
    if (!extra.empty() && !expected.empty() && extra != expected && extra != header_.ids[index])
      scan_.fail("the line says " + shown(extra) + ", but variable " + std::to_string(index) +
                 " of the support is " + shown(expected));
    require_below(high, index);
    require_below(low, index);
    return index;
  }

  void require_below(std::int32_t edge, std::uint32_t index) {
    const auto child = static_cast<std::size_t>(std::abs(edge));
    const std::size_t node = out_.tests.size() + 1;
    if (edge == 0 || child >= node)
      scan_.fail("node " + std::to_string(node) + " uses node " + std::to_string(child) +
                 ", which does not stand before it");
    const bool is_terminal = out_.high[child - 1] == 0;
    if (!is_terminal && out_.tests[child - 1] <= index)
      scan_.fail("the diagram is not ordered: node " + std::to_string(node) + " and node " +
                 std::to_string(child) + " below it test variables " + std::to_string(index) +
                 " and " + std::to_string(out_.tests[child - 1]) + " of the support");
    if (edge < 0 && complemented_ == 0)
      complemented_ = scan_.line();
  }

  /// Sorts the values; complemented edges make sense between 0 and 1 only.
  void settle_values() {
    const bool is_boolean =
        std::ranges::all_of(out_.values, [](double value) { return value == 0 || value == 1; });
    const bool negative_root = std::ranges::any_of(out_.roots, [](auto root) { return root < 0; });
    if (!is_boolean && (complemented_ != 0 || negative_root))
      throw FormatError("a complemented edge, but terminals that are not 0 or 1",
                        complemented_ != 0 ? complemented_ : header_.roots_line);
    std::vector<double> sorted = is_boolean ? std::vector<double>{0, 1} : out_.values;
    std::ranges::sort(sorted);
    std::vector<std::uint32_t> place(out_.values.size());
    for (std::size_t i = 0; i < place.size(); ++i)
      place[i] = static_cast<std::uint32_t>(std::ranges::lower_bound(sorted, out_.values[i]) -
                                            sorted.begin());
    for (std::size_t n = 0; n < out_.tests.size(); ++n)
      if (out_.high[n] == 0)
        out_.tests[n] = place[out_.tests[n]];
    out_.values = std::move(sorted);
  }

  Scanner& scan_;
  const DddmpHeader& header_;
  Dddmp& out_;
  std::map<double, std::uint32_t> places_;
  std::uint64_t complemented_ = 0; // line of the first complemented edge
};

/// Edges as even numbers, odd where complemented.
[[nodiscard]] std::uint32_t code(std::int32_t edge) {
  return edge < 0 ? 2 * static_cast<std::uint32_t>(-edge) + 1
                  : 2 * static_cast<std::uint32_t>(edge);
}

/// Which nodes the root uses, each plainly or complemented.
std::vector<bool> used_by(const Dddmp& diagram, std::int32_t root) {
  std::vector<bool> used(2 * diagram.tests.size() + 2);
  used[code(root)] = true;
  for (std::uint32_t edge = code(root) | 1; edge > 1; --edge) {
    const std::size_t n = edge / 2 - 1;
    if (!used[edge] || diagram.high[n] == 0)
      continue;
    used[code(diagram.high[n]) ^ (edge & 1)] = true;
    used[code(diagram.low[n]) ^ (edge & 1)] = true;
  }
  return used;
}

} // namespace

Dddmp read_dddmp(std::string_view text, Budget& budget) {
  Scanner scan(text);
  DddmpHeader header = read_dddmp_header(scan);
  Dddmp result;
  result.roots = header.roots;
  NodeReader(scan, header, result).read(budget);
  result.features = std::move(header.features);
  result.feature_of = std::move(header.feature_of);
  result.root_names = std::move(header.root_names);
  return result;
}

Circuit dddmp_circuit(const Dddmp& diagram, std::int32_t root, Budget budget) {
  if (root == 0 || static_cast<std::size_t>(std::abs(std::int64_t{root})) > diagram.tests.size())
    throw InputError("the diagram has no node " + std::to_string(root));
  const std::vector<bool> used = used_by(diagram, root);
  circuit::Builder builder(std::vector<std::uint32_t>(diagram.features.size(), 2),
                           static_cast<std::uint32_t>(diagram.values.size()), std::move(budget));
  std::vector<NodeId> made(used.size());
  for (std::uint32_t edge = 2; edge < used.size(); ++edge) {
    if (!used[edge])
      continue;
    const std::uint32_t n = edge / 2 - 1, flip = edge & 1;
    if (diagram.high[n] == 0) {
      made[edge] = builder.leaf(diagram.tests[n] ^ flip);
    } else {
      const NodeId children[2] = {made[code(diagram.low[n]) ^ flip],
                                  made[code(diagram.high[n]) ^ flip]};
      made[edge] = builder.decide(diagram.feature_of[diagram.tests[n]], children);
    }
  }
  return builder.build(made[code(root)]);
}

} // namespace reasons::formats
