// sparse_elimination.hpp: tree decompositions of large sparse graphs by min-degree elimination.
#pragma once

#include "cnf/order/elimination.hpp"

namespace reasons::cnf {

/// As Elimination, by least degree only, with lists of neighbours. Right for large graphs
/// that fall apart; one that does not ends as one large bag.
class SparseElimination {
public:
  SparseElimination(std::span<const Var> vertices, std::vector<std::uint32_t>& index);

  void connect(Var a, Var b);
  [[nodiscard]] Decomposition by_least_degree(Budget& budget);

private:
  using Vertices = std::vector<std::uint32_t>;

  void take(std::uint32_t v, Decomposition& result);
  void take_rest(Decomposition& result);
  void join(std::uint32_t u, const Vertices& around);

  std::vector<Var> vertices_;
  std::vector<std::uint32_t>& index_;
  std::vector<Vertices> around_;    // of a vertex that was taken: its bag
  std::vector<std::size_t> degree_; // without those that were taken
  std::vector<std::uint32_t> place_;
  std::uint64_t work_ = 0;
};

} // namespace reasons::cnf
