// cnf_reason.cpp: passes over the literals that an instance satisfies.
#include "reason/cnf_reason.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <numeric>

namespace reasons::reason {
namespace {

bool is_tautology(std::span<const BooleanLiteral> sorted) {
  return std::adjacent_find(sorted.begin(), sorted.end(), [](BooleanLiteral a, BooleanLiteral b) {
           return a.feature() == b.feature();
         }) != sorted.end();
}

/// The features by which an instance satisfies each clause.
class Grounds {
public:
  Grounds(const Clauses& clauses, std::span<const Cell> instance) {
    for (std::size_t c = 0; c < clauses.size(); ++c) {
      for (const BooleanLiteral literal : clauses.clause(c))
        if (literal.holds(instance))
          features_.push_back(literal.feature());
      first_.push_back(features_.size());
    }
  }

  [[nodiscard]] std::size_t size() const { return first_.size() - 1; }
  [[nodiscard]] std::span<const FeatureId> operator[](std::size_t c) const {
    return std::span(features_).subspan(first_[c], first_[c + 1] - first_[c]);
  }

private:
  std::vector<FeatureId> features_;
  std::vector<std::uint64_t> first_{0};
};

/// For each feature, the clauses that it satisfies: the same pairs, the other way round.
class Uses {
public:
  Uses(const Grounds& grounds, FeatureId features) : first_(features + 1, 0) {
    for (std::size_t c = 0; c < grounds.size(); ++c)
      for (const FeatureId f : grounds[c])
        ++first_[f + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    clauses_.resize(first_.back());
    auto next = first_;
    for (std::size_t c = 0; c < grounds.size(); ++c)
      for (const FeatureId f : grounds[c])
        clauses_[next[f]++] = c;
  }

  [[nodiscard]] std::span<const std::size_t> operator[](FeatureId f) const {
    return std::span(clauses_).subspan(first_[f], first_[f + 1] - first_[f]);
  }

private:
  std::vector<std::size_t> first_;
  std::vector<std::size_t> clauses_;
};

std::vector<bool> necessary_flags(const Grounds& grounds, FeatureId features) {
  std::vector<bool> needed(features, false);
  for (std::size_t c = 0; c < grounds.size(); ++c)
    if (grounds[c].size() == 1)
      needed[grounds[c].front()] = true;
  return needed;
}

std::vector<FeatureId> members(const std::vector<bool>& flags) {
  std::vector<FeatureId> found;
  for (FeatureId f = 0; f < flags.size(); ++f)
    if (flags[f])
      found.push_back(f);
  return found;
}

} // namespace

Clauses::Clauses(const cnf::Cnf& cnf) : features_(cnf.variables) {
  std::vector<BooleanLiteral> clause;
  for (std::size_t c = 0; c < cnf.clauses(); ++c) {
    clause.clear();
    for (const std::int32_t literal : cnf.clause(c))
      clause.emplace_back(static_cast<FeatureId>(std::abs(literal) - 1), Cell{literal > 0});
    std::sort(clause.begin(), clause.end());
    clause.erase(std::unique(clause.begin(), clause.end()), clause.end());
    if (is_tautology(clause))
      continue;
    literals_.insert(literals_.end(), clause.begin(), clause.end());
    first_.push_back(literals_.size());
  }
}

std::vector<FeatureId> Clauses::feature_order_from_root() const {
  std::vector<bool> met(features_, false);
  std::vector<FeatureId> found;
  for (const BooleanLiteral literal : literals_)
    if (!met[literal.feature()]) {
      met[literal.feature()] = true;
      found.push_back(literal.feature());
    }
  return found;
}

LabelId decide(const Clauses& clauses, std::span<const Cell> instance) {
  for (std::size_t c = 0; c < clauses.size(); ++c) {
    const auto clause = clauses.clause(c);
    if (std::none_of(clause.begin(), clause.end(),
                     [&](BooleanLiteral literal) { return literal.holds(instance); }))
      return 0;
  }
  return 1;
}

void decide_rows(const Clauses& clauses, std::span<const Cell> cells, std::span<LabelId> labels) {
  const std::size_t width = clauses.features();
  std::vector<std::uint64_t> ones(width);
  for (std::size_t start = 0; start < labels.size(); start += 64) {
    const std::size_t rows = std::min<std::size_t>(64, labels.size() - start);
    std::fill(ones.begin(), ones.end(), 0);
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t f = 0; f < width; ++f)
        ones[f] |= std::uint64_t{cells[(start + row) * width + f]} << row;
    std::uint64_t all = ~std::uint64_t{0} >> (64 - rows);
    for (std::size_t c = 0; c < clauses.size() && all != 0; ++c) {
      std::uint64_t any = 0;
      for (const BooleanLiteral literal : clauses.clause(c))
        any |= literal.cell() ? ones[literal.feature()] : ~ones[literal.feature()];
      all &= any;
    }
    for (std::size_t row = 0; row < rows; ++row)
      labels[start + row] = static_cast<LabelId>(all >> row & 1);
  }
}

void require_satisfied(const Clauses& clauses, std::span<const Cell> instance, LabelId label) {
  if (label != 1 || decide(clauses, instance) != 1)
    throw InputError("clauses explain the instances that satisfy them, and no others");
}

Reason complete_reason(const Clauses& clauses, std::span<const Cell> instance) {
  const Grounds grounds(clauses, instance);
  const std::vector<bool> needed = necessary_flags(grounds, clauses.features());
  ReasonOfSets reason(instance, std::vector<std::uint32_t>(clauses.features(), 2));
  for (const FeatureId f : members(needed))
    reason.add(std::span(&f, 1));
  for (std::size_t c = 0; c < grounds.size(); ++c) {
    const auto ground = grounds[c];
    if (std::none_of(ground.begin(), ground.end(), [&](FeatureId f) { return needed[f]; }))
      reason.add(ground);
  }
  return std::move(reason).finish();
}

std::vector<FeatureId> necessary(const Clauses& clauses, std::span<const Cell> instance) {
  return members(necessary_flags(Grounds(clauses, instance), clauses.features()));
}

std::vector<FeatureId> sufficient(const Clauses& clauses, std::span<const Cell> instance,
                                  std::span<const FeatureId> drop_order) {
  const Grounds grounds(clauses, instance);
  const Uses uses(grounds, clauses.features());
  std::vector<std::size_t> left(grounds.size());
  for (std::size_t c = 0; c < grounds.size(); ++c)
    left[c] = grounds[c].size();
  std::vector<bool> kept(clauses.features(), true);
  for (const FeatureId f : drop_order) {
    kept[f] = std::any_of(uses[f].begin(), uses[f].end(), [&](auto c) { return left[c] == 1; });
    if (!kept[f])
      for (const std::size_t c : uses[f])
        --left[c];
  }
  return members(kept);
}

std::optional<query::Counterfactual> cheapest_counterfactual(const Clauses& clauses,
                                                             const std::vector<bool>& loose,
                                                             std::span<const Cell> instance,
                                                             std::span<const double> costs) {
  const Grounds grounds(clauses, instance);
  std::optional<std::size_t> best;
  double least = 0;
  for (std::size_t c = 0; c < grounds.size(); ++c) {
    const auto ground = grounds[c];
    if (!std::all_of(ground.begin(), ground.end(), [&](FeatureId f) { return loose[f]; }))
      continue;
    double cost = 0;
    for (const FeatureId f : ground)
      cost += costs[f];
    if (!best || cost < least || (cost == least && ground.size() < grounds[*best].size())) {
      best = c;
      least = cost;
    }
  }
  if (!best)
    return std::nullopt;
  query::Counterfactual change{{instance.begin(), instance.end()}, least};
  for (const FeatureId f : grounds[*best])
    change.instance[f] = static_cast<Cell>(1 - instance[f]);
  return change;
}

std::optional<std::vector<Cell>> counterexample(const Clauses& clauses,
                                                const std::vector<bool>& loose,
                                                std::span<const Cell> instance) {
  const std::vector<double> unit_costs(clauses.features(), 1.0);
  auto found = cheapest_counterfactual(clauses, loose, instance, unit_costs);
  return found ? std::optional(std::move(found->instance)) : std::nullopt;
}

std::vector<std::vector<FeatureId>>
minimal_clauses(const Clauses& clauses, std::span<const Cell> instance, Budget& budget) {
  budget.stage("the minimal clauses");
  const Grounds grounds(clauses, instance);
  const Uses uses(grounds, clauses.features());
  std::vector<std::size_t> by_size(grounds.size());
  std::iota(by_size.begin(), by_size.end(), std::size_t{0});
  std::stable_sort(by_size.begin(), by_size.end(), [&](std::size_t a, std::size_t b) {
    return grounds[a].size() < grounds[b].size();
  });
  std::vector<std::vector<FeatureId>> found;
  // A set is looked for at its rarest feature, where the fewest others are.
  std::vector<std::vector<std::size_t>> found_at(clauses.features());
  std::vector<bool> inside(clauses.features(), false);
  const auto includes = [&](std::size_t number) {
    budget.tick();
    const auto& set = found[number];
    return std::all_of(set.begin(), set.end(), [&](FeatureId f) { return inside[f]; });
  };
  for (const std::size_t c : by_size) {
    const auto ground = grounds[c];
    for (const FeatureId f : ground)
      inside[f] = true;
    if (std::none_of(ground.begin(), ground.end(), [&](FeatureId f) {
          return std::any_of(found_at[f].begin(), found_at[f].end(), includes);
        })) {
      const FeatureId rarest =
          *std::min_element(ground.begin(), ground.end(), [&](FeatureId a, FeatureId b) {
            return uses[a].size() < uses[b].size();
          });
      found_at[rarest].push_back(found.size());
      found.emplace_back(ground.begin(), ground.end());
    }
    for (const FeatureId f : ground)
      inside[f] = false;
  }
  return found;
}

} // namespace reasons::reason
