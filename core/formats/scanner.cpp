#include "formats/scanner.hpp"

#include <charconv>

namespace reasons::formats {
namespace {

constexpr std::size_t most_shown = 40;

constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/// Some tools pad files with NUL. Within a text it is no blank: it would make 1 and 2 of a 12
/// in a file of two bytes a character.
std::string_view without_padding(std::string_view text) {
  return text.substr(0, text.find_last_not_of('\0') + 1);
}

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.front()))
    text.remove_prefix(1);
  return text;
}

} // namespace

Scanner::Scanner(std::string_view text) : text_(without_padding(text)) {}

bool Scanner::next_line() {
  if (at_ >= text_.size())
    return false;
  const std::size_t end = text_.find('\n', at_);
  begin_ = at_;
  rest_ = text_.substr(at_, end == std::string_view::npos ? end : end - at_);
  at_ = end == std::string_view::npos ? text_.size() : end + 1;
  word_ = rest_.data();
  ++line_;
  return true;
}

std::string_view Scanner::word() {
  rest_ = without_blanks(rest_);
  std::size_t end = 0;
  while (end < rest_.size() && !is_blank(rest_[end]))
    ++end;
  const std::string_view found = rest_.substr(0, end);
  rest_.remove_prefix(end);
  word_ = found.data();
  return found;
}

std::int64_t Scanner::integer(std::string_view what, std::int64_t least, std::int64_t most) {
  const std::string_view found = word();
  if (found.empty())
    fail("the line ends where " + std::string(what) + " is due");
  return number(found, what, least, most);
}

std::int64_t Scanner::number(std::string_view found, std::string_view what, std::int64_t least,
                             std::int64_t most) const {
  std::int64_t value = 0;
  const char* end = found.data() + found.size();
  const auto [stop, error] = std::from_chars(found.data(), end, value);
  // "-0" comes from programs that cut numbers off; as the 0 that ends a list it would hide that.
  if (stop != end || error == std::errc::invalid_argument || found == "-0")
    fail(shown(found) + " is not " + std::string(what));
  if (error != std::errc{} || value < least || value > most)
    fail(shown(found) + " is out of range for " + std::string(what));
  return value;
}

void Scanner::end_of_line() {
  if (const std::string_view more = word(); !more.empty())
    fail("nothing more is due in this line, but there is " + shown(more));
}

void Scanner::fail(const std::string& message) const {
  const auto column =
      word_ == nullptr ? 0 : static_cast<std::uint64_t>(word_ - (text_.data() + begin_)) + 1;
  throw FormatError(message, line_, column);
}

std::string shown(std::string_view word) {
  std::string result = "'";
  for (const char c : word.substr(0, most_shown))
    result += c >= ' ' && c <= '~' ? c : '?';
  return result + (word.size() > most_shown ? "...'" : "'");
}

} // namespace reasons::formats
