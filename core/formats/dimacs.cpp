// dimacs.cpp: a clause may span lines and a line may hold clauses, so words are what counts;
// only headers, comments and the trailer of SATLIB files are lines.
#include "formats/dimacs.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

namespace reasons::formats {
namespace {

constexpr std::int64_t most_variables = (1 << 30) - 1;
constexpr std::int64_t most_clauses = std::numeric_limits<std::int64_t>::max();

class Reader {
public:
  explicit Reader(std::string_view text) : in_(text) {}

  Dimacs read() {
    while (!trailer_ && in_.next_line())
      line();
    if (!header_)
      throw FormatError("the line 'p cnf VARIABLES CLAUSES' is missing",
                        std::max<std::uint64_t>(in_.line(), 1));
    finish();
    return std::move(out_);
  }

private:
  void line() {
    const std::string_view word = in_.word();
    if (word.empty())
      return;
    if (word.front() == 'c')
      comment(word);
    else if (word.front() == 'p')
      header(word);
    else if (word == "%")
      trailer();
    else
      clauses(word);
  }

  void header(std::string_view word) {
    if (word != "p")
      in_.fail(shown(word) + " is not a literal");
    if (header_)
      in_.fail("a second header; the first is in line " + std::to_string(header_));
    if (const auto kind = in_.word(); kind == "wcnf")
      in_.fail("'p wcnf' is a format of its own; write 'p cnf', and weights of literals as lines "
               "'c p weight LITERAL WEIGHT 0'");
    else if (kind != "cnf")
      in_.fail("'cnf' is due after 'p', not " + shown(kind));
    out_.cnf.variables =
        static_cast<std::uint32_t>(in_.integer("the number of variables", 0, most_variables));
    announced_ = in_.integer("the number of clauses", 0, most_clauses);
    in_.end_of_line();
    header_ = in_.line();
  }

  void clauses(std::string_view word) {
    if (word == "w")
      in_.fail(
          "weights are read from lines 'c p weight LITERAL WEIGHT 0' only; of lines that begin "
          "with 'w' there are several dialects that differ in meaning");
    if (!header_)
      in_.fail("the line 'p cnf VARIABLES CLAUSES' is due before the clauses");
    for (; !word.empty(); word = in_.word())
      literal(word);
  }

  void literal(std::string_view word) {
    const std::int64_t value = in_.number(word, "a literal", -most_variables, most_variables);
    if (value == 0) {
      out_.cnf.end_clause();
      return;
    }
    out_.cnf.literals.push_back(static_cast<std::int32_t>(value));
    const auto variable = static_cast<std::uint32_t>(value < 0 ? -value : value);
    if (variable > out_.cnf.variables && largest_ == 0)
      too_large_ = in_.line();
    if (variable > out_.cnf.variables)
      largest_ = std::max(largest_, variable);
  }

  /// SATLIB files end with a line "%" and a line "0", which is no clause.
  void trailer() {
    trailer_ = true;
    while (in_.next_line())
      if (const auto word = in_.word(); !word.empty() && word != "0")
        in_.fail("after a line '%' nothing but '0' is due, not " + shown(word));
      else
        in_.end_of_line();
  }

  void comment(std::string_view word) {
    if (word != "c")
      return;
    const std::string_view first = in_.word();
    if (first == "t")
      out_.task = in_.word();
    else if (first == "ind" && !warned_of_ind_) {
      warned_of_ind_ = true;
      warn("a 'c ind' line is taken for a comment; projection is written 'c p show'");
    } else if (first == "p") {
      const std::string_view second = in_.word();
      if (second == "show")
        show();
      else if (second == "weight")
        weight();
    }
  }

  void show() {
    out_.is_projected = true;
    while (const auto variable = in_.integer("a variable to show, or 0", 0, most_variables))
      out_.shown.push_back({static_cast<std::uint32_t>(variable), in_.line()});
    in_.end_of_line();
  }

  void weight() {
    const auto literal = in_.integer("a literal", -most_variables, most_variables);
    if (literal == 0)
      in_.fail("0 is no literal to weigh");
    const std::string_view text = in_.word();
    if (text.empty())
      in_.fail("the line ends where a weight is due");
    out_.weights.push_back({static_cast<std::int32_t>(literal), std::string(text), in_.line()});
    if (const auto end = in_.word(); end.empty())
      warn("0 is due after the weight");
    else if (end != "0")
      in_.fail("0 is due after the weight, not " + shown(end));
    in_.end_of_line();
  }

  void finish() {
    if (out_.cnf.literals.size() > out_.cnf.first.back()) {
      out_.cnf.end_clause();
      warn("the last clause does not end with 0");
    }
    if (const auto found = out_.cnf.clauses(); found != static_cast<std::uint64_t>(announced_))
      out_.warnings.push_back({header_, "the header announces " + std::to_string(announced_) +
                                            " clauses, but there are " + std::to_string(found)});
    if (largest_ != 0) {
      out_.warnings.push_back(
          {too_large_, "the header announces " + std::to_string(out_.cnf.variables) +
                           " variables, but there are " + std::to_string(largest_)});
      out_.cnf.variables = largest_;
    }
    for (const auto& [variable, where] : out_.shown)
      require_announced(variable, where);
    for (const auto& weight : out_.weights)
      require_announced(static_cast<std::uint32_t>(std::abs(weight.literal)), weight.line);
  }

  /// Comments may stand before the header, so what they name is compared with it at the end.
  void require_announced(std::uint32_t variable, std::uint64_t where) const {
    if (variable > out_.cnf.variables)
      throw FormatError("variable " + std::to_string(variable) + " is larger than the largest, " +
                            std::to_string(out_.cnf.variables),
                        where);
  }

  void warn(std::string text) { out_.warnings.push_back({in_.line(), std::move(text)}); }

  Scanner in_;
  Dimacs out_;
  std::uint64_t header_ = 0; // its line
  std::int64_t announced_ = 0;
  std::uint32_t largest_ = 0;   // of the variables above those announced
  std::uint64_t too_large_ = 0; // line of the first of them
  bool trailer_ = false, warned_of_ind_ = false;
};

} // namespace

Dimacs read_dimacs(std::string_view text) {
  return Reader(text).read();
}

} // namespace reasons::formats
