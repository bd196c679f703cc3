#include "sparse.hpp"

#include <algorithm>
#include <queue>

namespace reasons {
namespace {

constexpr std::size_t longest_clique = 60;
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

void SparseElimination::connect(std::span<const Var> clause) {
  const std::size_t reach = clause.size() > longest_clique ? 1 : clause.size();
  for (std::size_t i = 0; i < clause.size(); ++i)
    for (std::size_t j = i + 1; j < clause.size() && j <= i + reach; ++j) {
      around_[index_[clause[i]]].push_back(index_[clause[j]]);
      around_[index_[clause[j]]].push_back(index_[clause[i]]);
    }
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
  hang_up(result);
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

void SparseElimination::hang_up(Decomposition& result) const {
  for (std::uint32_t b = 0; b < result.bags.size(); ++b) {
    std::uint32_t parent = not_taken;
    for (const Var v : result.bags[b])
      if (const std::uint32_t place = place_[index_[v]]; place != b)
        parent = std::min(parent, place);
    result.parent.push_back(parent == not_taken ? b : parent);
  }
}

} // namespace reasons
