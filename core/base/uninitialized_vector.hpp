// uninitialized_vector.hpp: vectors whose new elements are not initialized, to be written once.
#pragma once

#include <memory>
#include <utility>
#include <vector>

namespace reasons {

template <class T> struct uninitialized_allocator : std::allocator<T> {
  template <class U> struct rebind {
    using other = uninitialized_allocator<U>;
  };
  template <class U> void construct(U* place) noexcept { ::new (static_cast<void*>(place)) U; }
  template <class U, class... Args> void construct(U* place, Args&&... args) {
    ::new (static_cast<void*>(place)) U(std::forward<Args>(args)...);
  }
};

/// A vector that `resize` does not fill: what is reserved costs nothing until it is written.
template <class T> using UninitializedVector = std::vector<T, uninitialized_allocator<T>>;

} // namespace reasons
