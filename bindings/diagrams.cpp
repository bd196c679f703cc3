// diagrams.cpp: readers of decision diagrams and of SDDs.
#include "convert.hpp"
#include "formats/dddmp/dddmp.hpp"
#include "formats/nnf/to_obdd.hpp"
#include "formats/sdd.hpp"

namespace reasons::bindings {

using namespace formats;

namespace {

std::string_view view(const nb::bytes& text) {
  return {text.c_str(), text.size()};
}

/// Names as the file has them: whether they are text is for Python to say.
std::vector<nb::bytes> names(const std::vector<std::string>& texts) {
  std::vector<nb::bytes> result;
  for (const std::string& text : texts)
    result.emplace_back(text.data(), text.size());
  return result;
}

Dddmp dddmp(const nb::bytes& text, Budget& budget) {
  const std::string_view bytes = view(text);
  nb::gil_scoped_release release;
  return read_dddmp(bytes, budget);
}

Sdd sdd(const nb::bytes& text, const Vtree* vtree, bool fits, Budget& budget) {
  const std::string_view bytes = view(text);
  nb::gil_scoped_release release;
  return read_sdd(bytes, vtree, fits ? VtreeUse::shape : VtreeUse::variables, budget);
}

Vtree vtree(const nb::bytes& text, Budget& budget) {
  const std::string_view bytes = view(text);
  nb::gil_scoped_release release;
  return read_vtree(bytes, budget);
}

} // namespace

void bind_diagrams(nb::module_& module) {
  using Release = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<Dddmp>(module, "Dddmp")
      .def_prop_ro("features", [](const Dddmp& d) { return names(d.features); })
      .def_prop_ro("root_names", [](const Dddmp& d) { return names(d.root_names); })
      .def_ro("roots", &Dddmp::roots)
      .def_ro("values", &Dddmp::values)
      .def("circuit", &dddmp_circuit, "root"_a, "budget"_a, Release());
  module.def("read_dddmp", &dddmp, "text"_a, "budget"_a);
  nb::class_<Vtree>(module, "Vtree").def("__len__", &Vtree::size);
  module.def("read_vtree", &vtree, "text"_a, "budget"_a);
  nb::class_<Sdd>(module, "Sdd")
      .def_ro("variables", &Sdd::variables)
      .def_ro("order", &Sdd::order)
      .def(
          "ordered_circuit",
          [](const Sdd& s, Budget budget) {
            return ordered_circuit(s.nnf, s.order, std::move(budget));
          },
          "budget"_a, Release());
  module.def("read_sdd", &sdd, "text"_a, "vtree"_a.none(), "fits"_a, "budget"_a);
}

} // namespace reasons::bindings
