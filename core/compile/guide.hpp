// guide.hpp: which variable to decide next.
#pragma once

#include "components.hpp"

#include <vector>

namespace reasons {

class Guide {
public:
  static constexpr Var none = 0xFFFFFFFF;

  Guide(const Components& components, const Solver& solver, std::uint32_t inputs, Budget& budget);

  /// Whether there is anything to decide in this component.
  [[nodiscard]] bool has_input(const Component& component) const {
    return components_.variables(component).front() < inputs_;
  }
  /// The variable to decide in this component, which has an input.
  [[nodiscard]] Var choose(const Component& component);

  /// What a component was ranked by before it got a decomposition of its own.
  struct Before {
    std::vector<double> rank;
    std::uint32_t size;
  };
  /// Gives a component that has become much smaller ranks of its own.
  [[nodiscard]] Before enter(const Component& component);
  void leave(const Component& component, const Before& before);
  std::uint32_t width = 0;

private:
  const Components& components_;
  const Solver& solver_;
  std::uint32_t inputs_;
  std::vector<double> rank_;
  std::vector<double> score_;
  std::vector<std::uint32_t> index_;
  std::vector<Var> clause_;
  std::uint32_t ranked_ = 0xFFFFFFFF; // size of the component that was ranked last
  Budget& budget_;

  void rank(const Component& component);
};

} // namespace reasons
