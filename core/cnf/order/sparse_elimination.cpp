#include "cnf/order/sparse_elimination.hpp"

#include <algorithm>
#include <queue>

namespace reasons::cnf {
namespace {

constexpr std::uint64_t most_work = 500'000'000; // neighbours looked at
constexpr std::uint32_t not_taken = 0xFFFFFFFF;

} // namespace

SparseElimination::SparseElimination(std::span<const Var> vertices,
                                     std::vector<std::uint32_t>& index)
    : vertices_(vertices.begin(), vertices.end()), index_(index), around_(vertices.size()),
      degree_(vertices.size(), 0), place_(vertices.size(), not_taken) {
  for (std::uint32_t i = 0; i < vertices_.size(); ++i)
    index_[vertices_[i]] = i;
}

void SparseElimination::connect(Var a, Var b) {
  around_[index_[a]].push_back(index_[b]);
  around_[index_[b]].push_back(index_[a]);
}

Decomposition SparseElimination::by_least_degree(Budget& budget) {
  using Entry = std::pair<std::size_t, std::uint32_t>; // a degree it had, a vertex
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  for (std::uint32_t v = 0; v < around_.size(); ++v) {
    std::ranges::sort(around_[v]);
    around_[v].erase(std::ranges::unique(around_[v]).begin(), around_[v].end());
    degree_[v] = around_[v].size();
    queue.emplace(degree_[v], v);
  }
  Decomposition result;
  while (!queue.empty()) {
    const auto [degree, v] = queue.top();
    queue.pop();
    if (place_[v] != not_taken)
      continue;
    if (degree != degree_[v])
      continue; // it is in the queue again with the degree it has now
    if (work_ > most_work) {
      take_rest(result);
      break;
    }
    budget.check();
    take(v, result);
    for (const std::uint32_t u : around_[v])
      queue.emplace(degree_[u], u);
  }
  hang_up(result, index_, place_);
  result.work = work_;
  return result;
}

void SparseElimination::take(std::uint32_t v, Decomposition& result) {
  place_[v] = static_cast<std::uint32_t>(result.bags.size());
  std::erase_if(around_[v], [&](std::uint32_t w) { return place_[w] != not_taken; });
  work_ += around_[v].size();
  std::vector<Var> bag{vertices_[v]};
  for (const std::uint32_t u : around_[v]) {
    bag.push_back(vertices_[u]);
    join(u, around_[v]);
  }
  result.width = std::max(result.width, static_cast<std::uint32_t>(bag.size()) - 1);
  result.bags.push_back(std::move(bag));
}

/// Makes the neighbours of a vertex that is taken neighbours of this one. Vertices that were
/// taken stay in the list: one with very many neighbours is then cheap to have beside one.
void SparseElimination::join(std::uint32_t u, const Vertices& around) {
  auto& own = around_[u];
  --degree_[u];
  for (const std::uint32_t w : around) {
    const auto place = std::ranges::lower_bound(own, w);
    ++work_;
    if (w == u || (place != own.end() && *place == w))
      continue;
    work_ += static_cast<std::uint64_t>(own.end() - place) / 16;
    own.insert(place, w);
    ++degree_[u];
  }
}

void SparseElimination::take_rest(Decomposition& result) {
  std::vector<Var> bag;
  for (std::uint32_t v = 0; v < around_.size(); ++v)
    if (place_[v] == not_taken) {
      bag.push_back(vertices_[v]);
      place_[v] = static_cast<std::uint32_t>(result.bags.size());
    }
  result.width = std::max(result.width, static_cast<std::uint32_t>(bag.size()) - 1);
  result.bags.push_back(std::move(bag));
}

} // namespace reasons::cnf
