// scanner.hpp: tokenizer: the words of a text, line by line, with their positions.
//
// Readers take the whole file as one view of bytes: nothing is copied, nothing is
// read past its end, and every complaint carries a line and a column.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace reasons::formats {

/// A file is not what its format demands.
class FormatError : public std::runtime_error {
public:
  FormatError(const std::string& message, std::uint64_t line, std::uint64_t column = 0)
      : std::runtime_error(message), line_(line), column_(column) {}

  [[nodiscard]] std::uint64_t line() const { return line_; }     ///< from 1
  [[nodiscard]] std::uint64_t column() const { return column_; } ///< from 1, 0 if not known

private:
  std::uint64_t line_, column_;
};

/// Something odd that was read all the same.
struct Warning {
  std::uint64_t line; ///< from 1; 0 if it is about the whole file
  std::string text;
};

class Scanner {
public:
  /// NULs at the end of the text are left out.
  explicit Scanner(std::string_view text);

  /// Goes to the next line (at first: to the first one); false at the end of the text.
  [[nodiscard]] bool next_line();
  /// The next word of the line, empty at its end. Blanks are spaces, tabs, CR, FF and VT.
  [[nodiscard]] std::string_view word();
  /// The next word as a number within limits; otherwise FormatError that says `what` was due.
  [[nodiscard]] std::int64_t integer(std::string_view what, std::int64_t least, std::int64_t most);
  /// The same for the word that was read last.
  [[nodiscard]] std::int64_t number(std::string_view word, std::string_view what,
                                    std::int64_t least, std::int64_t most) const;
  /// FormatError unless the line has no more words.
  void end_of_line();

  [[nodiscard]] std::uint64_t line() const { return line_; }
  /// Complains about the word that was read last.
  [[noreturn]] void fail(const std::string& message) const;

private:
  std::string_view text_, rest_;
  std::size_t at_ = 0;         // start of the line after this one
  std::size_t begin_ = 0;      // start of this line
  const char* word_ = nullptr; // start of the last word
  std::uint64_t line_ = 0;
};

/// Text for a message: what a file holds may be long or not printable.
[[nodiscard]] std::string shown(std::string_view word);

} // namespace reasons::formats
