#include "tests/cnf/random_cnf.hpp"

#include "circuit/validator.hpp"
#include "counting/modular_sum.hpp"

#include <algorithm>
#include <cstdlib>

namespace reasons::testing {
namespace {

class Maker {
public:
  Maker(std::uint32_t variables, Rng& rng) : rng_(rng) { made_.variables = variables; }

  [[nodiscard]] cnf::Cnf make(Look look) {
    if (made_.variables > 0)
      write(look);
    return std::move(made_);
  }

private:
  [[nodiscard]] std::uint32_t below(std::uint32_t n) {
    return static_cast<std::uint32_t>(rng_() % n);
  }
  [[nodiscard]] std::uint32_t count(double each) {
    return static_cast<std::uint32_t>(each * made_.variables);
  }
  [[nodiscard]] std::int32_t variable() {
    return static_cast<std::int32_t>(below(made_.variables)) + 1;
  }
  [[nodiscard]] std::int32_t literal() { return below(2) == 0 ? variable() : -variable(); }

  void end(const std::vector<std::int32_t>& clause) { add_clause(made_, clause); }
  void random_clauses(std::uint32_t how_many, std::uint32_t shortest, std::uint32_t longest) {
    for (; how_many > 0; --how_many) {
      std::vector<std::int32_t> clause(shortest + below(longest - shortest + 1));
      std::ranges::generate(clause, [&] { return literal(); });
      end(clause);
    }
  }

  void write(Look look) {
    switch (look) {
    case Look::uniform:
      return random_clauses(count(3.4 + below(14) / 10.0), 3, 3);
    case Look::loose:
      return random_clauses(count(1 + below(15) / 10.0), 2, 4);
    case Look::parities:
      return parities();
    case Look::chains:
      return chains();
    case Look::at_most_one:
      return groups();
    case Look::long_clauses:
      return random_clauses(count(1) + 1, made_.variables / 2 + 1, made_.variables);
    case Look::parts:
      return parts();
    case Look::doubled:
      return doubled();
    case Look::units:
      random_clauses(count(0.3), 1, 1);
      return random_clauses(count(1.5), 2, 3);
    case Look::contradictory:
      random_clauses(count(1), 2, 3);
      return contradiction();
    case Look::mixed:
      for (int i = 0; i < 3; ++i)
        write(static_cast<Look>(below(static_cast<std::uint32_t>(Look::doubled))));
      // Most of it would clash: a few clauses are taken.
      return thin_out();
    }
  }

  void parities() {
    for (std::uint32_t i = 0; i < count(0.5) + 1; ++i) {
      std::vector<std::int32_t> over(2 + below(3));
      std::ranges::generate(over, [&] { return literal(); });
      for (std::uint32_t signs = 0; signs < 1u << over.size(); ++signs) {
        if (__builtin_popcount(signs) % 2 == 0)
          continue;
        std::vector<std::int32_t> clause = over;
        for (std::size_t k = 0; k < over.size(); ++k)
          clause[k] = signs >> k & 1 ? -over[k] : over[k];
        end(clause);
      }
    }
    random_clauses(below(count(0.5) + 1), 2, 3);
  }

  void chains() {
    for (std::uint32_t i = 0; i < count(0.8); ++i) {
      const std::int32_t a = literal(), b = literal();
      end({-a, b});
      if (below(2) == 0)
        end({a, -b});
    }
    random_clauses(below(count(1) + 1), 2, 4);
  }

  void groups() {
    for (std::uint32_t i = 0; i < count(0.25) + 1; ++i) {
      std::vector<std::int32_t> group(2 + below(4));
      std::ranges::generate(group, [&] { return below(4) == 0 ? literal() : variable(); });
      for (std::size_t a = 0; a < group.size(); ++a)
        for (std::size_t b = a + 1; b < group.size(); ++b)
          end({-group[a], -group[b]});
      if (below(2) == 0)
        end(group);
    }
    random_clauses(below(count(0.6) + 1), 2, 4);
  }

  void parts() {
    const std::uint32_t size = 2 + below(4);
    for (std::uint32_t i = 0; i < count(1.5); ++i) {
      const std::uint32_t from = below(made_.variables / size + 1) * size;
      std::vector<std::int32_t> clause;
      for (std::uint32_t k = 0; k < 2 + below(2); ++k) {
        const auto v = static_cast<std::int32_t>(std::min(from + below(size), made_.variables - 1));
        clause.push_back(below(2) == 0 ? v + 1 : -v - 1);
      }
      if (below(made_.variables) != 0) // some parts stay without
        end(clause);
    }
  }

  void doubled() {
    random_clauses(count(1.5), 2, 4);
    for (std::uint32_t i = 0; i < count(0.5); ++i) {
      const auto old = made_.clause(below(static_cast<std::uint32_t>(made_.clauses())));
      std::vector<std::int32_t> clause(old.begin(), old.end());
      if (below(3) > 0)
        clause.push_back(below(2) == 0 ? clause.front() : -clause.front());
      if (below(3) == 0)
        clause.push_back(literal());
      std::ranges::shuffle(clause, rng_);
      end(clause);
    }
  }

  void contradiction() {
    switch (const std::int32_t a = literal(); below(3)) {
    case 0:
      return end({});
    case 1:
      end({a});
      return end({-a});
    default:
      const std::int32_t b = literal();
      for (const std::int32_t x : {a, -a})
        for (const std::int32_t y : {b, -b})
          end({x, y});
    }
  }

  void thin_out() {
    cnf::Cnf few;
    few.variables = made_.variables;
    for (std::size_t c = 0; c < made_.clauses(); ++c)
      if (const auto clause = made_.clause(c); below(3) == 0)
        add_clause(few, {clause.begin(), clause.end()});
    made_ = std::move(few);
  }

  Rng& rng_;
  cnf::Cnf made_;
};

bool satisfies(std::uint32_t assignment, cnf::Lit l) {
  return ((assignment >> cnf::variable_of(l)) & 1) == (cnf::is_positive(l) ? 1 : 0);
}

} // namespace

void add_clause(cnf::Cnf& cnf, const std::vector<std::int32_t>& clause) {
  cnf.literals.insert(cnf.literals.end(), clause.begin(), clause.end());
  cnf.end_clause();
}

cnf::Cnf make_cnf(std::uint32_t variables,
                  std::initializer_list<std::initializer_list<std::int32_t>> clauses) {
  cnf::Cnf made;
  made.variables = variables;
  for (const auto& clause : clauses)
    add_clause(made, clause);
  return made;
}

cnf::Cnf random_cnf(Look look, std::uint32_t most, std::uint32_t seed) {
  Rng rng(seed * 31 + static_cast<std::uint32_t>(look));
  const auto variables = static_cast<std::uint32_t>(rng() % (most + 1));
  return Maker(variables, rng).make(look);
}

cnf::Cnf ring_cnf(std::uint32_t variables, double clauses_each, std::uint32_t reach,
                  std::uint32_t seed) {
  Rng rng(seed);
  cnf::Cnf made;
  made.variables = variables;
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(clauses_each * variables); ++i) {
    const auto from = rng() % variables;
    std::vector<std::int32_t> clause;
    for (int k = 0; k < 3; ++k) {
      const auto v = static_cast<std::int32_t>((from + rng() % reach) % variables) + 1;
      clause.push_back(rng() % 2 == 0 ? v : -v);
    }
    add_clause(made, clause);
  }
  return made;
}

Truth models(const Clauses& clauses, cnf::Var variables) {
  Truth result(std::size_t{1} << variables, true);
  for (std::uint32_t x = 0; x < result.size(); ++x)
    result[x] = std::ranges::all_of(clauses, [&](const auto& clause) {
      return std::ranges::any_of(clause, [&](cnf::Lit l) { return satisfies(x, l); });
    });
  return result;
}

Truth models(const cnf::Cnf& cnf) {
  Clauses clauses;
  for (std::size_t c = 0; c < cnf.clauses(); ++c) {
    clauses.emplace_back();
    for (const std::int32_t l : cnf.clause(c))
      clauses.back().push_back(2 * static_cast<cnf::Lit>(std::abs(l) - 1) + (l < 0 ? 1 : 0));
  }
  return models(clauses, cnf.variables);
}

Truth models(const Circuit& circuit) {
  Truth result(std::size_t{1} << circuit.features());
  Instance instance(circuit.features());
  for (std::uint32_t x = 0; x < result.size(); ++x) {
    for (FeatureId f = 0; f < circuit.features(); ++f)
      instance[f] = x >> f & 1;
    result[x] = label_of(circuit, instance) == 1;
  }
  return result;
}

Clauses plain(const cnf::Cnf& cnf) {
  Clauses result;
  for (std::size_t c = 0; c < cnf.clauses(); ++c) {
    std::vector<cnf::Lit> clause;
    for (const std::int32_t l : cnf.clause(c))
      clause.push_back(2 * static_cast<cnf::Lit>(std::abs(l) - 1) + (l < 0 ? 1 : 0));
    std::ranges::sort(clause);
    clause.erase(std::ranges::unique(clause).begin(), clause.end());
    const auto both = std::ranges::adjacent_find(
        clause, [](cnf::Lit a, cnf::Lit b) { return cnf::variable_of(a) == cnf::variable_of(b); });
    if (both == clause.end())
      result.push_back(std::move(clause));
  }
  return result;
}

std::string text_of(const cnf::Cnf& cnf) {
  std::string text = "p cnf " + std::to_string(cnf.variables) + " " + std::to_string(cnf.clauses());
  for (std::size_t c = 0; c < cnf.clauses(); ++c) {
    text += "\n";
    for (const std::int32_t l : cnf.clause(c))
      text += std::to_string(l) + " ";
    text += "0";
  }
  return text;
}

bool is_sound(const Circuit& circuit) {
  Budget budget;
  return !first_violation(circuit, budget);
}

std::uint64_t share_of_models(const Circuit& circuit) {
  constexpr std::uint64_t prime = (1ull << 61) - 1;
  const std::vector<std::uint64_t> weights(2 * std::size_t{circuit.features()}, (prime + 1) / 2);
  return counting::weighted_sum(circuit, weights, std::vector<std::uint64_t>{0, 1}, 0, prime);
}

} // namespace reasons::testing
