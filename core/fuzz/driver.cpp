// driver.cpp: runs a target on mutated seeds, and shrinks what breaks it.
//
//   fuzz_X --seconds 10 --seed 1 --out DIR SEED...   until the time is over or it breaks
//   fuzz_X --only 4711 --seed 1 SEED...              prints that input
//   fuzz_X --run FILE                                runs it, and lets it crash
//
// Inputs run in a child that shares with us the one it is at, so that whatever ends it, a
// sanitizer, a limit or a signal, leaves the input behind. libFuzzer does this and follows
// coverage too, but comes with clang only.
#include "fuzz/limits.hpp"
#include "fuzz/mutate.hpp"
#include "fuzz/shrink.hpp"
#include "fuzz/target.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace reasons::fuzz {
namespace {

struct Options {
  double seconds = 10;
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> only;
  std::string out = ".", run;
  std::vector<std::string> seeds;
};

struct Shared {
  std::uint64_t number, tried, accepted;
};

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

Options parsed(int count, char** words) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const auto value = [&] { return std::string(i + 1 < count ? words[++i] : ""); };
    if (word == "--seconds")
      options.seconds = std::stod(value());
    else if (word == "--seed")
      options.seed = std::stoull(value());
    else if (word == "--only")
      options.only = std::stoull(value());
    else if (word == "--out")
      options.out = value();
    else if (word == "--run")
      options.run = value();
    else
      options.seeds.push_back(contents(word).substr(0, most_bytes));
  }
  return options;
}

/// Runs inputs from `shared.number` on until the time is over; does not return if one breaks.
void work(const Options& options, Shared& shared) {
  const auto end =
      std::chrono::steady_clock::now() + std::chrono::duration<double>(options.seconds);
  for (; std::chrono::steady_clock::now() < end; ++shared.number) {
    ++shared.tried;
    if (run_limited(mutated(options.seeds, options.seed, shared.number)) == accepted)
      ++shared.accepted;
  }
}

int fuzz(const Options& options) {
  if (options.seeds.empty())
    throw std::runtime_error("there are no seeds");
  auto* const shared = static_cast<Shared*>(
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  const std::string report = options.out + "/report.txt";
  const std::string how = in_child(report, [&] { work(options, *shared); });
  std::cout << "tried " << shared->tried << " accepted " << shared->accepted << "\n";
  if (how.empty())
    return 0;
  const std::string found = mutated(options.seeds, options.seed, shared->number);
  std::ofstream(options.out + "/found", std::ios::binary) << found;
  const std::string small = shrunk(found, how, options.out + "/shrinking.txt");
  std::ofstream(options.out + "/shrunk", std::ios::binary) << small;
  std::cout << "broken " << how << "\nreplay --seed " << options.seed << " --only "
            << shared->number << "\nshrunk " << found.size() << " to " << small.size() << " bytes\n"
            << contents(report) << "\n--- shrunk input\n"
            << small << "\n---\n";
  return 1;
}

} // namespace
} // namespace reasons::fuzz

int main(int count, char** words) {
  using namespace reasons::fuzz;
  try {
    const Options options = parsed(count, words);
    if (options.only)
      return std::cout << mutated(options.seeds, options.seed, *options.only), 0;
    if (!options.run.empty())
      return run_limited(contents(options.run)) == accepted ? 0 : 3;
    return fuzz(options);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
}
