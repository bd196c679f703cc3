// open_boxes.hpp: the open boxes of a branch and bound, which threads share.
//
// Open boxes stay in the order in which one thread would visit them, depth first. A thread takes
// the first that no other works on, and its parts take its place. The answer is the first
// counter-example in this order: one drops all boxes behind it, and is itself given up for one
// that is found before it. So answers are the same for any number of threads.
#pragma once

#include "base/budget.hpp"
#include "forest/bound/relaxation.hpp"
#include "forest/search/box.hpp"

#include <functional>
#include <optional>

namespace reasons::forest {

/// What came of one box: a counter-example, or parts of it that are open, the first to visit last.
struct VisitedBox {
  std::optional<std::vector<Cell>> found;
  std::vector<Relaxation> parts;
};

/// Visits a box that was split off after `depth` splits, on any thread.
using VisitBox = std::function<VisitedBox(Relaxation& box, std::uint32_t depth, BudgetTicker&)>;

/// The first counter-example in a box and its parts, or none if no part is left open. The calling
/// thread works too, and it alone looks at the budget.
[[nodiscard]] std::optional<std::vector<Cell>> first_found(Relaxation root, const VisitBox& visit,
                                                           Budget& budget);

} // namespace reasons::forest
