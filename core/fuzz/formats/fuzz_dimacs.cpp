// fuzz_dimacs.cpp: what is read and written again is read as the same.
#include "formats/dimacs.hpp"
#include "fuzz/target.hpp"

using namespace reasons;
using namespace reasons::formats;
using namespace reasons::fuzz;

namespace {

std::string written(const Dimacs& file) {
  std::string out = file.task.empty() ? "" : "c t " + file.task + "\n";
  out += "p cnf " + std::to_string(file.cnf.variables) + " " + std::to_string(file.cnf.clauses()) +
         "\n";
  for (std::size_t c = 0; c < file.cnf.clauses(); ++c) {
    for (const std::int32_t literal : file.cnf.clause(c))
      out += std::to_string(literal) + " ";
    out += "0\n";
  }
  if (file.is_projected) {
    out += "c p show ";
    for (const auto& [variable, line] : file.shown)
      out += std::to_string(variable) + " ";
    out += "0\n";
  }
  for (const auto& [literal, text, line] : file.weights)
    out += "c p weight " + std::to_string(literal) + " " + text + " 0\n";
  return out;
}

bool same(const Dimacs& one, const Dimacs& other) {
  bool same = one.cnf.variables == other.cnf.variables && one.cnf.literals == other.cnf.literals &&
              one.cnf.first == other.cnf.first && one.is_projected == other.is_projected &&
              one.task == other.task && one.shown.size() == other.shown.size() &&
              one.weights.size() == other.weights.size();
  for (std::size_t i = 0; same && i < one.shown.size(); ++i)
    same = one.shown[i].variable == other.shown[i].variable;
  for (std::size_t i = 0; same && i < one.weights.size(); ++i)
    same = one.weights[i].literal == other.weights[i].literal &&
           one.weights[i].text == other.weights[i].text;
  return same;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  return attempt(text, [&] {
    const Dimacs file = read_dimacs(text);
    for (const std::int32_t literal : file.cnf.literals)
      if (literal == 0 || static_cast<std::uint32_t>(std::abs(literal)) > file.cnf.variables)
        broken("a literal of no variable");
    const std::string again = written(file);
    try {
      const Dimacs second = read_dimacs(again);
      if (!second.warnings.empty() || !same(file, second))
        broken("what was written is read as something else");
    } catch (const FormatError& error) {
      broken(std::string("what was written is refused: ") + error.what());
    }
  });
}
