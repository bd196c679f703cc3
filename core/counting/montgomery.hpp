// montgomery.hpp: Montgomery multiplication modulo an odd prime below 2^62.
//
// Numbers are kept multiplied by 2^64, so that a product is reduced by two more
// multiplications; the remainder of a 128-bit division takes about twice as long.
#pragma once

#include <cstdint>

namespace reasons::counting {

__extension__ typedef unsigned __int128 Wide; // not ISO, but on every 64-bit target

class Montgomery {
public:
  explicit Montgomery(std::uint64_t prime) : prime_(prime) {
    std::uint64_t inverse = prime; // Newton's steps double the bits that are right
    for (int i = 0; i < 5; ++i)
      inverse *= 2 - prime * inverse;
    negated_inverse_ = ~inverse + 1;
    one_ = static_cast<std::uint64_t>((Wide{1} << 64) % prime);
    square_ = static_cast<std::uint64_t>(Wide{one_} * one_ % prime);
  }

  [[nodiscard]] std::uint64_t one() const { return one_; }
  [[nodiscard]] std::uint64_t in(std::uint64_t plain) const { return times(plain, square_); }
  [[nodiscard]] std::uint64_t out(std::uint64_t number) const { return reduced(number); }

  [[nodiscard]] std::uint64_t plus(std::uint64_t a, std::uint64_t b) const {
    const std::uint64_t sum = a + b;
    return sum >= prime_ ? sum - prime_ : sum;
  }
  [[nodiscard]] std::uint64_t minus(std::uint64_t a, std::uint64_t b) const {
    return a >= b ? a - b : a + prime_ - b;
  }
  [[nodiscard]] std::uint64_t times(std::uint64_t a, std::uint64_t b) const {
    return reduced(Wide{a} * b);
  }
  /// Of 0 it is 0.
  [[nodiscard]] std::uint64_t inverse(std::uint64_t a) const {
    std::uint64_t result = one_;
    for (std::uint64_t power = prime_ - 2; power != 0; power >>= 1) {
      if (power & 1)
        result = times(result, a);
      a = times(a, a);
    }
    return result;
  }

private:
  [[nodiscard]] std::uint64_t reduced(Wide product) const {
    const std::uint64_t multiple = static_cast<std::uint64_t>(product) * negated_inverse_;
    const auto high = static_cast<std::uint64_t>((product + Wide{multiple} * prime_) >> 64);
    return high >= prime_ ? high - prime_ : high;
  }

  std::uint64_t prime_, negated_inverse_, one_, square_;
};

} // namespace reasons::counting
