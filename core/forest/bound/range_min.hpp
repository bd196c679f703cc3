// range_min.hpp: least values over ranges, by sparse tables.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace reasons::forest {

/// The least of the values in a range. Short ranges are scanned, longer ones looked up.
template <class Value> class RangeMin {
public:
  /// Time O(n log n); the values must stay while they are asked about.
  void reset(std::span<const Value> values) {
    values_ = values;
    const std::size_t levels =
        values.size() > scanned ? static_cast<std::size_t>(std::bit_width(values.size())) - 1 : 0;
    if (levels_.size() < levels)
      levels_.resize(levels);
    for (std::size_t k = 0; k < levels; ++k) {
      const std::size_t half = std::size_t{1} << k, count = values.size() + 1 - 2 * half;
      const Value* below = k == 0 ? values.data() : levels_[k - 1].data();
      levels_[k].resize(values.size());
      for (std::size_t i = 0; i < count; ++i)
        levels_[k][i] = std::min(below[i], below[i + half]);
    }
  }

  /// The least from `begin` on, up to `end`, which is after it.
  [[nodiscard]] Value least(std::uint32_t begin, std::uint32_t end) const {
    const std::uint32_t size = end - begin;
    if (size <= scanned) {
      Value low = values_[begin];
      for (std::uint32_t i = begin + 1; i < end; ++i)
        low = std::min(low, values_[i]);
      return low;
    }
    const auto level = static_cast<std::size_t>(std::bit_width(size)) - 1;
    const std::vector<Value>& row = levels_[level - 1];
    return std::min(row[begin], row[end - (std::uint32_t{1} << level)]);
  }

private:
  static constexpr std::uint32_t scanned = 8;
  std::span<const Value> values_;
  std::vector<std::vector<Value>> levels_; // [k][i]: the least of 2^(k+1) values from i on
};

/// Lowers the values of ranges; what each value came to is told at the end.
template <class Value> class RangeLower {
public:
  void reset(std::size_t size, Value high) {
    size_ = size;
    levels_.resize(std::max(levels_.size(), static_cast<std::size_t>(std::bit_width(size))));
    for (std::size_t k = 0; k < static_cast<std::size_t>(std::bit_width(size)); ++k)
      levels_[k].assign(size, high);
  }
  void lower(std::uint32_t begin, std::uint32_t end, Value value) {
    const auto level = static_cast<std::size_t>(std::bit_width(end - begin)) - 1;
    Value& first = levels_[level][begin];
    Value& last = levels_[level][end - (std::uint32_t{1} << level)];
    first = std::min(first, value);
    last = std::min(last, value);
  }
  /// Time O(n log n).
  void finish(std::span<Value> into) {
    for (std::size_t k = static_cast<std::size_t>(std::bit_width(size_)); k-- > 1;) {
      const std::size_t half = std::size_t{1} << (k - 1);
      for (std::size_t i = 0; i + 2 * half <= size_; ++i) {
        levels_[k - 1][i] = std::min(levels_[k - 1][i], levels_[k][i]);
        levels_[k - 1][i + half] = std::min(levels_[k - 1][i + half], levels_[k][i]);
      }
    }
    std::copy_n(levels_[0].begin(), size_, into.begin());
  }

private:
  std::size_t size_ = 0;
  std::vector<std::vector<Value>> levels_; // [k][i]: of 2^k values from i on
};

} // namespace reasons::forest
