// module.cpp: the native module `reasons._core`, and the one place where the
// core's exceptions become the package's.
#include "convert.hpp"
#include "formats/scanner.hpp"

namespace reasons::bindings {

using namespace formats;

namespace {

void raise(const char* name, const char* message) {
  const nb::object type = nb::module_::import_("reasons.errors").attr(name);
  PyErr_SetString(type.ptr(), message);
}

void raise(const BudgetExceeded& error) {
  const nb::object type = nb::module_::import_("reasons.errors").attr("BudgetExceeded");
  nb::dict spent;
  const auto number = [](double value) -> nb::object {
    if (value == static_cast<double>(static_cast<long long>(value)))
      return nb::int_(static_cast<long long>(value));
    return nb::float_(value);
  };
  spent[error.resource().c_str()] = number(error.amount());
  spent["limit"] = number(error.limit());
  const nb::object raised = type(error.stage(), **spent);
  PyErr_SetObject(type.ptr(), raised.ptr());
}

void raise(const FormatError& error) {
  const nb::object type = nb::module_::import_("reasons.errors").attr("ParseError");
  nb::object column = nb::none();
  if (error.column() != 0)
    column = nb::int_(error.column());
  const nb::object raised = type(error.what(), "line"_a = error.line(), "column"_a = column);
  PyErr_SetObject(type.ptr(), raised.ptr());
}

void translate(const std::exception_ptr& pending, void*) {
  try {
    std::rethrow_exception(pending);
  } catch (const BudgetExceeded& error) {
    raise(error);
  } catch (const FormatError& error) {
    raise(error);
  } catch (const InputError& error) {
    raise("InputError", error.what());
  } catch (const PropertyError& error) {
    raise("PropertyError", error.what());
  }
}

} // namespace

NB_MODULE(_core, module) {
  module.doc() = "The C++ core; private, use the package.";
  nb::set_leak_warnings(false); // caches of a user may outlive the module at exit
  nb::register_exception_translator(translate);
  nb::class_<Budget>(module, "Budget")
      .def(
          "__init__",
          [](Budget* self, std::optional<std::uint64_t> nodes, std::optional<std::uint64_t> bytes,
             std::optional<double> seconds, const nb::object& progress,
             const std::optional<std::string>& stage, double elapsed, unsigned threads) {
            new (self) Budget(nodes.value_or(Budget::unlimited), bytes.value_or(Budget::unlimited),
                              seconds.value_or(std::numeric_limits<double>::infinity()),
                              on_pause(progress), elapsed);
            if (stage)
              self->stage(*stage);
            self->threads(threads);
          },
          "nodes"_a.none(), "bytes"_a.none(), "seconds"_a.none(), "progress"_a.none() = nb::none(),
          "stage"_a.none() = nb::none(), "elapsed"_a = 0.0, "threads"_a = 1);
  bind_circuit(module);
  bind_batch(module);
  bind_reason(module);
  bind_queries(module);
  bind_family(module);
  bind_models(module);
  bind_formats(module);
  bind_diagrams(module);
  bind_clauses(module);
  bind_trees(module);
  bind_search(module);
  bind_compile_trees(module);
  bind_network(module);
}

} // namespace reasons::bindings
