#include "cnf/compile/component_cache.hpp"

#include <algorithm>
#include <cstring>

namespace reasons::cnf {
namespace {

std::uint64_t scattered(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

} // namespace

void ComponentCache::write(std::uint32_t number) {
  for (; number >= 128; number >>= 7)
    key_.push_back(static_cast<std::uint8_t>(number | 128));
  key_.push_back(static_cast<std::uint8_t>(number));
}

void ComponentCache::write_key(const Component& component, const Components& components,
                               const Solver& solver) {
  key_.clear();
  hash_ = 0;
  const auto variables = components.variables(component);
  write(static_cast<std::uint32_t>(variables.size()));
  Var last = 0;
  for (const Var v : variables) {
    write(v - last);
    last = v;
    hash_ += scattered(v + 0x9E3779B97F4A7C15ull);
  }
  write_clauses(component, components, solver);
}

/// What is left of each touched clause, ordered by a hash of its literals, each once.
void ComponentCache::write_clauses(const Component& component, const Components& components,
                                   const Solver& solver) {
  residues_.clear();
  order_.clear();
  for (const std::uint32_t c : components.clauses(component)) {
    const auto all = components.literals(c);
    const auto start = static_cast<std::uint32_t>(residues_.size());
    std::uint64_t hash = 0;
    for (const Lit l : all)
      if (solver.value(l) == 0) {
        residues_.push_back(l);
        hash = (hash ^ l) * 0x9FB21C651E98DF25ull;
        hash ^= hash >> 29;
      }
    const auto size = static_cast<std::uint32_t>(residues_.size()) - start;
    if (size == all.size())
      residues_.resize(start);
    else
      order_.push_back({hash, {start, size}});
  }
  std::ranges::sort(order_);
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const auto& [hash, place] = order_[i];
    const auto begin = residues_.begin() + place.first;
    if (i > 0 && hash == last) {
      const auto& before = order_[i - 1].second;
      const auto other = residues_.begin() + before.first;
      if (std::equal(begin, begin + place.second, other, other + before.second))
        continue;
    }
    last = hash;
    hash_ += scattered(hash);
    write(place.second);
    Lit previous = 0;
    for (std::uint32_t k = 0; k < place.second; ++k) {
      write(begin[k] - previous);
      previous = begin[k];
    }
  }
}

ComponentCache::Entry ComponentCache::entry(const Component& component,
                                            const Components& components, const Solver& solver) {
  write_key(component, components, solver);
  std::size_t slot = scattered(hash_) & (table_.size() - 1);
  for (; table_[slot] != 0; slot = (slot + 1) & (table_.size() - 1)) {
    Slot& found = entries_[table_[slot] - 1];
    if (found.hash == hash_ && found.length == key_.size() &&
        std::memcmp(&keys_[found.key], key_.data(), key_.size()) == 0) {
      found.used = true;
      return table_[slot] - 1;
    }
  }
  entries_.push_back(
      {hash_, keys_.size(), static_cast<std::uint32_t>(key_.size()), unknown, false});
  keys_.insert(keys_.end(), key_.begin(), key_.end());
  const auto made = static_cast<Entry>(entries_.size());
  table_[slot] = made;
  if (entries_.size() * 2 > table_.size())
    grow();
  return made - 1;
}

void ComponentCache::grow() {
  std::size_t size = 1024;
  while (size < entries_.size() * 4)
    size *= 2;
  table_.assign(size, 0);
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    std::size_t slot = scattered(entries_[e].hash) & (size - 1);
    while (table_[slot] != 0)
      slot = (slot + 1) & (size - 1);
    table_[slot] = static_cast<std::uint32_t>(e + 1);
  }
}

void ComponentCache::shrink(std::vector<Entry*>& pending) {
  for (const Entry* e : pending)
    entries_[*e].used = true;
  std::vector<Entry> moved(entries_.size(), unknown);
  std::size_t kept = 0, bytes = 0;
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    Slot slot = entries_[e];
    if (!slot.used)
      continue;
    std::memmove(&keys_[bytes], &keys_[slot.key], slot.length);
    slot.key = bytes;
    slot.used = false;
    bytes += slot.length;
    moved[e] = static_cast<Entry>(kept);
    entries_[kept++] = slot;
  }
  entries_.resize(kept);
  keys_.resize(bytes);
  entries_.shrink_to_fit();
  keys_.shrink_to_fit();
  for (Entry* e : pending)
    *e = moved[*e];
  grow();
}

} // namespace reasons::cnf
