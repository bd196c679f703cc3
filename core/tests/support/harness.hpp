// harness.hpp: tests that register themselves; no framework, so that nothing is fetched.
//
//     TEST(a_name_that_is_a_sentence) { CHECK(1 + 1 == 2); }
#pragma once

#include <exception>

namespace reasons::testing {

struct Register {
  Register(const char* name, void (*run)());
};

/// Notes that the running test failed; it goes on, so that one run shows all.
void fail(const char* file, int line, const char* what);

} // namespace reasons::testing

#define TEST(name)                                                                                 \
  static void name();                                                                              \
  static const reasons::testing::Register registered_##name{#name, name};                          \
  static void name()

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition))                                                                              \
      reasons::testing::fail(__FILE__, __LINE__, #condition);                                      \
  } while (false)

#define CHECK_THROWS(Error, ...)                                                                   \
  do {                                                                                             \
    bool thrown = false;                                                                           \
    try {                                                                                          \
      (void)(__VA_ARGS__);                                                                         \
    } catch (const Error&) {                                                                       \
      thrown = true;                                                                               \
    }                                                                                              \
    if (!thrown)                                                                                   \
      reasons::testing::fail(__FILE__, __LINE__, #__VA_ARGS__ " does not throw " #Error);          \
  } while (false)
