// mutate.hpp: texts as they should not be, most of their grammar kept.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace reasons::fuzz {

inline constexpr std::size_t most_bytes = 1 << 14;

/// Input `number` of a run: one of the seeds with one or more changes. The same for the same
/// seeds, seed and number, so that a failure is told by two numbers.
[[nodiscard]] std::string mutated(const std::vector<std::string>& seeds, std::uint64_t seed,
                                  std::uint64_t number);

} // namespace reasons::fuzz
