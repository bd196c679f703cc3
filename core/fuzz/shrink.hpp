// shrink.hpp: what a failure needs and no more.
#pragma once

#include <string>

namespace reasons::fuzz {

/// The smallest text found whose run ends as that of `text` does, by leaving out pieces: lines,
/// then words, then bytes, ever smaller ones. At most 2,000 runs, and 20 s for slow ones.
[[nodiscard]] std::string shrunk(const std::string& text, const std::string& how,
                                 const std::string& report);

} // namespace reasons::fuzz
