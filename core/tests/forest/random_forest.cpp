#include "tests/forest/random_forest.hpp"

namespace reasons::testing {
namespace {

class Grower {
public:
  Grower(const ForestShape& shape, std::uint32_t seed) : shape_(shape), rng_(seed) {}

  forest::Forest forest() {
    const std::uint32_t scores = shape_.rule == forest::Rule::cut ? 1 : shape_.labels;
    forest_.domains = shape_.domains;
    forest_.labels = shape_.labels;
    forest_.rule = shape_.rule;
    forest_.single = shape_.single;
    forest_.divisor = below(2) == 0 ? 1 : 3;
    for (std::uint32_t score = 0; score < scores; ++score)
      forest_.start.push_back(value());
    if (shape_.rule == forest::Rule::cut)
      forest_.cut = below(12) == 0 ? (below(2) == 0 ? 1e300 : -1e300) : value();
    for (std::uint32_t t = 0; t < shape_.trees; ++t) {
      const bool one = shape_.narrow && below(4) > 0;
      width_ = one ? 1 : scores;
      forest_.tree_first.push_back(size());
      forest_.tree_score.push_back(one ? below(scores) : 0);
      forest_.tree_width.push_back(width_);
      grow(shape_.depth, false);
    }
    for (std::uint32_t g = 0; g < shape_.guards; ++g) {
      forest_.guard_first.push_back(size());
      grow(2, true);
    }
    return std::move(forest_);
  }

private:
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(rng_() % n); }
  std::uint32_t size() const { return static_cast<std::uint32_t>(forest_.node_test.size()); }

  double value() {
    if (shape_.values == Values::dyadic)
      return (static_cast<double>(below(9)) - 4) / 2;
    if (shape_.values == Values::any)
      return static_cast<double>(below(2001)) / 1000 - 1;
    constexpr double near[] = {1, 1, -1, 0x1p-24, 0x1p-24, -0x1p-24, 0x1p-23};
    return near[below(7)];
  }

  std::int32_t test() {
    const auto feature = below(static_cast<std::uint32_t>(shape_.domains.size()));
    const std::uint32_t cells = shape_.domains[feature], cut = below(cells + 1);
    std::vector<bool> left;
    for (std::uint32_t cell = 0; cell < cells; ++cell)
      left.push_back(shape_.masks ? below(2) != 0 : cell < cut);
    add_test(forest_, feature, left);
    return static_cast<std::int32_t>(forest_.test_feature.size() - 1);
  }

  void grow(std::uint32_t depth, bool guard) {
    const std::uint32_t node = size();
    const bool is_leaf = depth == 0 || below(5) == 0;
    forest_.node_test.push_back(is_leaf ? forest::Ensemble::leaf : test());
    forest_.node_left.push_back(guard ? below(3) == 0
                                      : static_cast<std::uint32_t>(forest_.row_first.size()));
    forest_.node_right.push_back(0);
    if (is_leaf && guard)
      return;
    if (is_leaf) {
      forest_.row_first.push_back(forest_.values.size());
      for (std::uint32_t k = 0; k < width_; ++k)
        forest_.values.push_back(value());
      return;
    }
    forest_.node_left[node] = size();
    grow(depth - 1, guard);
    forest_.node_right[node] = size();
    grow(depth - 1, guard);
  }

  const ForestShape& shape_;
  Rng rng_;
  forest::Forest forest_;
  std::uint32_t width_ = 1;
};

} // namespace

void add_test(forest::Forest& forest, FeatureId feature, const std::vector<bool>& left) {
  forest.test_feature.push_back(feature);
  for (const forest::CellRange& range : forest::ranges_of(left))
    forest.test_left.push_back(range);
  forest.test_first.push_back(static_cast<std::uint32_t>(forest.test_left.size()));
}

forest::Forest random_forest(const ForestShape& shape, std::uint32_t seed) {
  return Grower(shape, seed).forest();
}

ForestShape random_shape(std::uint32_t seed) {
  Rng rng(seed * 7919 + 1);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(rng() % n); };
  ForestShape shape;
  for (std::uint32_t f = 1 + below(5); f > 0; --f)
    shape.domains.push_back(1 + below(4));
  constexpr forest::Rule rules[] = {forest::Rule::cut, forest::Rule::largest, forest::Rule::largest,
                                    forest::Rule::softmax};
  shape.rule = rules[below(4)];
  shape.labels = shape.rule == forest::Rule::cut ? 2 : 1 + below(4);
  shape.trees = below(7);
  shape.depth = below(5);
  shape.guards = below(3) == 0 ? 1 + below(2) : 0;
  constexpr Values values[] = {Values::dyadic, Values::rounding, Values::any};
  shape.values = values[below(3)];
  shape.single = below(2) == 0;
  shape.narrow = below(2) == 0;
  shape.masks = below(2) == 0;
  return shape;
}

forest::Forest settled_elsewhere(forest::Forest forest) {
  forest.slack = 0.75;
  forest.settle = [trees = forest](const std::vector<Cell>& cells) {
    std::size_t mixed = 1;
    for (const std::uint32_t root : trees.tree_first) {
      std::uint32_t node = root;
      while (trees.node_test[node] >= 0) {
        const auto test = static_cast<std::size_t>(trees.node_test[node]);
        const auto left = std::span(trees.test_left)
                              .subspan(trees.test_first[test],
                                       trees.test_first[test + 1] - trees.test_first[test]);
        node = forest::contains(left, cells[trees.test_feature[test]]) ? trees.node_left[node]
                                                                       : trees.node_right[node];
      }
      mixed = mixed * 31 + node;
    }
    return static_cast<LabelId>(mixed % trees.labels);
  };
  return forest;
}

} // namespace reasons::testing
