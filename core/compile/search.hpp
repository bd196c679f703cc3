// search.hpp: the walk over decisions and components that writes the circuit.
#pragma once

#include "build.hpp"
#include "cache.hpp"
#include "compile_cnf.hpp"
#include "components.hpp"
#include "guide.hpp"
#include "solver.hpp"

#include <vector>

namespace reasons {

class Search {
public:
  Search(Builder& builder, Solver& solver, Components& components, Guide& guide,
         const CnfOptions& options, CnfStatistics& statistics);

  /// The node of the whole formula, which must be satisfiable with a model in the solver.
  [[nodiscard]] NodeId run();

private:
  /// One component on its way: its first branch, then its second.
  struct Frame {
    Component component;
    Components::Mark mark; // of the stacks when it was entered
    Guide::Before before;
    Cache::Entry entry;
    Var decided;
    bool value;                            // of the decided variable in this branch
    bool second;                           // which branch
    NodeId nodes[2];                       // by value of the decided variable
    std::uint32_t trail;                   // its length before the branch
    std::uint32_t parts;                   // where this branch's conjuncts start
    std::uint32_t first_child, next_child; // components of this branch
  };

  void enter(Component component);
  void open_branch(Frame& frame);
  void collect(Frame& frame);
  void close_branch(Frame& frame);
  [[nodiscard]] NodeId joined(const Frame& frame);
  [[nodiscard]] NodeId literal(Lit l);
  void keep_cache_small();

  Builder& builder_;
  Solver& solver_;
  Components& components_;
  Guide& guide_;
  const CnfOptions& options_;
  CnfStatistics& statistics_;
  Cache cache_;
  std::vector<Frame> frames_;
  std::vector<Component> children_;
  std::vector<NodeId> parts_;
  std::vector<std::uint64_t> owner_; // the last branch whose component has the variable
  std::uint64_t branch_ = 0;
  NodeId falsum_, verum_, result_ = 0;
};

} // namespace reasons
