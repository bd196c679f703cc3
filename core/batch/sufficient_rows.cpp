// sufficient_rows.cpp: necessary features and one sufficient reason of many decisions, tile by
// tile.
#include "batch/parallel_for.hpp"
#include "batch/propagation/necessary.hpp"
#include "batch/propagation/ordered_propagate.hpp"
#include "batch/propagation/propagate.hpp"
#include "batch/row_query.hpp"

namespace reasons::batch {
namespace {

class Necessary : RowQuery {
public:
  Necessary(const Circuit& circuit, const Arms& arms, const Decided& rows, std::uint64_t* words)
      : RowQuery(circuit, arms, rows), words_(words), propagation_(circuit, tile_) {}

  void operator()(std::size_t first, std::size_t count) {
    load(first, count);
    const auto& found = propagation_.features();
    const std::size_t rows = rows_.labels.size();
    for (FeatureId f = 0; f < circuit_.features(); ++f)
      store(found[f], first, rows, words_ + f * words_for(rows));
  }

private:
  std::uint64_t* words_;
  NecessaryPropagation propagation_;
};

class Sufficient : RowQuery {
public:
  Sufficient(const Circuit& circuit, const Arms& arms, const Decided& rows,
             std::span<const FeatureId> drop_order, std::uint64_t* words)
      : RowQuery(circuit, arms, rows), drop_order_(drop_order), words_(words),
        necessary_(circuit, tile_), propagation_(circuit, tile_), tested_(circuit.features()),
        now_tested_(circuit.features()) {}

  void operator()(std::size_t first, std::size_t count) {
    load(first, count);
    kept_ = necessary_.features();
    propagation_.restart();
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
  RowMask failing(const RowMask& rows) {
    propagation_.clear_reach();
    propagation_.send(circuit_.root(), rows);
    RowMask found = propagation_.descend();
    if (circuit_.has_conjunctions() && found.any()) {
      propagation_.ascend();
      found = propagation_.bad(circuit_.root());
    }
    std::fill(now_tested_.begin(), now_tested_.end(), RowMask{});
    propagation_.reached().ascending([&](std::size_t n) {
      const auto node = static_cast<NodeId>(n);
      if (circuit_.kind(node) == Kind::decision)
        now_tested_[circuit_.tested(circuit_.payload(node))] |= propagation_.reach(node);
    });
    return found;
  }

  void try_without(FeatureId f) {
    const RowMask open = tile_.asked() & ~kept_[f];
    const RowMask tried = open & tested_[f]; // what is not tested within reach goes unasked
    propagation_.free(f, open);
    if (!tried.any())
      return;
    const RowMask fails = failing(tried), sticks = tried & ~fails;
    propagation_.fix(f, fails);
    kept_[f] |= fails;
    for (FeatureId g = 0; g < circuit_.features(); ++g)
      tested_[g] = (tested_[g] & ~sticks) | (now_tested_[g] & sticks);
  }

  std::span<const FeatureId> drop_order_;
  std::uint64_t* words_;
  NecessaryPropagation necessary_;
  Propagation propagation_;
  std::vector<RowMask> kept_, tested_, now_tested_;
};

/// The same where every way tests the features in one order: see ordered_propagate.hpp.
class OrderedSufficient : RowQuery {
public:
  OrderedSufficient(const Circuit& circuit, const Arms& arms, const LevelTable& levels,
                    const Decided& rows, std::span<const FeatureId> drop_order,
                    std::uint64_t* words)
      : RowQuery(circuit, arms, rows), levels_(levels), drop_order_(drop_order), words_(words),
        propagation_(levels, tile_) {}

  void operator()(std::size_t first, std::size_t count) {
    load(first, count);
    propagation_.restart();
    const std::size_t rows = rows_.labels.size();
    for (const FeatureId f : drop_order_) {
      const std::size_t level = levels_.level_of(f);
      if (level == levels_.count())
        continue;
      const RowMask kept = propagation_.failing_without(level), dropped = tile_.asked() & ~kept;
      if (dropped.any())
        propagation_.free(level, dropped);
      store(kept, first, rows, words_ + f * words_for(rows));
    }
  }

private:
  const LevelTable& levels_;
  std::span<const FeatureId> drop_order_;
  std::uint64_t* words_;
  OrderedPropagation propagation_;
};

} // namespace

std::vector<std::uint64_t> necessary_rows(const Circuit& circuit, const Decided& rows,
                                          unsigned threads, Budget& budget) {
  const Arms arms(circuit);
  std::vector<std::uint64_t> words(words_for(rows.labels.size()) * circuit.features());
  parallel_for(rows.labels.size(), threads, budget,
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
    parallel_for(rows.labels.size(), threads, budget, [&] {
      return OrderedSufficient(circuit, arms, levels, rows, drop_order, words.data());
    });
    return words;
  }
  parallel_for(rows.labels.size(), threads, budget,
               [&] { return Sufficient(circuit, arms, rows, drop_order, words.data()); });
  return words;
}

} // namespace reasons::batch
