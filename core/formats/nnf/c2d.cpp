// c2d.cpp: reader of the c2d format of NNF, which dsharp and others write too.
#include "formats/nnf/reader.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace reasons::formats {
namespace {

constexpr std::int64_t most_count = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t most_edges = 0xFFFFFFF0u;

constexpr std::string_view sign = "nnf";

struct Header {
  std::int64_t nodes, edges, variables;
  std::uint64_t line;
};

class Reader {
public:
  explicit Reader(std::string_view text) : in_(text) {}

  NnfFile read() {
    while (in_.next_line())
      line();
    finish();
    return std::move(out_);
  }

private:
  void line() {
    const std::string_view word = in_.word();
    if (word.empty() || word == "c")
      return;
    if (word == "L")
      literal();
    else if (word == "A")
      gate(NnfKind::conjunction, 0);
    else if (word == "O")
      disjunction();
    else if (!header_ && nnf_.size() == 0)
      header(word);
    else
      in_.fail(shown(word) + " begins no node; L, A or O is due");
  }

  /// Something that a user typed or printed may stand before the header in its line; the
  /// header is still what ends the line, if it is one.
  void header(std::string_view word) {
    std::array<std::string_view, 4> last{};
    const bool is_first = word == sign;
    for (; !word.empty(); word = in_.word()) {
      std::rotate(last.begin(), last.begin() + 1, last.end());
      last.back() = word;
    }
    if (!last.front().ends_with(sign))
      in_.fail("this is no .nnf file; 'nnf NODES EDGES VARIABLES' is due");
    header_ =
        Header{in_.number(last[1], "the number of nodes", 0, most_count),
               in_.number(last[2], "the number of edges", 0, most_count),
               in_.number(last[3], "the number of variables", 0, most_nnf_variables), in_.line()};
    nnf_.variables = static_cast<std::uint32_t>(header_->variables);
    if (!is_first || last.front() != sign)
      warn("something stands before 'nnf' in the header");
  }

  void literal() {
    const auto value = in_.integer("a literal", -most_nnf_variables, most_nnf_variables);
    if (value == 0)
      in_.fail("0 is no literal");
    in_.end_of_line();
    largest_ = std::max(largest_, static_cast<std::uint32_t>(value < 0 ? -value : value));
    add(NnfKind::literal, static_cast<std::int32_t>(value));
  }

  void disjunction() {
    const auto decided = in_.integer("a variable, or 0", 0, most_nnf_variables);
    gate(NnfKind::disjunction, static_cast<std::int32_t>(decided));
  }

  void gate(NnfKind kind, std::int32_t decided) {
    const auto count = in_.integer("the number of inputs", 0, most_count);
    for (std::int64_t i = 0; i < count; ++i) {
      const auto input = in_.integer("a node", 0, most_count);
      if (input >= nnf_.size())
        in_.fail("node " + std::to_string(nnf_.size()) + " has the input " + std::to_string(input) +
                 ", which does not stand before it");
      nnf_.edges.push_back(static_cast<std::uint32_t>(input));
    }
    in_.end_of_line();
    if (nnf_.edges.size() > most_edges)
      in_.fail("the graph has more edges than can be held");
    if (count == 0)
      add(kind == NnfKind::conjunction ? NnfKind::verum : NnfKind::falsum, 0);
    else
      add(kind, decided);
  }

  void add(NnfKind kind, std::int32_t literal) {
    nnf_.root = nnf_.add(kind, literal, nnf_.size(), in_.line());
  }

  void finish() {
    if (nnf_.size() == 0)
      throw FormatError("there is no node", std::max<std::uint64_t>(in_.line(), 1));
    if (!header_)
      out_.warnings.push_back({1, "the header 'nnf NODES EDGES VARIABLES' is missing; variables "
                                  "above " +
                                      std::to_string(largest_) + " are not known"});
    else
      compare_with(*header_);
    nnf_.variables = std::max(nnf_.variables, largest_);
  }

  void compare_with(const Header& said) {
    // The root is the last node, so that a file which was cut short would say something else.
    if (nnf_.size() < said.nodes)
      throw FormatError("the header announces " + std::to_string(said.nodes) +
                            " nodes, but there are " + std::to_string(nnf_.size()) +
                            ": the file is cut short",
                        in_.line());
    const auto differs = [&](std::int64_t number, std::uint64_t found, const char* what) {
      if (static_cast<std::uint64_t>(number) != found)
        out_.warnings.push_back({said.line, "the header announces " + std::to_string(number) + " " +
                                                what + ", but there are " + std::to_string(found)});
    };
    differs(said.nodes, nnf_.size(), "nodes");
    differs(said.edges, nnf_.edges.size(), "edges");
    if (largest_ > said.variables)
      differs(said.variables, largest_, "variables");
  }

  void warn(std::string text) { out_.warnings.push_back({in_.line(), std::move(text)}); }

  Scanner in_;
  NnfFile out_;
  Nnf& nnf_ = out_.nnf;
  std::optional<Header> header_;
  std::uint32_t largest_ = 0;
};

} // namespace

NnfFile read_c2d(std::string_view text) {
  return Reader(text).read();
}

} // namespace reasons::formats
