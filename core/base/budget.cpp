// budget.cpp: the rare half of a budget: reading the clock, asking the host, refusing.
#include "base/budget.hpp"

#include "base/error.hpp"

namespace reasons {

Budget::Budget(std::uint64_t nodes, std::uint64_t bytes, double seconds,
               std::function<void(const std::string&, std::uint64_t)> on_pause, double elapsed)
    : nodes_(nodes), bytes_(bytes), seconds_(seconds), on_pause_(std::move(on_pause)) {
  using Clock = std::chrono::steady_clock;
  started_ -= std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(elapsed));
}

void Budget::check() {
  done_ += work_between_pauses - until_pause_;
  until_pause_ = work_between_pauses;
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - started_;
  if (spent.count() > seconds_)
    throw BudgetExceeded(stage_, "seconds", spent.count(), seconds_);
  if (on_pause_)
    on_pause_(stage_, done_);
}

void Budget::refuse(std::uint64_t nodes, std::uint64_t bytes) const {
  if (nodes > nodes_)
    throw BudgetExceeded(stage_, "nodes", static_cast<double>(nodes), static_cast<double>(nodes_));
  throw BudgetExceeded(stage_, "bytes", static_cast<double>(bytes), static_cast<double>(bytes_));
}

} // namespace reasons
