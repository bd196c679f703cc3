// convert.hpp: Python values to the core's and back. Nothing here decides anything.
#pragma once

#include "base/budget.hpp"
#include "base/error.hpp"
#include "circuit/circuit.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string>
#include <vector>

namespace reasons::bindings {

namespace nb = nanobind;
using namespace nb::literals;

using Cells = std::vector<Cell>;
template <class T> using Numbers = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Lets Ctrl-C out of a long loop, and tells a listener how far it is; the GIL is
/// taken for just that.
inline auto on_pause(const nb::object& listener) {
  // A budget is copied and dropped by code that does not hold the GIL; the listener's
  // reference count must not be touched there.
  const std::shared_ptr<nb::object> held(new nb::object(listener), [](nb::object* object) {
    nb::gil_scoped_acquire gil;
    delete object;
  });
  return [held](const std::string& stage, std::uint64_t done) {
    nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0)
      throw nb::python_error();
    if (!held->is_none())
      (*held)(stage, done, nb::none());
  };
}

/// An instance whose cells are known to be in their domains.
template <class Form> const Cells& checked(const Form& form, const Cells& instance) {
  if (instance.size() != form.features())
    throw InputError("an instance has " + std::to_string(form.features()) + " values, not " +
                     std::to_string(instance.size()));
  for (FeatureId f = 0; f < form.features(); ++f)
    if (instance[f] >= form.domain(f))
      throw InputError("feature " + std::to_string(f) + " has no value number " +
                       std::to_string(instance[f]));
  return instance;
}

inline void check_feature(const Circuit& circuit, FeatureId feature) {
  if (feature >= circuit.features())
    throw InputError("there is no feature number " + std::to_string(feature));
}

template <class T> std::span<const T> span_of(const Numbers<T>& numbers) {
  return {numbers.data(), numbers.size()};
}

template <class T> std::vector<T> copied(const Numbers<T>& numbers) {
  const auto span = span_of(numbers);
  return {span.begin(), span.end()};
}

template <class T> nb::bytes bytes_of(std::span<const T> items) {
  return nb::bytes(reinterpret_cast<const char*>(items.data()), items.size_bytes());
}

/// The labels of rows of cells, on all cores.
std::vector<LabelId> labels_of(const Circuit& circuit, Numbers<Cell> cells, std::size_t rows);

void bind_circuit(nb::module_& module);
void bind_batch(nb::module_& module);
void bind_queries(nb::module_& module);
void bind_reason(nb::module_& module);
void bind_family(nb::module_& module);
void bind_models(nb::module_& module);
void bind_formats(nb::module_& module);
void bind_diagrams(nb::module_& module);
void bind_clauses(nb::module_& module);
void bind_trees(nb::module_& module);
void bind_search(nb::module_& module);
void bind_compile_trees(nb::module_& module);
void bind_network(nb::module_& module);

} // namespace reasons::bindings
