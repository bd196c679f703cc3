#include "cnf/order/elimination.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace reasons::cnf {
namespace {

constexpr std::uint64_t most_for_fill = 100'000'000; // words looked at
constexpr std::uint64_t most_work = 1'000'000'000;
constexpr std::uint64_t work_between_checks = 1 << 20;

/// How many of one set are not in the other. In versions with and without the instruction.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
__attribute__((target_clones("popcnt", "default")))
#endif
std::uint64_t count_outside(const std::uint64_t* set, const std::uint64_t* other,
                            std::size_t words) {
  std::uint64_t result = 0;
  for (std::size_t k = 0; k < words; ++k)
    result += static_cast<std::uint64_t>(std::popcount(set[k] & ~other[k]));
  return result;
}

} // namespace

Elimination::Elimination(std::span<const Var> vertices, std::vector<std::uint32_t>& index)
    : vertices_(vertices.begin(), vertices.end()), index_(index),
      words_((vertices.size() + 63) / 64), bits_(words_ * vertices.size(), 0) {
  for (std::uint32_t i = 0; i < vertices_.size(); ++i)
    index_[vertices_[i]] = i;
}

void Elimination::connect(Var a, Var b) {
  const std::uint32_t i = index_[a], j = index_[b];
  bits_[i * words_ + j / 64] |= 1ull << (j % 64);
  bits_[j * words_ + i / 64] |= 1ull << (i % 64);
}

/// One elimination: the graph as it is left, and what is known of each vertex in it.
class Elimination::Run {
public:
  Run(const Elimination& from, Budget& budget)
      : from_(from), budget_(budget), n_(from.size()), words_(from.words_), bits_(from.bits_),
        fill_(n_, 0), degree_(n_, 0), stale_(n_, 1), place_(n_, 0) {
    left_.resize(n_);
    std::iota(left_.begin(), left_.end(), 0);
    for (std::uint32_t v = 0; v < n_; ++v)
      for (std::size_t w = 0; w < words_; ++w)
        degree_[v] += static_cast<std::uint32_t>(std::popcount(row(v)[w]));
  }

  void take_least(std::uint64_t seed) {
    std::uint64_t random = seed * 0x9E3779B97F4A7C15ull + 1;
    while (!left_.empty()) {
      if (work_ > most_work)
        return take_rest();
      const bool by_fill = work_ < most_for_fill;
      spend(left_.size());
      std::uint64_t least = ~0ull;
      std::size_t best = 0;
      std::uint32_t ties = 0;
      for (std::size_t i = 0; i < left_.size(); ++i) {
        const std::uint64_t measure = by_fill ? fill(left_[i]) : degree_[left_[i]];
        if (measure > least)
          continue;
        ties = measure < least ? 1 : ties + 1;
        least = measure;
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        if (ties == 1 || random % ties == 0)
          best = i;
      }
      const std::uint32_t v = left_[best];
      left_[best] = left_.back();
      left_.pop_back();
      take(v);
    }
  }

  void take(std::uint32_t v) {
    const std::uint64_t* own = row(v);
    around_.clear();
    for (std::size_t w = 0; w < words_; ++w)
      for (std::uint64_t rest = own[w]; rest != 0; rest &= rest - 1)
        around_.push_back(static_cast<std::uint32_t>(w * 64) +
                          static_cast<std::uint32_t>(std::countr_zero(rest)));
    place_[v] = static_cast<std::uint32_t>(result_.bags.size());
    std::vector<Var> bag{from_.vertices_[v]};
    for (const std::uint32_t u : around_)
      bag.push_back(from_.vertices_[u]);
    const bool fills = work_ >= most_for_fill || stale_[v] || fill_[v] > 0;
    for (const std::uint32_t u : around_)
      join_around(v, u, fills);
    result_.width = std::max(result_.width, static_cast<std::uint32_t>(around_.size()));
    result_.bags.push_back(std::move(bag));
  }

  [[nodiscard]] Decomposition result() {
    hang_up(result_, from_.index_, place_);
    result_.work = work_;
    return std::move(result_);
  }

private:
  [[nodiscard]] std::uint64_t* row(std::uint32_t v) { return &bits_[v * words_]; }

  void spend(std::uint64_t words) {
    work_ += words;
    if (work_ - checked_ > work_between_checks) {
      checked_ = work_;
      budget_.check();
    }
  }

  /// Gives up: all that is left becomes one bag.
  void take_rest() {
    std::vector<Var> bag;
    for (const std::uint32_t v : left_) {
      place_[v] = static_cast<std::uint32_t>(result_.bags.size());
      bag.push_back(from_.vertices_[v]);
    }
    result_.width = std::max(result_.width, static_cast<std::uint32_t>(left_.size()) - 1);
    result_.bags.push_back(std::move(bag));
  }

  void join_around(std::uint32_t v, std::uint32_t u, bool fills) {
    std::uint64_t* to = row(u);
    const std::uint64_t* from = row(v);
    std::uint32_t degree = 0;
    if (fills)
      for (std::size_t w = 0; w < words_; ++w)
        to[w] |= from[w];
    to[v / 64] &= ~(1ull << (v % 64));
    to[u / 64] &= ~(1ull << (u % 64));
    stale_[u] = 1;
    if (!fills) {
      --degree_[u];
      return;
    }
    spend(words_);
    for (std::size_t w = 0; w < words_; ++w) {
      degree += static_cast<std::uint32_t>(std::popcount(to[w]));
      for (std::uint64_t rest = to[w]; rest != 0; rest &= rest - 1)
        stale_[w * 64 + static_cast<std::size_t>(std::countr_zero(rest))] = 1;
    }
    degree_[u] = degree;
  }

  /// How many edges taking out the vertex would add, twice.
  std::uint64_t fill(std::uint32_t v) {
    if (!stale_[v])
      return fill_[v];
    const std::uint64_t* own = row(v);
    std::uint64_t missing = 0;
    for (std::size_t w = 0; w < words_; ++w)
      for (std::uint64_t rest = own[w]; rest != 0; rest &= rest - 1) {
        const auto u =
            static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(std::countr_zero(rest));
        const std::uint64_t* other = row(u);
        missing += count_outside(own, other, words_) - 1; // a vertex is no neighbour of itself
        spend(words_);
      }
    stale_[v] = 0;
    return fill_[v] = missing;
  }

  const Elimination& from_;
  Budget& budget_;
  std::uint32_t n_;
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint64_t> fill_;
  std::vector<std::uint32_t> degree_;
  std::vector<std::uint8_t> stale_;
  std::vector<std::uint32_t> place_, left_, around_;
  std::uint64_t work_ = 0, checked_ = 0;
  Decomposition result_;
};

void hang_up(Decomposition& decomposition, const std::vector<std::uint32_t>& index,
             const std::vector<std::uint32_t>& place) {
  const auto bags = static_cast<std::uint32_t>(decomposition.bags.size());
  for (std::uint32_t b = 0; b < bags; ++b) {
    std::uint32_t parent = bags;
    for (const Var v : decomposition.bags[b])
      if (place[index[v]] != b)
        parent = std::min(parent, place[index[v]]);
    decomposition.parent.push_back(parent == bags ? b : parent);
  }
}

Decomposition Elimination::by_least_fill(std::uint64_t seed, Budget& budget) const {
  Run run(*this, budget);
  run.take_least(seed);
  return run.result();
}

} // namespace reasons::cnf
