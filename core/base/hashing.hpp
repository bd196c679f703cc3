// hashing.hpp: the hash function of the unique tables.
#pragma once

#include <cstdint>

namespace reasons {

inline std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9FB21C651E98DF25ull;
  return hash ^ (hash >> 32);
}

template <class Items> std::uint64_t hash_of(std::uint64_t seed, const Items& items) {
  std::uint64_t hash = mix(0x9E3779B97F4A7C15ull, seed);
  for (const auto item : items)
    hash = mix(hash, item);
  return hash;
}

} // namespace reasons
