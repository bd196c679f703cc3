// target.hpp: what a fuzz target may do, and what it says of what it may not.
//
// A target is one `LLVMFuzzerTestOneInput` in a program of its own: driven by libFuzzer
// where clang is there, by driver.cpp elsewhere. It may accept a text or refuse it by one of
// the errors that the core documents. Anything else ends the process.
#pragma once

#include "base/budget.hpp"
#include "circuit/circuit.hpp"
#include "formats/scanner.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace reasons::fuzz {

/// What libFuzzer takes for "worth keeping" and "not".
enum Verdict : int { accepted = 0, refused = -1 };

/// Ends the process with a message: the reader is wrong.
[[noreturn]] void broken(const std::string& message);

/// Calls a reader; FormatError with a place within the text, PropertyError, InputError and
/// BudgetExceeded are refusals, any other exception is a failure.
[[nodiscard]] Verdict attempt(std::string_view text, const std::function<void()>& read);

/// Enough for small texts, and an end to what explodes. No clock: what takes long is a failure.
[[nodiscard]] Budget small_budget();

using Assignment = std::vector<Cell>;

/// Every assignment to a few variables, some random ones to more; the same for the same text.
[[nodiscard]] std::vector<Assignment> assignments(std::size_t variables, std::string_view text);

/// Ends the process unless the circuit keeps its invariants and decides as it should.
void require_circuit(const Circuit& circuit, const std::vector<Assignment>& rows,
                     const std::function<LabelId(const Assignment&)>& expected);

} // namespace reasons::fuzz
