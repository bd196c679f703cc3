// elimination.hpp: tree decompositions of the primal graph by min-fill elimination.
//
// Taking out a variable joins its neighbours; it and they are a bag. The order goes by
// least fill, ties broken at random, and by least degree once that became too much work.
// Neighbours are bit sets: at the sizes where a decomposition pays they fit the cache.
#pragma once

#include "base/budget.hpp"
#include "cnf/literal.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace reasons::cnf {

/// One bag for each variable taken out, in that order.
struct Decomposition {
  std::vector<std::vector<Var>> bags; ///< the variable first, then its neighbours
  std::vector<std::uint32_t> parent;  ///< a later bag with all but the variable; a root is its own
  std::uint32_t width = 0;            ///< most variables in a bag, less one
  std::uint64_t work = 0;             ///< words looked at to find it
};

class Elimination {
public:
  /// No edges yet; `index` is room for one number for each variable of the formula.
  Elimination(std::span<const Var> vertices, std::vector<std::uint32_t>& index);

  void connect(Var a, Var b);

  [[nodiscard]] Decomposition by_least_fill(std::uint64_t seed, Budget& budget) const;
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(vertices_.size()); }

private:
  class Run;

  std::vector<Var> vertices_;
  std::vector<std::uint32_t>& index_; // of a variable among the vertices
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

/// Hangs every bag on the first later one that has one of its variables; `place[index[v]]` is
/// the bag that a variable was taken out with.
void hang_up(Decomposition& decomposition, const std::vector<std::uint32_t>& index,
             const std::vector<std::uint32_t>& place);

enum class TreeWalk { branches, halves };

/// Writes where each variable of a bag first occurs in a walk over the tree, 0 to 1: from its
/// middle branch by branch, or half by half.
void write_places(const Decomposition& decomposition, TreeWalk walk, std::vector<double>& place);

} // namespace reasons::cnf
