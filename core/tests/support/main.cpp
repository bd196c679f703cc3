// main.cpp: runs the tests whose names hold a word, or all, prints those that fail and how many
// did.
#include "tests/support/harness.hpp"

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace reasons::testing {
namespace {

struct Test {
  const char* name;
  void (*run)();
};

// A function's static, because the tests register themselves in no known order.
std::vector<Test>& tests() {
  static std::vector<Test> all;
  return all;
}

bool failed = false;

bool passes(const Test& test) {
  failed = false;
  try {
    test.run();
  } catch (const std::exception& error) {
    fail(test.name, 0, error.what());
  } catch (...) {
    fail(test.name, 0, "threw something that is no std::exception");
  }
  if (failed)
    std::printf("FAILED %s\n", test.name);
  return !failed;
}

} // namespace

Register::Register(const char* name, void (*run)()) {
  tests().push_back({name, run});
}

void fail(const char* file, int line, const char* what) {
  failed = true;
  std::printf("%s:%d: %s\n", file, line, what);
}

} // namespace reasons::testing

int main(int count, char** words) {
  const std::string_view wanted = count > 1 ? words[1] : "";
  int passed = 0, failures = 0;
  for (const auto& test : reasons::testing::tests())
    if (std::string_view(test.name).find(wanted) != std::string_view::npos)
      reasons::testing::passes(test) ? ++passed : ++failures;
  std::printf("%d passed, %d failed\n", passed, failures);
  return failures == 0 && passed > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
