// trees.hpp: what the bindings of ensembles and of their search share.
#pragma once

#include "convert.hpp"
#include "forest/ensemble.hpp"

namespace reasons::bindings {

/// The labels of rows of cells, row after row.
std::vector<LabelId> decide_all(const forest::Ensemble& ensemble, Numbers<Cell> cells,
                                std::size_t rows);

} // namespace reasons::bindings
