// test_dimacs.cpp: the scanner, and clauses as files hold them.
#include "formats/dimacs.hpp"
#include "tests/formats/mutate.hpp"
#include "tests/support/harness.hpp"

#include <string>

using namespace reasons;
using namespace reasons::cnf;
using namespace reasons::formats;

namespace {

using Place = std::pair<std::uint64_t, std::uint64_t>;

/// Where reading fails, or {0, 0}.
Place failure(const std::string& text) {
  try {
    (void)read_dimacs(text);
  } catch (const FormatError& error) {
    return {error.line(), error.column()};
  }
  return {0, 0};
}

std::vector<std::vector<std::int32_t>> clauses(const Cnf& cnf) {
  std::vector<std::vector<std::int32_t>> found;
  for (std::size_t c = 0; c < cnf.clauses(); ++c)
    found.emplace_back(cnf.clause(c).begin(), cnf.clause(c).end());
  return found;
}

} // namespace

TEST(words_and_numbers_know_where_they_stand) {
  Scanner in("ab  12\r\n\n\t-7x");
  CHECK(in.next_line() && in.word() == "ab" && in.integer("a number", 0, 12) == 12);
  CHECK(in.word().empty() && in.word().empty());
  CHECK(in.next_line() && in.word().empty());
  CHECK(in.next_line() && in.line() == 3);
  try {
    (void)in.integer("a number", -9, 9);
    CHECK(false);
  } catch (const FormatError& error) {
    CHECK(error.line() == 3 && error.column() == 2);
  }
  CHECK(!in.next_line());
}

TEST(numbers_out_of_range_are_not_taken_for_words) {
  for (const std::string text : {"99999999999999999999", "-99999999999999999999", "10"}) {
    Scanner in(text);
    CHECK(in.next_line());
    try {
      (void)in.integer("a digit", 0, 9);
      CHECK(false);
    } catch (const FormatError& error) {
      CHECK(std::string(error.what()).find("out of range") != std::string::npos);
    }
  }
}

TEST(what_a_file_holds_is_shown_short_and_printable) {
  CHECK(shown("a\nb") == "'a?b'");
  CHECK(shown(std::string(1000, 'x')).size() < 50);
}

TEST(clauses_may_share_lines_and_span_them) {
  const auto found = read_dimacs("c hello\np cnf 4 3\n1 -2 0 3\nc between\n4\n 0 -1\t0\r\n");
  const std::vector<std::vector<std::int32_t>> expected{{1, -2}, {3, 4}, {-1}};
  CHECK(clauses(found.cnf) == expected && found.cnf.variables == 4 && found.warnings.empty());
}

TEST(tautologies_and_repeated_literals_and_empty_clauses_stay) {
  const auto found = read_dimacs("p cnf 1 3\n1 -1 0\n1 1 0\n0\n");
  const std::vector<std::vector<std::int32_t>> expected{{1, -1}, {1, 1}, {}};
  CHECK(clauses(found.cnf) == expected);
}

TEST(wrong_counts_and_a_missing_last_zero_are_warnings) {
  CHECK(read_dimacs("p cnf 2 5\n1 0\n").warnings.size() == 1);
  CHECK(read_dimacs("p cnf 2 0\n1 0\n").warnings.front().line == 1);
  const auto open = read_dimacs("p cnf 2 1\n1 2");
  CHECK(open.cnf.clauses() == 1 && open.warnings.size() == 1 && open.warnings.front().line == 2);
}

TEST(the_trailer_of_satlib_is_no_clause) {
  const auto found = read_dimacs("p cnf 2 1\n1 2 0\n%\n0\n\n");
  CHECK(found.cnf.clauses() == 1 && found.warnings.empty());
  CHECK((failure("p cnf 2 1\n1 2 0\n%\n0\n1 0\n") == Place{5, 1}));
}

TEST(bad_headers_are_refused_with_their_line) {
  CHECK((failure("") == Place{1, 0}));
  CHECK((failure("c only\n") == Place{1, 0}));
  CHECK((failure("1 2 0\n") == Place{1, 1}));
  CHECK((failure("p cnf 2 1\np cnf 2 1\n") == Place{2, 1}));
  CHECK((failure("p wcnf 2 1\n") == Place{1, 3}));
  CHECK((failure("p dnf 2 1\n") == Place{1, 3}));
  CHECK((failure("p cnf 2\n") == Place{1, 8}));
  CHECK((failure("p cnf -2 1\n") == Place{1, 7}));
  CHECK((failure("p cnf 2 1 7\n") == Place{1, 11}));
  CHECK((failure("p cnf 99999999999 1\n") == Place{1, 7}));
  CHECK((failure("pcnf 2 1\n") == Place{1, 1}));
}

TEST(variables_above_the_announced_ones_are_warned_of_and_kept) {
  const auto found = read_dimacs("p cnf 2 1\n1\n-3 5 0\n");
  CHECK(found.cnf.variables == 5 && found.warnings.size() == 1 && found.warnings[0].line == 3);
}

TEST(literals_are_numbers) {
  CHECK((failure("p cnf 2 1\n1 9999999999 0\n") == Place{2, 3}));
  CHECK((failure("p cnf 2 1\n1 -9999999999 0\n") == Place{2, 3}));
  CHECK((failure("p cnf 2 1\n1 x 0\n") == Place{2, 3}));
  CHECK((failure("p cnf 2 1\n1 +2 0\n") == Place{2, 3}));
  CHECK((failure("p cnf 2 1\nw 1 0.5 0\n") == Place{2, 1}));
}

TEST(a_header_allocates_nothing) {
  const auto found = read_dimacs("p cnf 999999999 999999999999999\n1 0\n");
  CHECK(found.cnf.variables == 999'999'999 && found.cnf.literals.capacity() < 100);
}

TEST(shown_variables_of_several_lines_add_up) {
  const auto found = read_dimacs("c p show 1 2 0\np cnf 3 0\nc p show 3 0\nc p =\n");
  CHECK(found.is_projected && found.shown.size() == 3 && found.shown[2].line == 3);
  CHECK(read_dimacs("p cnf 1 0\nc p show 0\n").is_projected);
  CHECK(!read_dimacs("p cnf 1 0\nc p shown 1\n").is_projected);
  CHECK((failure("c p show 1 2\np cnf 3 0\n") == Place{1, 13}));
  CHECK((failure("c p show 4 0\np cnf 3 0\n") == Place{1, 0}));
}

TEST(weights_are_kept_as_written) {
  const auto found = read_dimacs("c t wmc\np cnf 2 0\nc p weight -2 0.1250 0\nc p weight 1 1/3\n");
  CHECK(found.task == "wmc" && found.weights.size() == 2 && found.warnings.size() == 1);
  CHECK(found.weights[0].literal == -2 && found.weights[0].text == "0.1250");
  CHECK((failure("p cnf 2 0\nc p weight 3 1 0\n") == Place{2, 0}));
  CHECK((failure("p cnf 2 0\nc p weight 0 1 0\n") == Place{2, 12}));
  CHECK((failure("p cnf 2 0\nc p weight 1\n") == Place{2, 13}));
  CHECK((failure("p cnf 2 0\nc p weight 1 2 3\n") == Place{2, 16}));
}

TEST(a_file_cut_anywhere_is_read_or_refused) {
  const std::string whole =
      "c t wmc\nc p show 1 2 3 0\np cnf 3 2\n1 -2 0 2\n3 0\nc p weight 1 .5 0\n%\n0\n";
  std::size_t read = 0;
  for (std::size_t end = 0; end <= whole.size(); ++end)
    read += failure(whole.substr(0, end)).first == 0;
  CHECK(read > 10 && read < whole.size());
}

TEST(mutated_clauses_are_read_or_refused) {
  const std::string whole =
      "c t wmc\nc p show 1 2 3 0\np cnf 3 2\n1 -2 0 2\n3 0\nc p weight 1 .5 0\n%\n0\n";
  std::mt19937 rng(7);
  int read = 0, refused = 0;
  for (int round = 0; round < 5'000; ++round) {
    const auto [line, column] = failure(testing::mutated(whole, rng));
    ++(line == 0 ? read : refused);
    CHECK(line < 100 && column < 1'000);
  }
  CHECK(read > 500 && refused > 500);
}
