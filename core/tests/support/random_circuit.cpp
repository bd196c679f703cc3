// random_circuit.cpp: random circuits grown through the builder; recursion is fine at this size.
#include "tests/support/random_circuit.hpp"

#include <algorithm>
#include <numeric>

namespace reasons::testing {

Circuit Arrays::circuit() const {
  return Circuit({domains, heads, first, edges, split_of, split_arms, split_from, arm_of, labels},
                 nullptr);
}

Arrays sound_arrays() {
  return {{2, 3},
          {head_of(Kind::leaf, 0), head_of(Kind::leaf, 1), head_of(Kind::decision, 0),
           head_of(Kind::decision, 1)},
          {0, 0, 0, 2, 4},
          {0, 1, 0, 2},
          {1, 0},
          {2, 2},
          {0, 3, 5},
          {0, 1, 1, 0, 1}};
}

namespace {

class Grower {
public:
  Grower(const Shape& shape, std::uint32_t seed)
      : shape_(shape), rng_(seed), builder_(shape.domains, shape.labels) {}

  Circuit circuit() {
    Box whole;
    for (const auto domain : shape_.domains)
      whole.emplace_back(domain, true);
    std::vector<FeatureId> features(shape_.domains.size());
    std::iota(features.begin(), features.end(), 0u);
    return builder_.build(grow(whole, features, 0));
  }

private:
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(rng_() % limit); }

  NodeId leaf() {
    if (shape_.impossible && below(5) == 0)
      return builder_.impossible();
    return builder_.leaf(below(shape_.labels));
  }

  NodeId grow(const Box& left, const std::vector<FeatureId>& within, int depth) {
    std::vector<FeatureId> open;
    for (const FeatureId f : within)
      if (std::count(left[f].begin(), left[f].end(), true) > 1)
        open.push_back(f);
    if (open.empty() || depth == 5 || (depth > 1 && below(6) == 0))
      return leaf();
    if (shape_.conjunctions && open.size() > 1 && below(3) == 0)
      return split(left, open, depth);
    return test(left, within, open[below(static_cast<std::uint32_t>(open.size()))], depth);
  }

  NodeId split(const Box& left, std::vector<FeatureId> open, int depth) {
    std::shuffle(open.begin(), open.end(), rng_);
    const auto cut = open.begin() + 1 + below(static_cast<std::uint32_t>(open.size() - 1));
    const NodeId parts[2] = {grow(left, {open.begin(), cut}, depth + 1),
                             grow(left, {cut, open.end()}, depth + 1)};
    return builder_.all_of(parts);
  }

  /// Two arms, so that a feature of more values is tested again further down.
  NodeId test(const Box& left, const std::vector<FeatureId>& within, FeatureId f, int depth) {
    std::vector<Cell> values;
    for (Cell v = 0; v < shape_.domains[f]; ++v)
      if (left[f][v])
        values.push_back(v);
    std::shuffle(values.begin(), values.end(), rng_);
    const std::size_t cut = 1 + below(static_cast<std::uint32_t>(values.size() - 1));
    std::vector<NodeId> child_of(shape_.domains[f], circuit::Builder::no_node);
    for (const bool second : {false, true}) {
      Box below_here = left;
      for (std::size_t i = 0; i < values.size(); ++i)
        below_here[f][values[i]] = (i >= cut) == second;
      const NodeId arm = grow(below_here, within, depth + 1);
      for (std::size_t i = 0; i < values.size(); ++i)
        if ((i >= cut) == second)
          child_of[values[i]] = arm;
    }
    return builder_.decide(f, child_of);
  }

  const Shape& shape_;
  Rng rng_;
  circuit::Builder builder_;
};

} // namespace

Circuit random_circuit(const Shape& shape, std::uint32_t seed) {
  return Grower(shape, seed).circuit();
}

Circuit random_graph(const Shape& shape, std::uint32_t seed) {
  Rng rng(seed);
  circuit::Builder builder(shape.domains, shape.labels);
  std::vector<NodeId> level(all_instances(shape.domains).size());
  for (auto& node : level)
    node = shape.impossible && rng() % 4 == 0
               ? builder.impossible()
               : builder.leaf(static_cast<LabelId>(rng() % shape.labels));
  for (std::size_t f = shape.domains.size(); f-- > 0;) {
    std::vector<NodeId> above;
    for (auto from = level.begin(); from != level.end(); from += shape.domains[f])
      above.push_back(builder.decide(static_cast<FeatureId>(f),
                                     std::vector<NodeId>(from, from + shape.domains[f])));
    level = above;
  }
  return builder.build(level.front());
}

std::vector<Shape> shapes() {
  return {{{2, 2, 2, 2}},       {{2, 2, 2, 2}, 2, true},
          {{3, 2, 4}, 3},       {{3, 2, 4}, 3, false, true},
          {{3, 2, 4}, 2, true}, {{4, 4}, 2, false, true}};
}

std::vector<Instance> all_instances(std::span<const std::uint32_t> domains) {
  std::vector<Instance> every{{}};
  for (const auto domain : domains) {
    std::vector<Instance> longer;
    for (const auto& instance : every)
      for (Cell v = 0; v < domain; ++v) {
        longer.push_back(instance);
        longer.back().push_back(v);
      }
    every = std::move(longer);
  }
  return every;
}

namespace {

LabelId label_below(const Circuit& circuit, NodeId n, const Instance& instance) {
  const auto inputs = circuit.inputs(n);
  if (circuit.kind(n) == Kind::leaf)
    return circuit.payload(n);
  if (circuit.kind(n) == Kind::conjunction)
    return std::all_of(inputs.begin(), inputs.end(),
                       [&](NodeId i) { return label_below(circuit, i, instance) == 1; });
  const SplitId s = circuit.payload(n);
  return label_below(circuit, inputs[circuit.arm_of(s)[instance[circuit.tested(s)]]], instance);
}

} // namespace

LabelId label_of(const Circuit& circuit, const Instance& instance) {
  return label_below(circuit, circuit.root(), instance);
}

bool contains(const Box& box, const Instance& instance) {
  for (std::size_t f = 0; f < box.size(); ++f)
    if (!box[f][instance[f]])
      return false;
  return true;
}

Box fixing(const Circuit& circuit, const Instance& instance,
           const std::vector<FeatureId>& features) {
  Box box;
  for (FeatureId f = 0; f < circuit.features(); ++f) {
    const bool fixed = std::find(features.begin(), features.end(), f) != features.end();
    box.emplace_back(circuit.domain(f), !fixed);
    box[f][instance[f]] = true;
  }
  return box;
}

bool forces(const Circuit& circuit, const Box& box, LabelId label) {
  Instance instance(circuit.features(), 0); // counted up in place, like an odometer
  while (true) {
    if (contains(box, instance)) {
      const LabelId found = label_of(circuit, instance);
      if (found != label && found != impossible_label)
        return false;
    }
    FeatureId f = 0;
    while (f < circuit.features() && ++instance[f] == circuit.domain(f))
      instance[f++] = 0;
    if (f == circuit.features())
      return true;
  }
}

} // namespace reasons::testing
