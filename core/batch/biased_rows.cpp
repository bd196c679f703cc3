// biased_rows.cpp: the decisions that protected features alone can change, tile by tile.
#include "batch/parallel_for.hpp"
#include "batch/propagation/propagate.hpp"
#include "batch/row_query.hpp"
#include "query/sweep.hpp"

namespace reasons::batch {
namespace {

class Biased : RowQuery {
public:
  Biased(const Circuit& circuit, const Arms& arms, const Decided& rows,
         std::span<const FeatureId> loose, std::span<Cell> witness, std::uint64_t* words)
      : RowQuery(circuit, arms, rows), loose_(loose), witness_(witness), words_(words),
        place_(circuit.features(), none), propagation_(circuit, tile_) {
    for (std::size_t i = 0; i < loose.size(); ++i)
      place_[loose[i]] = i;
  }

  void operator()(std::size_t first, std::size_t count) {
    load(first, count);
    propagation_.restart();
    for (const FeatureId f : loose_)
      propagation_.free(f, ~RowMask{});
    propagation_.send(circuit_.root(), tile_.asked());
    RowMask found = propagation_.descend();
    if (found.any() && (circuit_.has_conjunctions() || !witness_.empty())) {
      propagation_.ascend();
      found = propagation_.bad(circuit_.root());
    }
    store(found, first, rows_.labels.size(), words_);
    if (witness_.empty())
      return;
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t k = 0; k < loose_.size(); ++k)
        witness_[(first + i) * loose_.size() + k] = tile_.row(i)[loose_[k]];
    found.each([&](std::size_t i) { follow(i, witness_.data() + (first + i) * loose_.size()); });
  }

private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  /// The walk of `counterexample`: down where it is bad, with the row's own values while it can.
  void follow(std::size_t row, Cell* values) {
    const auto own_cells = tile_.row(row);
    open_.assign(1, circuit_.root());
    while (!open_.empty()) {
      const NodeId n = open_.back();
      open_.pop_back();
      const auto inputs = circuit_.inputs(n);
      if (circuit_.kind(n) == Kind::decision) {
        const SplitId s = circuit_.payload(n);
        const FeatureId f = circuit_.tested(s);
        const auto arm_of = circuit_.arm_of(s);
        std::size_t arm = arm_of[own_cells[f]];
        if (arm == no_arm || !propagation_.bad(inputs[arm])[row])
          for (arm = 0; !(propagation_.reach(inputs[arm])[row] &&
                          propagation_.bad(inputs[arm])[row] && propagation_.taking(s, arm)[row]);)
            ++arm;
        if (place_[f] != none)
          values[place_[f]] = query::nearest(arm_of, arm, own_cells[f], [](Cell) { return true; });
        open_.push_back(inputs[arm]);
      } else if (circuit_.kind(n) == Kind::conjunction) {
        for (const NodeId input : inputs)
          if (propagation_.bad(input)[row]) {
            open_.push_back(input);
            if (tile_.with_label(1)[row])
              break;
          }
      }
    }
  }

  std::span<const FeatureId> loose_;
  std::span<Cell> witness_;
  std::uint64_t* words_;
  std::vector<std::size_t> place_; // of each feature among the protected ones
  Propagation propagation_;
  std::vector<NodeId> open_;
};

} // namespace

std::vector<std::uint64_t> biased_rows(const Circuit& circuit, const Decided& rows,
                                       std::span<const FeatureId> loose, std::span<Cell> witness,
                                       unsigned threads, Budget& budget) {
  const Arms arms(circuit);
  std::vector<std::uint64_t> words(words_for(rows.labels.size()));
  parallel_for(rows.labels.size(), threads, budget,
               [&] { return Biased(circuit, arms, rows, loose, witness, words.data()); });
  return words;
}

} // namespace reasons::batch
