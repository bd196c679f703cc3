// tuple_table.hpp: hash-consed tuples of numbers: each is stored once and has an id.
//
// One arena and a table of 4 bytes a slot. A hash only says where to look: tuples are
// compared number by number.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace reasons {

class TupleTable {
public:
  /// The number of a tuple, which is size() - 1 if it is new.
  [[nodiscard]] std::uint32_t intern(std::span<const std::uint32_t> tuple);
  /// The number of a tuple, or `none`.
  [[nodiscard]] std::uint32_t find(std::span<const std::uint32_t> tuple) const;
  [[nodiscard]] std::span<const std::uint32_t> operator[](std::uint32_t number) const {
    return std::span(numbers_).subspan(first_[number], first_[number + 1] - first_[number]);
  }
  [[nodiscard]] std::size_t size() const { return hashes_.size(); }
  [[nodiscard]] std::uint64_t bytes() const;

  static constexpr std::uint32_t none = 0xFFFFFFFF;

private:
  [[nodiscard]] std::size_t slot_of(std::uint64_t hash, std::span<const std::uint32_t> tuple) const;
  void grow();

  std::vector<std::uint32_t> numbers_;
  std::vector<std::uint64_t> first_{0}, hashes_;
  std::vector<std::uint32_t> table_ = std::vector<std::uint32_t>(64, 0); // ids + 1
};

} // namespace reasons
