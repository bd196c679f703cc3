// Processor time, not the clock's: a busy machine makes no input slow. Memory is counted in
// hooks of the sanitizer's allocator, since address space means nothing under it.
#include "fuzz/limits.hpp"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include <fcntl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
  return "abort_on_error=1:max_allocation_size_mb=512:detect_leaks=0:handle_abort=0";
}

extern "C" const char* __ubsan_default_options();
extern "C" const char* __ubsan_default_options() {
  return "print_stacktrace=1:abort_on_error=1";
}

// Debian's gcc has the sanitizer's library, but not the header that declares these.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*malloc_hook)(const volatile void*,
                                                                             std::size_t),
                                                         void (*free_hook)(const volatile void*));
extern "C" std::size_t __sanitizer_get_allocated_size(const volatile void*);

namespace reasons::fuzz {
namespace {

constexpr int most_seconds = 2;
constexpr std::int64_t most_memory = 512ll << 20;
std::atomic<std::int64_t> in_use{0};

void say(const char* message) {
  [[maybe_unused]] const auto written = write(STDERR_FILENO, message, std::strlen(message));
}

void allocated(const volatile void*, std::size_t size) {
  if ((in_use += static_cast<std::int64_t>(size)) > most_memory) {
    say("BROKEN: more than 512 MB\n");
    std::abort();
  }
}

void freed(const volatile void* at) {
  in_use -= static_cast<std::int64_t>(__sanitizer_get_allocated_size(at));
}

void too_slow(int) {
  say("BROKEN: more than 2 s of processor time\n");
  std::abort();
}

void set_clock(int seconds) {
  const itimerval until{{0, 0}, {seconds, 0}};
  setitimer(ITIMER_VIRTUAL, &until, nullptr);
}

bool watched() {
  std::signal(SIGVTALRM, too_slow);
  return __sanitizer_install_malloc_and_free_hooks(allocated, freed) != 0;
}

std::string ending(int status) {
  if (WIFSIGNALED(status))
    return "by signal " + std::to_string(WTERMSIG(status));
  return WEXITSTATUS(status) == 0 ? "" : "with exit code " + std::to_string(WEXITSTATUS(status));
}

} // namespace

int run_limited(const std::string& text) {
  static const bool is_watched = watched();
  if (!is_watched)
    broken("memory cannot be watched");
  const auto copy = std::make_unique<std::uint8_t[]>(text.size());
  std::memcpy(copy.get(), text.data(), text.size());
  in_use = 0;
  set_clock(most_seconds);
  const int verdict = LLVMFuzzerTestOneInput(copy.get(), text.size());
  set_clock(0);
  return verdict;
}

std::string in_child(const std::string& report, const std::function<void()>& work) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0)
    broken("cannot fork");
  if (child == 0) {
    const int file = open(report.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0644);
    dup2(file, STDERR_FILENO);
    work();
    std::exit(0); // not _exit: coverage is written now
  }
  int status = 0;
  waitpid(child, &status, 0);
  return ending(status);
}

} // namespace reasons::fuzz
