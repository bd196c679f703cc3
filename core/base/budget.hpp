// budget.hpp: limits on nodes, bytes and seconds, checked in the inner loops.
//
// A loop calls tick() once per unit of work. Most calls are one decrement; every
// few thousand look at the clock and ask the host whether the user pressed Ctrl-C.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>

namespace reasons {

class Budget {
public:
  static constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

  Budget() = default;
  /// `elapsed` are seconds that were spent before.
  Budget(std::uint64_t nodes, std::uint64_t bytes, double seconds,
         std::function<void(const std::string&, std::uint64_t)> on_pause = nullptr,
         double elapsed = 0);

  /// Account for one unit of work; throws BudgetExceeded, or what the host throws.
  void tick() {
    if (--until_pause_ == 0)
      check();
  }

  /// Looks at the clock and at the host now; for loops whose steps are long.
  void check();

  /// Throws BudgetExceeded when a structure has grown past its limit.
  void require(std::uint64_t nodes, std::uint64_t bytes) const {
    if (nodes > nodes_ || bytes > bytes_)
      refuse(nodes, bytes);
  }

  void stage(std::string name) { stage_ = std::move(name); }

  /// How many threads may work at once.
  [[nodiscard]] unsigned threads() const { return threads_; }
  void threads(unsigned most) { threads_ = most; }

private:
  static constexpr std::uint32_t work_between_pauses = 1u << 14;

  [[noreturn]] void refuse(std::uint64_t nodes, std::uint64_t bytes) const;

  std::uint64_t nodes_ = unlimited, bytes_ = unlimited;
  double seconds_ = std::numeric_limits<double>::infinity();
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::function<void(const std::string&, std::uint64_t)> on_pause_; // stage, work done
  std::uint64_t done_ = 0;
  std::string stage_ = "compilation";
  unsigned threads_ = 1;
  std::uint32_t until_pause_ = work_between_pauses;
};

} // namespace reasons
