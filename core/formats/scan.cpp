#include "scan.hpp"

#include <charconv>

namespace reasons {
namespace {

constexpr std::string_view blanks{" \t\r\f\v\0", 6};
constexpr std::size_t most_shown = 40;

} // namespace

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
  const std::size_t start = rest_.find_first_not_of(blanks);
  if (start == std::string_view::npos) {
    rest_ = {};
    return {};
  }
  const std::size_t end = rest_.find_first_of(blanks, start);
  const std::string_view found =
      rest_.substr(start, end == std::string_view::npos ? end : end - start);
  rest_ = end == std::string_view::npos ? std::string_view{} : rest_.substr(end);
  word_ = found.data();
  return found;
}

std::string_view Scanner::rest() {
  const std::size_t start = rest_.find_first_not_of(blanks);
  if (start == std::string_view::npos)
    return {};
  const std::size_t end = rest_.find_last_not_of(blanks);
  const std::string_view found = rest_.substr(start, end - start + 1);
  rest_ = {};
  word_ = found.data();
  return found;
}

std::int64_t Scanner::integer(std::string_view what, std::int64_t least, std::int64_t most) {
  const std::string_view found = word();
  if (found.empty())
    fail("the line ends where " + std::string(what) + " is due");
  std::int64_t value = 0;
  const char* end = found.data() + found.size();
  const auto [stop, error] = std::from_chars(found.data(), end, value);
  if (error == std::errc::result_out_of_range ||
      (error == std::errc{} && stop == end && (value < least || value > most)))
    fail(shown(found) + " is out of range for " + std::string(what));
  if (error != std::errc{} || stop != end)
    fail(shown(found) + " is not " + std::string(what));
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

} // namespace reasons
