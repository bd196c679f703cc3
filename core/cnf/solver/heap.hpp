// heap.hpp: binary heap of variables by weight, whose keys can increase in place.
#pragma once

#include "cnf/literal.hpp"

#include <utility>
#include <vector>

namespace reasons::cnf {

struct Heap {
  static constexpr std::uint32_t absent = 0xFFFFFFFF;

  std::vector<Var> items;
  std::vector<std::uint32_t> place;

  explicit Heap(Var variables) : place(variables, absent) {}

  void clear() {
    for (const Var v : items)
      place[v] = absent;
    items.clear();
  }

  void insert(Var v, const std::vector<double>& weight) {
    place[v] = static_cast<std::uint32_t>(items.size());
    items.push_back(v);
    sift_up(place[v], weight);
  }

  void sift_up(std::uint32_t at, const std::vector<double>& weight) {
    for (; at > 0 && weight[items[at]] > weight[items[(at - 1) / 2]]; at = (at - 1) / 2)
      exchange(at, (at - 1) / 2);
  }

  [[nodiscard]] Var take_top(const std::vector<double>& weight) {
    const Var top = items.front();
    exchange(0, static_cast<std::uint32_t>(items.size()) - 1);
    items.pop_back();
    place[top] = absent;
    sift_down(0, weight);
    return top;
  }

private:
  void sift_down(std::uint32_t at, const std::vector<double>& weight) {
    for (;;) {
      std::uint32_t best = at;
      for (const std::uint32_t below : {2 * at + 1, 2 * at + 2})
        if (below < items.size() && weight[items[below]] > weight[items[best]])
          best = below;
      if (best == at)
        return;
      exchange(at, best);
      at = best;
    }
  }

  void exchange(std::uint32_t a, std::uint32_t b) {
    std::swap(items[a], items[b]);
    place[items[a]] = a;
    place[items[b]] = b;
  }
};

} // namespace reasons::cnf
