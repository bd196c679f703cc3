// error.hpp: the exceptions of the core. The bindings translate each into its Python class.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace reasons {

/// The caller gave something that cannot be used.
class InputError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// A circuit lacks a property that it claims or that the question needs.
class PropertyError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// A limit was reached; never an answer.
class BudgetExceeded : public std::runtime_error {
public:
  BudgetExceeded(std::string stage, std::string what, double amount, double limit)
      : std::runtime_error("budget exceeded in " + stage), stage_(std::move(stage)),
        what_(std::move(what)), amount_(amount), limit_(limit) {}

  [[nodiscard]] const std::string& stage() const { return stage_; }
  [[nodiscard]] const std::string& resource() const { return what_; }
  [[nodiscard]] double amount() const { return amount_; }
  [[nodiscard]] double limit() const { return limit_; }

private:
  std::string stage_, what_;
  double amount_, limit_;
};

} // namespace reasons
