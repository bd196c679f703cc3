// dnnf_search.hpp: the DPLL-style search over decisions and components that builds the circuit.
#pragma once

#include "circuit/builder.hpp"
#include "cnf/compile/branching.hpp"
#include "cnf/compile/compile_cnf.hpp"
#include "cnf/compile/component_cache.hpp"
#include "cnf/compile/components.hpp"
#include "cnf/solver/solver.hpp"

#include <vector>

namespace reasons::cnf {

class DnnfSearch {
public:
  /// The formula must be satisfiable, with `model` a model of it.
  DnnfSearch(circuit::Builder& builder, Solver& solver, Components& components,
             VariableRanking ranking, const CnfOptions& options, CnfStatistics& statistics);

  /// Goes on until the formula is compiled or about that many more decisions are made (hard
  /// conflicts count too); starts at the top each time, where the cache knows what was finished
  /// before.
  void run(std::uint64_t decisions);
  [[nodiscard]] bool is_done() const { return done_; }
  [[nodiscard]] NodeId node() const { return result_; }
  /// How many decisions it may need in all, going by its first and last run: a rough guess.
  [[nodiscard]] double estimate() const { return estimate_; }

private:
  /// One component on its way: its first branch, then its second.
  struct Frame {
    Component component;
    Components::Mark mark; // of the stacks when it was entered
    ComponentCache::Entry entry;
    Var decided;
    bool value;                            // of the decided variable in this branch
    bool second;                           // which branch
    NodeId nodes[2];                       // by value of the decided variable
    std::uint32_t trail;                   // its length before the branch
    std::uint32_t parts;                   // where this branch's conjuncts start
    std::uint32_t first_child, next_child; // components of this branch
  };

  void enter(Component component);
  [[nodiscard]] bool is_over() const {
    return made_ >= last_decision_ || solver_.conflicts() >= last_conflict_;
  }
  [[nodiscard]] double progress() const;
  void extrapolate(double progress);
  void stop();
  void open_branch(Frame& frame);
  void spend(std::size_t work);
  void collect(Frame& frame);
  void close_branch(Frame& frame);
  [[nodiscard]] NodeId joined(const Frame& frame);
  [[nodiscard]] NodeId literal(Lit l);
  void keep_cache_small();

  circuit::Builder& builder_;
  Solver& solver_;
  Components& components_;
  BranchingHeuristic heuristic_;
  const CnfOptions& options_;
  CnfStatistics& statistics_;
  ComponentCache cache_;
  std::vector<Frame> frames_;
  std::vector<Component> children_;
  std::vector<NodeId> parts_;
  std::vector<std::uint8_t> model_;  // of the whole formula
  std::vector<std::uint64_t> owner_; // the last branch whose component has the variable
  std::uint64_t branch_ = 0;
  std::size_t work_ = 0;
  NodeId falsum_, verum_, result_ = 0;
  std::uint64_t made_ = 0; // decisions
  std::uint64_t last_decision_ = 0, last_conflict_ = 0;
  bool done_ = false;
  double estimate_ = 0, first_progress_ = 0;
  std::uint64_t first_made_ = 0;
};

} // namespace reasons::cnf
