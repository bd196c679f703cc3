#include "fuzz/target.hpp"

#include "base/error.hpp"
#include "circuit/validator.hpp"
#include "query/decision.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace reasons::fuzz {
namespace {

constexpr std::size_t few_variables = 5;
constexpr std::size_t some_rows = 24;

/// A complaint that names a place must name one that is there.
void require_place(const formats::FormatError& error, std::string_view text) {
  std::vector<std::size_t> lengths(1);
  for (const char c : text)
    if (c == '\n')
      lengths.push_back(0);
    else
      ++lengths.back();
  if (error.line() == 0 || error.line() > lengths.size())
    broken("a refusal names line " + std::to_string(error.line()) + ": " + error.what());
  if (error.column() > lengths[error.line() - 1] + 1)
    broken("a refusal names column " + std::to_string(error.column()) + ": " + error.what());
}

} // namespace

void broken(const std::string& message) {
  std::fprintf(stderr, "BROKEN: %s\n", message.c_str());
  std::abort();
}

Verdict attempt(std::string_view text, const std::function<void()>& read) {
  try {
    read();
    return accepted;
  } catch (const formats::FormatError& error) {
    require_place(error, text);
  } catch (const PropertyError&) {
  } catch (const InputError&) {
  } catch (const BudgetExceeded&) {
  } catch (const std::exception& error) {
    broken(std::string("an exception that is not ours: ") + error.what());
  }
  return refused;
}

Budget small_budget() {
  return {100'000, 64u << 20, std::numeric_limits<double>::infinity()};
}

std::vector<Assignment> assignments(std::size_t variables, std::string_view text) {
  std::vector<Assignment> rows;
  std::mt19937 rng(static_cast<std::uint32_t>(std::hash<std::string_view>{}(text)));
  const bool all = variables <= few_variables;
  for (std::size_t row = 0; row < (all ? std::size_t{1} << variables : some_rows); ++row) {
    rows.emplace_back();
    for (std::size_t v = 0; v < variables; ++v)
      rows.back().push_back(static_cast<Cell>(all ? row >> v & 1 : rng() >> 7 & 1));
  }
  return rows;
}

void require_circuit(const Circuit& circuit, const std::vector<Assignment>& rows,
                     const std::function<LabelId(const Assignment&)>& expected) {
  Budget budget = small_budget();
  if (const auto violation = first_violation(circuit, budget))
    broken("node " + std::to_string(violation->node) + " of the circuit: " + violation->what);
  for (const Assignment& row : rows)
    if (row.size() != circuit.features() || query::decide(circuit, row) != expected(row))
      broken("the circuit and the file disagree");
}

} // namespace reasons::fuzz
