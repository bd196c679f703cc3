// compile_trees.cpp: sums of trees, compiled.
#include "forest/compile/compile_trees.hpp"
#include "convert.hpp"
#include "forest/compile/size_estimate.hpp"

namespace reasons::bindings {

using namespace forest;

void bind_compile_trees(nb::module_& module) {
  nb::class_<CompileTreesStats>(module, "CompileTreesStats")
      .def(nb::init<>())
      .def_ro("settled", &CompileTreesStats::settled)
      .def_ro("states", &CompileTreesStats::states)
      .def_ro("trials", &CompileTreesStats::trials)
      .def_ro("order", &CompileTreesStats::order);
  module.def(
      "compile_trees",
      [](const Ensemble& ensemble, const std::vector<FeatureId>& order, Budget budget,
         CompileTreesStats* stats) { return compile_trees(ensemble, order, budget, stats); },
      "ensemble"_a, "order"_a, "budget"_a, "stats"_a.none() = nb::none(),
      nb::call_guard<nb::gil_scoped_release>());
  module.def("explored_share", &explored_share, "ensemble"_a, "effort"_a, "budget"_a,
             nb::call_guard<nb::gil_scoped_release>());
}

} // namespace reasons::bindings
