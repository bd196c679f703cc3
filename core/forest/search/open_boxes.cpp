#include "forest/search/open_boxes.hpp"

#include <atomic>
#include <condition_variable>
#include <exception>
#include <list>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace reasons::forest {
namespace {

constexpr std::size_t boxes_alone = 16; // most questions need fewer, and then no thread
constexpr std::chrono::milliseconds between_looks{20};

class OpenBoxes {
public:
  OpenBoxes(Relaxation root, const VisitBox& visit) : visit_(visit) {
    in_order_.push_back({std::move(root)});
  }
  ~OpenBoxes() { stop(); }
  OpenBoxes(const OpenBoxes&) = delete;
  OpenBoxes& operator=(const OpenBoxes&) = delete;

  std::optional<std::vector<Cell>> search(Budget& budget) {
    BudgetTicker ticker(budget);
    run(ticker, &budget);
    if (failure_)
      std::rethrow_exception(failure_);
    return std::move(found_);
  }

private:
  struct Open {
    std::optional<Relaxation> box; // until a thread takes it
    std::uint32_t depth = 0;
    bool dropped = false;
  };
  using Place = std::list<Open>::iterator;

  /// Visits boxes until none is left. Without a budget, what is thrown takes its place in order.
  void run(BudgetTicker& ticker, Budget* budget) {
    const auto work = std::make_shared<Relaxation::Workspace>();
    std::unique_lock lock(guard_);
    for (std::size_t visited = 0;; ++visited) {
      if (budget != nullptr && visited == boxes_alone)
        call_others(budget->threads());
      const Place place = next(lock, budget);
      if (place == in_order_.end())
        return;
      Relaxation box = *std::exchange(place->box, std::nullopt);
      lock.unlock();
      box.work_in(work);
      VisitedBox visited_box;
      std::exception_ptr failure;
      try {
        visited_box = visit_(box, place->depth, ticker);
      } catch (...) {
        if (budget != nullptr)
          throw;
        failure = std::current_exception();
      }
      lock.lock();
      leave(place, std::move(visited_box), failure);
    }
  }

  /// The first box that no thread works on, waiting for one; the end where none will come.
  Place next(std::unique_lock<std::mutex>& lock, Budget* budget) {
    for (;;) {
      if (stopped_)
        return in_order_.end();
      for (Place place = in_order_.begin(); place != in_order_.end(); ++place)
        if (place->box) // those before are taken: fewer than threads
          return place;
      if (in_order_.empty())
        return in_order_.end();
      if (budget == nullptr) {
        changed_.wait(lock);
        continue;
      }
      changed_.wait_for(lock, between_looks);
      lock.unlock();
      budget->check();
      lock.lock();
    }
  }

  void leave(Place place, VisitedBox visited, const std::exception_ptr& failure) {
    if (place->dropped) {
      dropped_.erase(place);
      return;
    }
    if (visited.found || failure) {
      found_ = std::move(visited.found);
      failure_ = failure;
      drop_after(place);
    } else
      for (auto part = visited.parts.rbegin(); part != visited.parts.rend(); ++part)
        in_order_.insert(place, {std::move(*part), place->depth + 1});
    in_order_.erase(place);
    changed_.notify_all();
  }

  void drop_after(Place place) {
    for (Place at = std::next(place); at != in_order_.end();) {
      const Place each = at++;
      each->dropped = true;
      if (each->box)
        in_order_.erase(each);
      else
        dropped_.splice(dropped_.end(), in_order_, each);
    }
  }

  void call_others(unsigned threads) {
    for (unsigned i = 1; i < threads; ++i)
      try {
        others_.emplace_back([this] {
          BudgetTicker ticker(stopped_);
          run(ticker, nullptr);
        });
      } catch (const std::system_error&) { // the system gives no more
        return;
      }
  }

  void stop() {
    {
      const std::lock_guard lock(guard_);
      stopped_ = true;
    }
    changed_.notify_all();
    others_.clear();
  }

  const VisitBox& visit_;
  std::mutex guard_; // of all below
  std::condition_variable changed_;
  std::list<Open> in_order_, dropped_; // dropped ones are still worked on
  std::optional<std::vector<Cell>> found_;
  std::exception_ptr failure_;
  std::atomic<bool> stopped_{false};
  std::vector<std::jthread> others_;
};

} // namespace

std::optional<std::vector<Cell>> first_found(Relaxation root, const VisitBox& visit,
                                             Budget& budget) {
  return OpenBoxes(std::move(root), visit).search(budget);
}

} // namespace reasons::forest
