// formats.cpp: readers of the field's formats. They take bytes and hold no files.
#include "cnf/compile/compile_cnf.hpp"
#include "convert.hpp"
#include "formats/dimacs.hpp"
#include "formats/nnf/reader.hpp"

namespace reasons::bindings {

using namespace cnf;
using namespace formats;

namespace {

std::string_view view_of(const nb::bytes& text) {
  return {static_cast<const char*>(text.data()), text.size()};
}

template <class Read> auto read_with(Read read, const nb::bytes& text) {
  const std::string_view view = view_of(text);
  nb::gil_scoped_release release;
  return read(view);
}

Cnf cnf_of(std::uint32_t variables, const Numbers<std::int32_t>& literals,
           const Numbers<std::uint64_t>& first) {
  const auto most = static_cast<std::int64_t>(variables);
  const auto cuts = span_of(first);
  if (cuts.empty() || cuts.front() != 0 || cuts.back() != literals.size() ||
      !std::is_sorted(cuts.begin(), cuts.end()))
    throw InputError("the clauses do not fit together");
  for (const std::int64_t literal : span_of(literals))
    if (literal == 0 || literal > most || literal < -most)
      throw InputError("there is no literal " + std::to_string(literal));
  Cnf cnf;
  cnf.variables = variables;
  cnf.literals.assign(literals.data(), literals.data() + literals.size());
  cnf.first.assign(cuts.begin(), cuts.end());
  return cnf;
}

auto warnings_of(const std::vector<Warning>& warnings) {
  std::vector<std::pair<std::uint64_t, std::string>> found;
  for (const auto& [line, text] : warnings)
    found.emplace_back(line, text);
  return found;
}

auto shown_of(const Dimacs& dimacs) {
  std::vector<std::uint32_t> found;
  for (const auto& [variable, line] : dimacs.shown)
    found.push_back(variable);
  return found;
}

auto weights_of(const Dimacs& dimacs) {
  std::vector<std::tuple<std::int32_t, nb::bytes, std::uint64_t>> found;
  for (const auto& [literal, text, line] : dimacs.weights)
    found.emplace_back(literal, nb::bytes(text.data(), text.size()), line);
  return found;
}

} // namespace

void bind_formats(nb::module_& module) {
  using Release = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<Cnf>(module, "Cnf")
      .def(
          "__init__",
          [](Cnf* self, std::uint32_t variables, const Numbers<std::int32_t>& literals,
             const Numbers<std::uint64_t>& first) {
            new (self) Cnf(cnf_of(variables, literals, first));
          },
          "variables"_a, "literals"_a, "first"_a)
      .def("__len__", &Cnf::clauses)
      .def_ro("variables", &Cnf::variables)
      .def_prop_ro(
          "literals",
          [](const Cnf& cnf) { return bytes_of(std::span<const std::int32_t>(cnf.literals)); })
      .def_prop_ro(
          "first",
          [](const Cnf& cnf) { return bytes_of(std::span<const std::uint64_t>(cnf.first)); })
      .def(
          "clause",
          [](const Cnf& cnf, std::size_t number) {
            if (number >= cnf.clauses())
              throw nb::index_error("there is no such clause");
            const auto literals = cnf.clause(number);
            return std::vector<std::int32_t>(literals.begin(), literals.end());
          },
          "number"_a);

  module.def(
      "compile_cnf",
      [](const Cnf& cnf, std::uint32_t inputs, Budget budget) {
        CnfOptions options;
        options.inputs = inputs;
        return compile_cnf(cnf, options, std::move(budget));
      },
      "cnf"_a, "inputs"_a, "budget"_a, nb::call_guard<nb::gil_scoped_release>());
  nb::class_<Dimacs>(module, "Dimacs")
      .def_prop_ro("cnf", [](const Dimacs& dimacs) { return dimacs.cnf; })
      .def_prop_ro("warnings", [](const Dimacs& dimacs) { return warnings_of(dimacs.warnings); })
      .def_ro("is_projected", &Dimacs::is_projected)
      .def_prop_ro("shown", &shown_of)
      .def_prop_ro("weights", &weights_of)
      .def_prop_ro("task", [](const Dimacs& dimacs) {
        return nb::bytes(dimacs.task.data(), dimacs.task.size());
      });
  module.def(
      "read_dimacs", [](const nb::bytes& text) { return read_with(read_dimacs, text); }, "text"_a);

  nb::class_<NnfFile>(module, "NnfFile")
      .def_prop_ro("warnings", [](const NnfFile& file) { return warnings_of(file.warnings); })
      .def_prop_ro("variables", [](const NnfFile& file) { return file.nnf.variables; })
      .def("__len__", [](const NnfFile& file) { return file.nnf.size(); })
      .def(
          "widen",
          [](NnfFile& file, std::uint32_t variables) {
            if (variables < file.nnf.variables)
              throw InputError("the file has " + std::to_string(file.nnf.variables) + " variables");
            file.nnf.variables = variables;
          },
          "variables"_a)
      .def(
          "decision_circuit",
          [](const NnfFile& file, Budget budget) {
            return decision_circuit(file.nnf, std::move(budget));
          },
          "budget"_a, Release())
      .def(
          "defining_clauses", [](const NnfFile& file) { return defining_clauses(file.nnf); },
          Release());
  module.def("read_nnf", [](const nb::bytes& text) { return read_with(read_nnf, text); }, "text"_a);
}

} // namespace reasons::bindings
