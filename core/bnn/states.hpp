// states.hpp: states of the first layer under a partial input, for dynamic programming.
#pragma once

#include "base/tuple_table.hpp"
#include "bnn/remaining_range.hpp"

namespace reasons::bnn {

/// What the inputs so far say of the first layer. Equal states go on alike.
struct NetworkState {
  std::uint32_t flips = 0;            // that are left
  std::vector<std::uint32_t> certain; // a bit for each unit: is it; then its value
  std::vector<std::uint32_t> open;    // the other units, in ascending order
  std::vector<std::int64_t> sums;     // theirs
};

class NetworkStates {
public:
  NetworkStates(const Network& network, const InputRegion& region, std::span<const FeatureId> order,
                Budget& budget);

  [[nodiscard]] NetworkState first() const;
  /// The state that a value of the input at `level` makes of another; false if it is impossible.
  [[nodiscard]] bool step(const NetworkState& state, std::size_t level, bool value,
                          NetworkState& next) const;

  /// The label that is certain of a state, or `Outcome::open`.
  [[nodiscard]] LabelId label(const NetworkState& state);
  [[nodiscard]] std::uint64_t settled() const { return outcome_.settled(); }
  [[nodiscard]] std::uint64_t bytes() const { return known_.bytes() + 4 * labels_.capacity(); }

  /// A state as numbers, and back.
  void write(const NetworkState& state, std::vector<std::uint32_t>& key) const;
  void read(std::span<const std::uint32_t> key, NetworkState& state) const;

private:
  [[nodiscard]] LabelId found_label(const NetworkState& state);
  void place(NetworkState& state, std::size_t level, std::uint32_t unit, std::int64_t sum) const;

  const ThresholdLayer& layer_;
  const InputRegion& region_;
  std::vector<FeatureId> order_;
  RemainingRange remaining_;
  Outcome outcome_;
  std::size_t words_;                 // of a bit for each unit
  std::size_t bytes_of_sum_;          // in a key
  std::vector<std::int64_t> columns_; // the weights by input, then unit
  bool is_remembered_;                // whether labels are, which takes a wait for memory
  TupleTable known_;                  // what was certain of units, and the labels of that
  std::vector<LabelId> labels_;
  std::vector<std::uint8_t> low_, high_;
};

} // namespace reasons::bnn
