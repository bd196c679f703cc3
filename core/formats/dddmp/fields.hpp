// fields.hpp: the lines `.key word*` of a DDDMP header, each key once.
#pragma once

#include "formats/scanner.hpp"

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace reasons::formats {

/// What a header may say, as views of the file. Everything throws FormatError.
class DddmpFields {
public:
  struct Field {
    std::uint64_t line = 0;
    std::vector<std::string_view> words;
  };
  static constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();

  /// Reads to the line `.nodes`.
  explicit DddmpFields(Scanner& scan);

  [[nodiscard]] const Field* find(std::string_view key) const;
  [[nodiscard]] const Field& of(std::string_view key) const;
  [[nodiscard]] std::string_view word(std::string_view key) const;
  [[nodiscard]] std::int64_t number(std::string_view key, std::int64_t least = 0) const;
  /// Lists of a known length, which the file may claim but not be believed.
  [[nodiscard]] std::vector<std::int64_t> numbers(std::string_view key, std::size_t count,
                                                  std::int64_t least = 0) const;
  [[nodiscard]] std::vector<std::string> names(std::string_view key, std::size_t count) const;

private:
  void take(Scanner& scan, std::string_view key);
  [[nodiscard]] const Field& listed(std::string_view key, std::size_t count) const;

  std::map<std::string_view, Field> fields_;
  std::uint64_t line_ = 0;
};

} // namespace reasons::formats
