// compile_cnf.hpp: top-down compilation of a CNF to Decision-DNNF (as Dsharp 2012 and D4 2017).
//
// Before a branch is compiled the solver proves it satisfiable. That costs one question
// a decision (the branch that agrees with the last model needs none) and buys purity:
// under a satisfiable trail whatever learned clauses imply about one component follows
// from that component alone, so no cached result depends on a sibling that is refuted
// later, and nothing has to leave the cache. sharpSAT's order, components first and
// cleaning the cache after a conflict, was not built.
#pragma once

#include "base/budget.hpp"
#include "circuit/circuit.hpp"
#include "cnf/cnf.hpp"

#include <cstdint>

namespace reasons::cnf {

struct CnfOptions {
  /// Variables 1 to `inputs` are the features; the others must be defined by them (each
  /// model of the inputs has exactly one completion) and are left out of the circuit.
  std::uint32_t inputs = 0xFFFFFFFF;
  std::uint64_t cache_bytes = 2ull << 30;
};

struct CnfStatistics {
  std::uint64_t decisions = 0, hits = 0, lookups = 0, conflicts = 0;
  std::uint32_t width = 0;
};

/// The circuit that is true exactly for the models. Can explode: budgeted.
[[nodiscard]] Circuit compile_cnf(const Cnf& cnf, const CnfOptions& options, Budget budget,
                                  CnfStatistics* statistics = nullptr);

} // namespace reasons::cnf
