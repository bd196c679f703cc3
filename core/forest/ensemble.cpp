#include "forest/ensemble.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

namespace reasons::forest {
namespace {

constexpr int unit_bits = 60; // sums of units stay below 2^60, so that leads fit 64 bits

/// The first of the largest.
template <class Real> LabelId largest_of(const std::vector<Real>& scores) {
  return static_cast<LabelId>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

/// In the scores' precision but for the total, as XGBoost and LightGBM have it.
template <class Real> void softmax(std::vector<Real>& scores) {
  const Real most = *std::max_element(scores.begin(), scores.end());
  double total = 0;
  for (Real& score : scores)
    total += score = std::exp(score - most);
  for (Real& score : scores)
    score /= static_cast<Real>(total);
}

void require(bool fits, const char* what) {
  if (!fits)
    throw InputError(std::string("the trees do not fit together: ") + what);
}

} // namespace

Ensemble::Ensemble(Forest forest) : forest_(std::move(forest)) {
  require_shape();
  scale();
}

std::uint32_t Ensemble::features() const {
  return static_cast<std::uint32_t>(forest_.domains.size());
}

std::uint32_t Ensemble::scores() const {
  return static_cast<std::uint32_t>(forest_.start.size());
}

FeatureId Ensemble::feature(std::uint32_t node) const {
  return forest_.test_feature[static_cast<std::size_t>(forest_.node_test[node])];
}

std::uint32_t Ensemble::child(std::uint32_t node, Cell cell) const {
  return goes_left(node, cell) ? forest_.node_left[node] : forest_.node_right[node];
}

void Ensemble::require_shape() {
  const Forest& f = forest_;
  require(!f.start.empty() && f.labels >= 1, "no scores or no labels");
  require(f.rule == Rule::cut ? f.start.size() == 1 && f.labels == 2 : f.start.size() == f.labels,
          "scores and labels");
  require(std::isfinite(f.divisor) && f.divisor > 0, "the divisor");
  require(!std::isnan(f.cut) && f.slack >= 0 && std::isfinite(f.slack), "the cut or the slack");
  require(std::ranges::all_of(f.domains, [](auto d) { return d > 0 && d < most_cells; }),
          "the cells of a feature");
  require_tests();
  const std::size_t nodes = f.node_test.size();
  require(f.node_left.size() == nodes && f.node_right.size() == nodes, "nodes");
  require(f.tree_score.size() == trees() && f.tree_width.size() == trees(), "trees");
  std::vector<std::uint32_t> roots = f.tree_first;
  roots.insert(roots.end(), f.guard_first.begin(), f.guard_first.end());
  roots.push_back(static_cast<std::uint32_t>(nodes));
  require(roots[0] == 0 && std::is_sorted(roots.begin(), roots.end()), "the order of trees");
  for (std::size_t t = 0; t + 1 < roots.size(); ++t)
    require_tree(roots[t], roots[t + 1], t >= trees());
  for (std::size_t t = 0; t < trees(); ++t) {
    require(f.tree_width[t] >= 1 && f.tree_score[t] + f.tree_width[t] <= scores(), "scores");
    for (std::uint32_t n = roots[t]; n < roots[t + 1]; ++n)
      if (is_leaf(n)) {
        require(f.node_left[n] < f.row_first.size(), "a leaf without values");
        const std::size_t first = f.row_first[f.node_left[n]];
        require(first <= f.values.size() && f.tree_width[t] <= f.values.size() - first, "values");
      }
  }
  const auto finite = [](double value) { return std::isfinite(value); };
  require(std::all_of(f.values.begin(), f.values.end(), finite) &&
              std::all_of(f.start.begin(), f.start.end(), finite),
          "a value that is not finite");
}

/// The cells of each test are ranges in order, within the domain of its feature.
void Ensemble::require_tests() const {
  const Forest& f = forest_;
  require(f.test_first.size() == f.test_feature.size() + 1 && f.test_first[0] == 0 &&
              f.test_first.back() == f.test_left.size() &&
              std::is_sorted(f.test_first.begin(), f.test_first.end()),
          "tests and their cells");
  for (std::size_t test = 0; test < f.test_feature.size(); ++test) {
    require(f.test_feature[test] < f.domains.size(), "a test of a feature that there is not");
    std::uint64_t from = 0;
    for (const CellRange& range : left_of_test(test)) {
      require(from <= range.begin && range.begin < range.end, "the cells of a test");
      from = std::uint64_t{range.end} + 1;
    }
    require(from <= std::uint64_t{f.domains[f.test_feature[test]]} + 1, "the cells of a test");
  }
}

/// Every node but the first is the child of one before it in the same tree.
void Ensemble::require_tree(std::uint32_t first, std::uint32_t end, bool guard) const {
  require(first < end, "a tree without nodes");
  std::vector<bool> met(end - first, false);
  met[0] = true;
  for (std::uint32_t n = first; n < end; ++n) {
    require(met[n - first], "a node without a parent before it");
    if (is_leaf(n)) {
      require(!guard || forest_.node_left[n] <= 1, "a guard");
      continue;
    }
    require(forest_.node_test[n] >= 0 &&
                static_cast<std::size_t>(forest_.node_test[n]) < forest_.test_feature.size(),
            "a node without a test");
    for (const std::uint32_t child : {forest_.node_left[n], forest_.node_right[n]}) {
      require(child > n && child < end && !met[child - first], "a child");
      met[child - first] = true;
    }
  }
}

/// Units, and the band around equality in which the library's rounding could matter.
void Ensemble::scale() {
  const Forest& f = forest_;
  double most = 0;       // the largest absolute sum there can be, of any score
  double finest = 1e308; // a power of two that divides every value
  const auto divides = [&](double value) {
    if (value == 0)
      return;
    int exponent = 0;
    const double mantissa = std::frexp(std::abs(value), &exponent);
    auto digits = static_cast<std::uint64_t>(std::ldexp(mantissa, 53));
    exponent += std::countr_zero(digits) - 53;
    finest = std::min(finest, std::ldexp(1.0, std::max(exponent, -1000)));
  };
  for (const double value : f.start)
    divides(value), most = std::max(most, std::abs(value));
  for (std::size_t t = 0; t < trees(); ++t) {
    const std::uint32_t end = t + 1 < trees() ? f.tree_first[t + 1]
                              : f.guard_first.empty()
                                  ? static_cast<std::uint32_t>(f.node_test.size())
                                  : f.guard_first[0];
    double of_tree = 0;
    for (std::uint32_t n = f.tree_first[t]; n < end; ++n)
      if (is_leaf(n))
        for (std::uint32_t k = 0; k < f.tree_width[t]; ++k) {
          const double value = f.values[f.row_first[f.node_left[n]] + k];
          divides(value);
          of_tree = std::max(of_tree, std::abs(value));
        }
    most += of_tree;
  }
  const double cut = f.rule == Rule::cut ? f.cut * f.divisor : 0;
  most = std::max({most, std::abs(std::isfinite(cut) ? cut : 0.0), 1e-300});
  const double epsilon = f.single ? 0x1p-24 : 0x1p-53;
  const bool exact_sums =
      !f.settle && f.slack == 0 && finest >= 8 * epsilon * most && finest * 0x1p50 > most;
  int exponent = 0;
  (void)std::frexp(most, &exponent); // most < 2^exponent
  const double factor = exact_sums ? 1 / finest : std::ldexp(1.0, unit_bits - exponent);
  units_.reserve(f.values.size());
  for (const double value : f.values)
    units_.push_back(std::llround(value * factor));
  for (const double value : f.start)
    start_units_.push_back(std::llround(value * factor));
  if (exact_sums && f.rule != Rule::softmax) {
    if (f.rule == Rule::cut) { // the fewest units that reach the cut after the division
      const auto limit = static_cast<Units>(most / finest) + 1;
      Units low = -limit, high = limit + 1;
      const auto reaches = [&](Units n) {
        const double sum = static_cast<double>(n) * finest;
        return f.single ? static_cast<float>(sum) / static_cast<float>(f.divisor) >=
                              static_cast<float>(f.cut)
                        : sum / f.divisor >= f.cut;
      };
      while (low < high) {
        const Units middle = low + (high - low) / 2;
        if (reaches(middle))
          high = middle;
        else
          low = middle + 1;
      }
      start_units_[0] -= low;
    }
    return;
  }
  if (f.rule == Rule::cut) // an infinite cut is out of reach of every sum
    start_units_[0] -= std::llround(std::clamp(cut, -2 * most, 2 * most) * factor);
  const auto steps = static_cast<double>(trees() + 4);
  const double rounding = 2 * steps * epsilon * most + 64 * epsilon * f.divisor + f.slack;
  const double band = std::min(std::ceil(rounding * factor), 0x1p62); // where nothing is certain
  band_ = static_cast<Units>(band) + static_cast<Units>(trees()) + 4;
}

Ensemble::Units Ensemble::units(std::size_t tree, std::uint32_t node, std::uint32_t score) const {
  const std::uint32_t first = forest_.tree_score[tree];
  if (score < first || score >= first + forest_.tree_width[tree])
    return 0;
  return units_[forest_.row_first[forest_.node_left[node]] + score - first];
}

Ensemble::Units Ensemble::lead_units(std::size_t tree, std::uint32_t node, LabelId a,
                                     LabelId b) const {
  if (forest_.rule == Rule::cut)
    return a == 1 ? units(tree, node, 0) : -units(tree, node, 0);
  return units(tree, node, a) - units(tree, node, b);
}

Ensemble::Units Ensemble::lead(std::span<const Units> sums, LabelId a, LabelId b) const {
  if (forest_.rule == Rule::cut)
    return a == 1 ? sums[0] : -sums[0];
  return sums[a] - sums[b];
}

Ensemble::Units Ensemble::least_lead(LabelId a, LabelId b) const {
  if (!exact())
    return band_ + 1;
  if (forest_.rule == Rule::cut) // equality reaches the cut
    return a == 1 ? 0 : 1;
  return a < b ? 0 : 1; // the first of the largest
}

LabelId Ensemble::certain(std::span<const Units> sums) const {
  for (LabelId a = 0; a < labels(); ++a) {
    bool wins = true;
    for (LabelId b = 0; b < labels() && wins; ++b)
      wins = a == b || lead(sums, a, b) >= least_lead(a, b);
    if (wins)
      return a;
  }
  return no_label;
}

std::uint32_t Ensemble::leaf_of(std::uint32_t root, std::span<const Cell> instance) const {
  std::uint32_t node = root;
  while (!is_leaf(node))
    node = child(node, instance[feature(node)]);
  return node;
}

template <class Real> LabelId Ensemble::add_up(std::span<const Cell> instance) const {
  const Forest& f = forest_;
  std::vector<Real> sums(f.start.begin(), f.start.end());
  for (std::size_t t = 0; t < trees(); ++t) {
    const std::size_t row = f.row_first[f.node_left[leaf_of(f.tree_first[t], instance)]];
    for (std::uint32_t k = 0; k < f.tree_width[t]; ++k)
      sums[f.tree_score[t] + k] += static_cast<Real>(f.values[row + k]);
  }
  for (Real& sum : sums)
    sum /= static_cast<Real>(f.divisor);
  if (f.rule == Rule::cut)
    return sums[0] >= static_cast<Real>(f.cut) ? 1 : 0;
  if (f.rule == Rule::softmax)
    softmax(sums);
  return largest_of(sums);
}

LabelId Ensemble::decide(std::span<const Cell> instance) const {
  const Forest& f = forest_;
  for (const std::uint32_t root : f.guard_first)
    if (f.node_left[leaf_of(root, instance)] == 1)
      return impossible_label;
  if (f.settle) {
    std::vector<Units> sums(start_units_);
    for (std::size_t t = 0; t < trees(); ++t) {
      const std::uint32_t node = leaf_of(f.tree_first[t], instance);
      for (std::uint32_t k = 0; k < f.tree_width[t]; ++k)
        sums[f.tree_score[t] + k] += units(t, node, f.tree_score[t] + k);
    }
    const LabelId label = certain(sums);
    return label != no_label ? label : f.settle({instance.begin(), instance.end()});
  }
  return f.single ? add_up<float>(instance) : add_up<double>(instance);
}

} // namespace reasons::forest
