#include "base/tuple_table.hpp"

#include "base/error.hpp"
#include "base/hashing.hpp"

#include <algorithm>

namespace reasons {
std::size_t TupleTable::slot_of(std::uint64_t hash, std::span<const std::uint32_t> tuple) const {
  const std::size_t mask = table_.size() - 1;
  std::size_t slot = hash & mask;
  for (; table_[slot] != 0; slot = (slot + 1) & mask) {
    const std::uint32_t id = table_[slot] - 1;
    if (hashes_[id] == hash && std::ranges::equal((*this)[id], tuple))
      break;
  }
  return slot;
}

std::uint32_t TupleTable::find(std::span<const std::uint32_t> tuple) const {
  const std::uint32_t entry = table_[slot_of(hash_of(tuple.size(), tuple), tuple)];
  return entry == 0 ? none : entry - 1;
}

std::uint32_t TupleTable::intern(std::span<const std::uint32_t> tuple) {
  const std::uint64_t hash = hash_of(tuple.size(), tuple);
  const std::size_t slot = slot_of(hash, tuple);
  if (table_[slot] != 0)
    return table_[slot] - 1;
  if (size() + 2 >= none)
    throw BudgetExceeded("compilation", "states", static_cast<double>(size()), none);
  const auto made = static_cast<std::uint32_t>(size());
  hashes_.push_back(hash);
  numbers_.insert(numbers_.end(), tuple.begin(), tuple.end());
  first_.push_back(numbers_.size());
  table_[slot] = made + 1;
  if (size() * 2 > table_.size())
    grow();
  return made;
}

void TupleTable::grow() {
  std::vector<std::uint32_t> larger(table_.size() * 4, 0);
  for (std::uint32_t id = 0; id < size(); ++id) {
    std::size_t slot = hashes_[id] & (larger.size() - 1);
    while (larger[slot] != 0)
      slot = (slot + 1) & (larger.size() - 1);
    larger[slot] = id + 1;
  }
  table_ = std::move(larger);
}

std::uint64_t TupleTable::bytes() const {
  return 4ull * (numbers_.capacity() + table_.capacity()) +
         8ull * (first_.capacity() + hashes_.capacity());
}

} // namespace reasons
