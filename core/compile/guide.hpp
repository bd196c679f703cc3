// guide.hpp: which variable to decide next.
#pragma once

#include "components.hpp"

#include <vector>

namespace reasons {

class Guide {
public:
  static constexpr Var none = 0xFFFFFFFF;

  Guide(const Components& components, const Solver& solver, std::uint32_t inputs,
        std::vector<double> rank);

  /// The variable to decide in this component; `none` if it has no input.
  [[nodiscard]] Var choose(const Component& component);

private:
  const Components& components_;
  const Solver& solver_;
  std::uint32_t inputs_;
  std::vector<double> rank_;
  std::vector<double> score_;
};

} // namespace reasons
