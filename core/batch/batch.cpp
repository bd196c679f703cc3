#include "batch/batch.hpp"

#include "base/error.hpp"
#include "batch/necessary.hpp"
#include "batch/ordered_propagate.hpp"
#include "batch/parallel_for.hpp"
#include "batch/propagate.hpp"
#include "query/decision.hpp"
#include "query/sweep.hpp"

#include <limits>
#include <string>

namespace reasons {
namespace {

/// What every question starts from: a tile of the rows, and where its answers go.
class Asking {
public:
  Asking(const Circuit& circuit, const Arms& arms, const Decided& rows)
      : circuit_(circuit), rows_(rows), tile_(circuit, arms) {}

protected:
  void load(std::size_t first, std::size_t count) {
    tile_.load(rows_.cells.subspan(first * circuit_.features(), count * circuit_.features()),
               rows_.labels.subspan(first, count));
  }

  const Circuit& circuit_;
  const Decided& rows_;
  Tile tile_;
};

/// Copies a tile's bits to where rows from `first` on have theirs.
void store(const Lanes& lanes, std::size_t first, std::size_t rows, std::uint64_t* words) {
  const std::size_t from = first / 64;
  const std::size_t end = std::min(from + tile_words, words_for(rows));
  std::copy_n(lanes.word.begin(), end - from, words + from);
}

class Biased : Asking {
public:
  Biased(const Circuit& circuit, const Arms& arms, const Decided& rows,
         std::span<const FeatureId> loose, std::span<Cell> witness, std::uint64_t* words)
      : Asking(circuit, arms, rows), loose_(loose), witness_(witness), words_(words),
        place_(circuit.features(), none), flow_(circuit, tile_) {
    for (std::size_t i = 0; i < loose.size(); ++i)
      place_[loose[i]] = i;
  }

  void operator()(std::size_t first, std::size_t count) {
    load(first, count);
    flow_.restart();
    for (const FeatureId f : loose_)
      flow_.free(f, ~Lanes{});
    flow_.send(circuit_.root(), tile_.asked());
    Lanes found = flow_.descend();
    if (found.any() && (circuit_.has_conjunctions() || !witness_.empty())) {
      flow_.ascend();
      found = flow_.bad(circuit_.root());
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
        if (arm == no_arm || !flow_.bad(inputs[arm])[row])
          for (arm = 0; !(flow_.reach(inputs[arm])[row] && flow_.bad(inputs[arm])[row] &&
                          flow_.taking(s, arm)[row]);)
            ++arm;
        if (place_[f] != none)
          values[place_[f]] = nearest(arm_of, arm, own_cells[f], [](Cell) { return true; });
        open_.push_back(inputs[arm]);
      } else if (circuit_.kind(n) == Kind::conjunction) {
        for (const NodeId input : inputs)
          if (flow_.bad(input)[row]) {
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
  Flow flow_;
  std::vector<NodeId> open_;
};

class Necessary : Asking {
public:
  Necessary(const Circuit& circuit, const Arms& arms, const Decided& rows, std::uint64_t* words)
      : Asking(circuit, arms, rows), words_(words), flow_(circuit, tile_) {}

  void operator()(std::size_t first, std::size_t count) {
    load(first, count);
    const auto& found = flow_.features();
    const std::size_t rows = rows_.labels.size();
    for (FeatureId f = 0; f < circuit_.features(); ++f)
      store(found[f], first, rows, words_ + f * words_for(rows));
  }

private:
  std::uint64_t* words_;
  NecessaryFlow flow_;
};

class Sufficient : Asking {
public:
  Sufficient(const Circuit& circuit, const Arms& arms, const Decided& rows,
             std::span<const FeatureId> drop_order, std::uint64_t* words)
      : Asking(circuit, arms, rows), drop_order_(drop_order), words_(words),
        necessary_(circuit, tile_), flow_(circuit, tile_), tested_(circuit.features()),
        now_tested_(circuit.features()) {}

  void operator()(std::size_t first, std::size_t count) {
    load(first, count);
    kept_ = necessary_.features();
    flow_.restart();
    (void)failing(tile_.asked());
    tested_.swap(now_tested_);
    for (const FeatureId f : drop_order_)
      try_without(f);
    const std::size_t rows = rows_.labels.size();
    for (FeatureId f = 0; f < circuit_.features(); ++f)
      store(kept_[f], first, rows, words_ + f * words_for(rows));
  }

private:
  /// The rows that can reach a bad leaf; notes what is tested within their reach.
  Lanes failing(const Lanes& rows) {
    flow_.recall();
    flow_.send(circuit_.root(), rows);
    Lanes found = flow_.descend();
    if (circuit_.has_conjunctions() && found.any()) {
      flow_.ascend();
      found = flow_.bad(circuit_.root());
    }
    std::fill(now_tested_.begin(), now_tested_.end(), Lanes{});
    flow_.reached().ascending([&](std::size_t n) {
      const auto node = static_cast<NodeId>(n);
      if (circuit_.kind(node) == Kind::decision)
        now_tested_[circuit_.tested(circuit_.payload(node))] |= flow_.reach(node);
    });
    return found;
  }

  void try_without(FeatureId f) {
    const Lanes open = tile_.asked() & ~kept_[f];
    const Lanes tried = open & tested_[f]; // what is not tested within reach goes unasked
    flow_.free(f, open);
    if (!tried.any())
      return;
    const Lanes fails = failing(tried), sticks = tried & ~fails;
    flow_.fix(f, fails);
    kept_[f] |= fails;
    for (FeatureId g = 0; g < circuit_.features(); ++g)
      tested_[g] = (tested_[g] & ~sticks) | (now_tested_[g] & sticks);
  }

  std::span<const FeatureId> drop_order_;
  std::uint64_t* words_;
  NecessaryFlow necessary_;
  Flow flow_;
  std::vector<Lanes> kept_, tested_, now_tested_;
};

/// The same where every way tests the features in one order: see level_flow.hpp.
class OrderedSufficient : Asking {
public:
  OrderedSufficient(const Circuit& circuit, const Arms& arms, const LevelTable& levels,
                    const Decided& rows, std::span<const FeatureId> drop_order,
                    std::uint64_t* words)
      : Asking(circuit, arms, rows), levels_(levels), drop_order_(drop_order), words_(words),
        flow_(levels, tile_) {}

  void operator()(std::size_t first, std::size_t count) {
    load(first, count);
    flow_.restart();
    const std::size_t rows = rows_.labels.size();
    for (const FeatureId f : drop_order_) {
      const std::size_t level = levels_.level_of(f);
      if (level == levels_.count())
        continue;
      const Lanes kept = flow_.failing_without(level), dropped = tile_.asked() & ~kept;
      if (dropped.any())
        flow_.free(level, dropped);
      store(kept, first, rows, words_ + f * words_for(rows));
    }
  }

private:
  const LevelTable& levels_;
  std::span<const FeatureId> drop_order_;
  std::uint64_t* words_;
  LevelFlow flow_;
};

} // namespace

std::size_t words_for(std::size_t rows) {
  return (rows + 63) / 64;
}

void check_rows(const Circuit& circuit, std::span<const Cell> cells, std::size_t rows) {
  const std::size_t width = circuit.features();
  if (rows >= std::numeric_limits<std::uint32_t>::max())
    throw InputError("more rows than can be asked about at once; ask in parts");
  if (cells.size() != rows * width)
    throw InputError("the rows do not have one cell for each feature");
  const Cell* cell = cells.data();
  for (std::size_t row = 0; row < rows; ++row)
    for (FeatureId f = 0; f < width; ++f, ++cell)
      if (*cell >= circuit.domain(f))
        throw InputError("row " + std::to_string(row) + " has no value number " +
                         std::to_string(*cell) + " of feature " + std::to_string(f));
}

void decide_rows(const Circuit& circuit, std::span<const Cell> cells, std::span<LabelId> labels,
                 unsigned threads, Budget& budget) {
  const std::size_t width = circuit.features();
  deal(labels.size(), threads, budget, [&] {
    return [&](std::size_t first, std::size_t count) {
      for (std::size_t row = first; row < first + count; ++row)
        labels[row] = decide(circuit, cells.subspan(row * width, width));
    };
  });
}

std::vector<std::uint64_t> biased_rows(const Circuit& circuit, const Decided& rows,
                                       std::span<const FeatureId> loose, std::span<Cell> witness,
                                       unsigned threads, Budget& budget) {
  const Arms arms(circuit);
  std::vector<std::uint64_t> words(words_for(rows.labels.size()));
  deal(rows.labels.size(), threads, budget,
       [&] { return Biased(circuit, arms, rows, loose, witness, words.data()); });
  return words;
}

std::vector<std::uint64_t> necessary_rows(const Circuit& circuit, const Decided& rows,
                                          unsigned threads, Budget& budget) {
  const Arms arms(circuit);
  std::vector<std::uint64_t> words(words_for(rows.labels.size()) * circuit.features());
  deal(rows.labels.size(), threads, budget,
       [&] { return Necessary(circuit, arms, rows, words.data()); });
  return words;
}

std::vector<std::uint64_t> sufficient_rows(const Circuit& circuit, const Decided& rows,
                                           std::span<const FeatureId> drop_order, unsigned threads,
                                           Budget& budget) {
  const Arms arms(circuit);
  std::vector<std::uint64_t> words(words_for(rows.labels.size()) * circuit.features());
  if (circuit.is_ordered()) {
    const LevelTable levels(circuit, arms);
    deal(rows.labels.size(), threads, budget,
         [&] { return OrderedSufficient(circuit, arms, levels, rows, drop_order, words.data()); });
    return words;
  }
  deal(rows.labels.size(), threads, budget,
       [&] { return Sufficient(circuit, arms, rows, drop_order, words.data()); });
  return words;
}

} // namespace reasons
