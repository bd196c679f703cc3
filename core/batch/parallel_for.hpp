// parallel_for.hpp: a parallel loop over tiles of 512 rows.
//
// The calling thread works too, and it alone looks at the budget: what the host does when it
// pauses (Ctrl-C, progress) belongs to the thread that called.
#pragma once

#include "base/budget.hpp"
#include "batch/row_mask.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace reasons::batch {

/// Calls work(first, count) for runs of at most 512 rows. Each thread makes its own `work` by
/// make(). What one of them throws is thrown here, after all have stopped.
template <class Make>
void parallel_for(std::size_t rows, unsigned threads, Budget& budget, const Make& make) {
  budget.check(); // others may have done it all before this thread comes to its first tile
  const std::size_t tiles = (rows + tile_rows - 1) / tile_rows;
  std::atomic<std::size_t> next{0};
  std::atomic<bool> stopped{false};
  std::exception_ptr failure;
  std::mutex guard;
  const auto run = [&](Budget* checked) {
    try {
      auto work = make();
      for (std::size_t t = next++; t < tiles && !stopped; t = next++) {
        if (checked != nullptr)
          checked->check();
        work(t * tile_rows, std::min(tile_rows, rows - t * tile_rows));
      }
    } catch (...) {
      stopped = true;
      const std::lock_guard lock(guard);
      if (!failure)
        failure = std::current_exception();
    }
  };
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < std::min<std::size_t>(threads, tiles); ++i)
    others.emplace_back(run, nullptr);
  run(&budget);
  others.clear();
  if (failure)
    std::rethrow_exception(failure);
}

} // namespace reasons::batch
