// sift.cpp: every feature is moved through all levels and left where the graph was smallest
// (Rudell 1993), those with most nodes first, until a round gains next to nothing.
//
// Work is limited by counting and not by the clock, so that results do not depend on the
// machine. Orders that are found by trying whole permutations lost: each try is a compilation.
#include "reorder/sift.hpp"

#include "base/error.hpp"
#include "reorder/level_graph.hpp"

#include <algorithm>
#include <limits>

namespace reasons::reorder {
namespace {

constexpr double most_growth = 1.2, most_on_the_way = 2.0, worthwhile = 0.99;
// Less than a second for 100,000 nodes, and a few seconds for any number.
constexpr std::uint64_t least_work = 1ull << 24, work_per_node = 100, most_work = 1ull << 25;

class Sifting {
public:
  Sifting(LevelGraph& graph, Budget& budget)
      : graph_(graph), budget_(budget),
        work_(graph.work() + std::min(most_work, least_work + work_per_node * graph.size())) {}

  void run() {
    double before = std::numeric_limits<double>::infinity();
    while (static_cast<double>(graph_.size()) < before * worthwhile && has_time()) {
      before = static_cast<double>(graph_.size());
      for (const FeatureId feature : heaviest())
        if (has_time())
          sift(feature);
    }
  }

private:
  [[nodiscard]] bool has_time() const { return graph_.work() < work_; }
  [[nodiscard]] std::size_t last() const { return graph_.order().size() - 1; }

  [[nodiscard]] std::vector<FeatureId> heaviest() const {
    std::vector<FeatureId> features = graph_.order();
    std::ranges::stable_sort(features, std::greater{},
                             [&](FeatureId f) { return graph_.width(f); });
    return features;
  }

  void sift(FeatureId feature) {
    budget_.check();
    at_ = best_ = static_cast<std::size_t>(std::ranges::find(graph_.order(), feature) -
                                           graph_.order().begin());
    least_ = graph_.size();
    const bool up_first = at_ < last() - at_;
    for (const std::size_t end : {up_first ? 0 : last(), up_first ? last() : 0}) {
      try_toward(end);
      while (at_ != best_)
        step(best_, std::numeric_limits<std::size_t>::max());
    }
  }

  void try_toward(std::size_t end) {
    while (at_ != end && has_time() && graph_.size() <= grown(most_growth) &&
           step(end, grown(most_on_the_way)))
      if (graph_.size() < least_) {
        least_ = graph_.size();
        best_ = at_;
      }
  }

  bool step(std::size_t toward, std::size_t most) {
    const bool down = toward > at_;
    if (!graph_.exchange(down ? at_ : at_ - 1, most))
      return false;
    at_ += down ? 1 : std::size_t(-1);
    return true;
  }

  [[nodiscard]] std::size_t grown(double factor) const {
    return static_cast<std::size_t>(factor * static_cast<double>(least_)) + 2;
  }

  LevelGraph& graph_;
  Budget& budget_;
  std::uint64_t work_; ///< of the graph, when it is enough
  std::size_t at_ = 0, best_ = 0, least_ = 0;
};

} // namespace

Circuit sifted(const Circuit& circuit, Budget budget) {
  if (!circuit.is_ordered())
    throw PropertyError("only circuits that test features in one order, each once on every way, "
                        "without conjunctions, have an order to improve");
  budget.stage("a better order of features");
  LevelGraph graph(circuit, budget);
  if (graph.order().size() < 2)
    return circuit;
  Sifting(graph, budget).run();
  Circuit found = graph.circuit();
  return found.size() < circuit.size() ? found : circuit;
}

} // namespace reasons::reorder
