// min_cost.hpp: minimum-cost instances with a label, where each value has a cost.
//
// From the leaves up, a node knows the least that its tests add to what the cheapest values
// cost. What a test adds is the difference between the cheapest value of an arm and of all
// that can reach it, so that a second test of a feature adds only what is new. How many
// instances cost just that follows by the field's sums over the arms that are tight.
#pragma once

#include "circuit/circuit.hpp"
#include "counting/montgomery.hpp"

#include <optional>
#include <span>
#include <vector>

namespace reasons::query {

__extension__ typedef __int128 Price;
inline constexpr Price no_price =
    static_cast<Price>(~counting::Wide{0} >> 1); ///< of a value not allowed

class MinCostSearch {
public:
  /// `costs`: one for each value of each feature; those of allowed values sum to less
  /// than 2^126. Time O(size).
  MinCostSearch(const Circuit& circuit, std::span<const Price> costs, LabelId label);

  /// What the cheapest instance costs above the cheapest values, if there is one.
  [[nodiscard]] std::optional<Price> extra() const;
  [[nodiscard]] std::vector<Cell> instance() const;
  /// How many cost the least, divided by the number of ways to choose cheapest values of
  /// all features, modulo a prime. Time O(size).
  [[nodiscard]] std::uint64_t share(std::uint64_t prime) const;

private:
  struct Toll {
    Price price = no_price; ///< what taking the arm adds
    Cell cell = 0;          ///< its first cheapest value
    std::uint32_t ties = 0; ///< how many of its values cost as little
  };

  void add_tolls(SplitId s, std::span<const Price> costs);
  [[nodiscard]] Price priced(NodeId n) const;
  [[nodiscard]] Price through(NodeId n, std::size_t arm) const;
  [[nodiscard]] std::size_t best(NodeId n) const;
  [[nodiscard]] std::uint64_t summed(NodeId n, const counting::Montgomery& field,
                                     std::span<const std::uint64_t> weight,
                                     std::span<const std::uint64_t> sum) const;
  [[nodiscard]] const Toll* tolls(NodeId n) const {
    return tolls_.data() + tolls_from_[circuit_.payload(n)];
  }

  const Circuit& circuit_;
  LabelId label_;
  std::vector<Cell> start_; // the first cheapest value of each feature
  std::vector<std::size_t> tolls_from_;
  std::vector<Toll> tolls_;
  std::vector<std::uint32_t> ties_; // of all values that can reach a split
  std::vector<Price> price_;
};

} // namespace reasons::query
