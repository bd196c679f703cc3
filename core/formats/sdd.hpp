// sdd.hpp: readers of sentential decision diagrams (SDD, Darwiche 2011) and their vtrees.
//
// A `.sdd` file names vtree nodes by their place in an in-order walk, whatever ids its
// `.vtree` file uses: the package renumbers when it reads. Seen that way a subtree is an
// interval of places, and "below the left child" is a comparison of two numbers.
#pragma once

#include "base/budget.hpp"
#include "formats/nnf/nnf.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace reasons::formats {

/// A binary tree over variables, by places of an in-order walk.
struct Vtree {
  std::vector<std::uint32_t> variable;    ///< of a leaf; 0 of an inner node
  std::vector<std::uint32_t> first, last; ///< the places of the subtree of each node

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(variable.size()); }
};

/// An SDD as a graph of literals, conjunctions of a prime and a sub, and disjunctions of those.
/// Variables are renumbered from 1 on: number v of the graph is `variables[v - 1]` of the file.
struct Sdd {
  Nnf nnf;
  std::vector<std::uint32_t> variables; ///< ascending
  std::vector<std::uint32_t> order;     ///< places in `variables`, by vtree from left to right
};

/// Throws FormatError. Time and memory O(text).
[[nodiscard]] Vtree read_vtree(std::string_view text, Budget& budget);

/// What a vtree is good for: to check every node against it, or only to know the variables.
/// Published files often come with another vtree than the one they were made with.
enum class VtreeUse : std::uint8_t { shape, variables };

/// Throws FormatError, also where a literal, prime or sub is not where the vtree's shape wants
/// it. The variables are those of the vtree and those that occur. Where the shape is not used
/// they are ordered by the vtree places that the file names.
/// That primes exclude each other is not checked, and nothing here relies on it.
/// The root is the last node. Time O(text), plus a sort of the variables.
[[nodiscard]] Sdd read_sdd(std::string_view text, const Vtree* vtree, VtreeUse use, Budget& budget);

} // namespace reasons::formats
