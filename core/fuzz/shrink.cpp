#include "fuzz/shrink.hpp"

#include "fuzz/limits.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <vector>

namespace reasons::fuzz {
namespace {

using Pieces = std::vector<std::string>;

/// Cuts after each of these characters; after every byte if there are none.
Pieces pieces(const std::string& text, const std::string& after) {
  Pieces found(1);
  for (const char c : text) {
    found.back() += c;
    if (after.empty() || after.find(c) != std::string::npos)
      found.emplace_back();
  }
  return found;
}

std::string joined(const Pieces& parts, std::size_t skip_from, std::size_t skip_to) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (i < skip_from || i >= skip_to)
      text += parts[i];
  return text;
}

/// What a report says first, without addresses: so shrinking ends with the bug it began with.
std::string kind_of(const std::string& report) {
  std::ifstream file(report);
  for (std::string line; std::getline(file, line);)
    for (const std::string mark : {"BROKEN: ", "AddressSanitizer: ", "runtime error: "})
      if (const auto at = line.find(mark); at != std::string::npos)
        return line.substr(at, line.find_first_of("0123456789", at) - at);
  return "";
}

class Shrinker {
public:
  Shrinker(std::string text, std::string how, std::string report)
      : best_(std::move(text)), how_(std::move(how)), report_(std::move(report)) {
    (void)in_child(report_, [&] { run_limited(best_); });
    kind_ = kind_of(report_);
  }

  std::string smallest() {
    for (std::size_t before = best_.size() + 1; best_.size() < before && has_time();) {
      before = best_.size();
      for (const char* after : {"\n", " \n", ""})
        leave_out(after);
    }
    return best_;
  }

private:
  void leave_out(const std::string& after) {
    for (std::size_t width = pieces(best_, after).size(); width > 0; width /= 2) {
      Pieces parts = pieces(best_, after);
      for (std::size_t at = 0; at < parts.size() && has_time();) {
        const std::size_t end = std::min(at + width, parts.size());
        const std::string candidate = joined(parts, at, end);
        if (candidate.size() < best_.size() && fails(candidate)) {
          best_ = candidate;
          parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(at),
                      parts.begin() + static_cast<std::ptrdiff_t>(end));
        } else
          at = end;
      }
    }
  }

  bool fails(const std::string& candidate) {
    --left_;
    return in_child(report_, [&] { run_limited(candidate); }) == how_ && kind_of(report_) == kind_;
  }

  [[nodiscard]] bool has_time() const {
    return left_ > 0 && std::chrono::steady_clock::now() < end_;
  }

  std::string best_, how_, report_, kind_;
  int left_ = 2'000;
  std::chrono::steady_clock::time_point end_ =
      std::chrono::steady_clock::now() + std::chrono::seconds(20);
};

} // namespace

std::string shrunk(const std::string& text, const std::string& how, const std::string& report) {
  return Shrinker(text, how, report).smallest();
}

} // namespace reasons::fuzz
