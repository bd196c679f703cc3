// graph.hpp: what a graph of a file means, by its definition.
#pragma once

#include "formats/nnf/nnf.hpp"
#include "fuzz/target.hpp"

namespace reasons::fuzz {

/// Ends the process unless inputs stand before users and literals are of known variables.
void require_graph(const formats::Nnf& nnf);

/// The value of every node.
[[nodiscard]] std::vector<bool> values(const formats::Nnf& nnf, const Assignment& row);

} // namespace reasons::fuzz
