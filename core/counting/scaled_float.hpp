// scaled_float.hpp: floating-point numbers with an exponent of 64 bits, which cannot underflow.
#pragma once

#include <cstdint>

namespace reasons::counting {

/// value * 2^(256 * blocks), with the value 0 or between 2^-256 and about 1. A common
/// exponent would have to be aligned at every sum; whole blocks nearly always agree.
struct ScaledFloat {
  double value = 0;
  std::int64_t blocks = 0;

  static constexpr double block = 0x1p256, smallest = 0x1p-256;

  [[nodiscard]] ScaledFloat normal() const {
    ScaledFloat number = *this;
    for (; number.value != 0 && number.value < smallest; --number.blocks)
      number.value *= block;
    return number;
  }
  [[nodiscard]] ScaledFloat operator*(const ScaledFloat& other) const {
    return ScaledFloat{value * other.value, blocks + other.blocks}.normal();
  }
  [[nodiscard]] ScaledFloat operator+(const ScaledFloat& other) const {
    if (value == 0 || other.value == 0)
      return value == 0 ? other : *this;
    const bool above = blocks >= other.blocks;
    const ScaledFloat &large = above ? *this : other, &small = above ? other : *this;
    // Two blocks lower, a number is too small to change the other.
    if (large.blocks == small.blocks)
      return {large.value + small.value, large.blocks};
    if (large.blocks == small.blocks + 1)
      return {large.value + small.value * smallest, large.blocks};
    return large;
  }
  /// Divided by one that is not 0, as a plain number; 0 where it is too small for that.
  [[nodiscard]] double operator/(const ScaledFloat& other) const {
    const double ratio = value / other.value;
    if (blocks == other.blocks)
      return ratio;
    if (blocks == other.blocks + 1)
      return ratio * block;
    return blocks == other.blocks - 1 ? ratio * smallest : 0;
  }
};

} // namespace reasons::counting
