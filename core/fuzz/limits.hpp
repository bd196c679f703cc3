// limits.hpp: one input at a time, within 2 s of processor time and 512 MB.
#pragma once

#include "fuzz/target.hpp"

#include <functional>
#include <string>

namespace reasons::fuzz {

/// Runs the target on a copy that ends where the text ends, so that reading on is seen.
/// Ends the process where a limit is passed.
int run_limited(const std::string& text);

/// Does work in a child whose messages go to a file; how the child ended, empty if well.
[[nodiscard]] std::string in_child(const std::string& report, const std::function<void()>& work);

} // namespace reasons::fuzz
