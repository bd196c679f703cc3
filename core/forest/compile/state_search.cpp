#include "forest/compile/state_search.hpp"

#include <algorithm>

namespace reasons::forest {

StateSearch::StateSearch(const Ensemble& ensemble, std::vector<FeatureId> order,
                         std::span<const std::uint32_t> trees, std::span<const Units> instead,
                         Budget budget, StateSearchOptions options)
    : ensemble_(ensemble), order_(std::move(order)), options_(options), scored_(trees.size()),
      labels_(ensemble.labels()), pairs_(std::size_t{labels_} * (labels_ - 1)),
      builder_(ensemble.forest().domains, labels_, std::move(budget)),
      residuals_(ensemble, order_, trees, builder_.budget()), reuse_(pairs_),
      frames_(order_.size() + 2), cells_(ensemble.features(), 0) {
  for (LabelId a = 0; a < labels_; ++a)
    for (LabelId b = 0; b < labels_; ++b)
      if (a != b)
        least_.push_back(ensemble.least_lead(a, b));
  found_.slack.resize(pairs_);
  Frame& root = frames_[0];
  root.at = residuals_.roots();
  root.floor.assign(instead.begin(), instead.end());
  for (std::size_t t = 0; t < scored_; ++t)
    for (std::size_t p = 0; p < pairs_; ++p)
      root.floor[p] += residuals_.leads(root.at[t])[p];
  if (enter())
    root_ = found_.node;
}

std::size_t StateSearch::pair(LabelId a, LabelId b) const {
  return std::size_t{a} * (labels_ - 1) + (b < a ? b : b - 1);
}

void StateSearch::run(std::uint64_t limit) {
  while (!root_ && effort() < limit) {
    Frame& frame = frames_[depth_ - 1];
    if (frame.nodes.size() == frame.firsts.size()) {
      finish(frame);
      --depth_;
      absorb();
      continue;
    }
    step(frame, frames_[depth_]);
    if (enter())
      absorb();
  }
}

double StateSearch::share() const {
  if (root_)
    return 1;
  double done = 0, weight = 1;
  for (std::size_t d = 0; d < depth_; ++d) {
    weight /= static_cast<double>(frames_[d].firsts.size());
    done += weight * static_cast<double>(frames_[d].nodes.size());
  }
  return done;
}

/// The state that the next cells of a frame lead to.
void StateSearch::step(const Frame& frame, Frame& child) {
  const std::uint32_t cell = frame.firsts[frame.nodes.size()];
  cells_[order_[frame.level]] = static_cast<Cell>(cell);
  child.at = frame.at;
  child.floor = frame.floor;
  child.label = frame.label;
  for (std::size_t t = 0; t < child.at.size(); ++t) {
    const Residual before = child.at[t];
    if (residuals_.level(before) != frame.level)
      continue;
    const auto runs = residuals_.runs(before);
    const auto run = std::ranges::upper_bound(runs, cell, {}, &Residuals::Run::first);
    child.at[t] = (run - 1)->child;
    // Where the label is certain, the cell stands for others on which a tree may add less.
    if (t < scored_ && frame.label == Ensemble::no_label)
      for (std::size_t p = 0; p < pairs_; ++p)
        child.floor[p] += residuals_.leads(child.at[t])[p] - residuals_.leads(before)[p];
  }
}

/// Looks at the state after the frames: found, or made a frame.
bool StateSearch::enter() {
  builder_.budget().tick();
  ++states_;
  if ((states_ & 1023) == 0)
    account();
  Frame& state = frames_[depth_];
  found_.settled = false;
  std::ranges::fill(found_.slack, no_bound);
  if (is_impossible(state)) {
    found_.node = builder_.impossible();
    return true;
  }
  if (ends(state) || is_known(state))
    return true;
  open(state);
  ++depth_;
  return false;
}

bool StateSearch::is_impossible(const Frame& state) const {
  const auto guards = std::span(state.at).subspan(scored_);
  return std::ranges::any_of(
      guards, [&](Residual r) { return residuals_.is_leaf(r) && residuals_.is_impossible(r); });
}

LabelId StateSearch::certain(std::span<const Units> floor) const {
  for (LabelId a = 0; a < labels_; ++a) {
    const std::size_t first = std::size_t{a} * (labels_ - 1);
    std::size_t p = first;
    while (p < first + labels_ - 1 && floor[p] >= least_[p])
      ++p;
    if (p == first + labels_ - 1)
      return a;
  }
  return Ensemble::no_label;
}

LabelId StateSearch::likely(std::span<const Units> floor) const {
  LabelId best = 0;
  for (LabelId a = 1; a < labels_; ++a)
    if (floor[pair(a, best)] > 0)
      best = a;
  return best;
}

/// A certain label stays certain while no lead of it shrinks by more than its surplus.
void StateSearch::take_lead(const Frame& state) {
  if (state.label == Ensemble::no_label)
    return;
  const std::size_t first = std::size_t{state.label} * (labels_ - 1);
  for (std::size_t p = first; p < first + labels_ - 1; ++p)
    found_.slack[p] = std::min(found_.slack[p], state.floor[p] - least_[p]);
}

/// Whether the state is a leaf, which is found. Fills the key: what is open.
bool StateSearch::ends(Frame& state) {
  if (state.label == Ensemble::no_label)
    state.label = certain(state.floor);
  const bool is_certain = state.label != Ensemble::no_label;
  key_.clear();
  state.level = Residuals::bottom;
  for (std::size_t t = is_certain ? scored_ : 0; t < state.at.size(); ++t)
    if (const std::uint32_t level = residuals_.level(state.at[t]); level != Residuals::bottom) {
      key_.push_back(state.at[t]);
      state.level = std::min(state.level, level);
    }
  if (!key_.empty()) {
    if (is_certain)
      key_.push_back(~state.label);
    return false;
  }
  if (is_certain) {
    found_.node = builder_.leaf(state.label);
    take_lead(state);
  } else {
    settle(state);
  }
  return true;
}

void StateSearch::settle(const Frame& state) {
  if (!options_.settles) {
    found_.node = builder_.leaf(likely(state.floor));
    std::ranges::fill(found_.slack, 0);
    return;
  }
  const std::uint32_t known = settled_tuples_.intern(state.at);
  if (known == settled_nodes_.size()) {
    ++settled_;
    settled_nodes_.push_back(builder_.leaf(ensemble_.decide(cells_)));
    builder_.budget().check(); // the library may have taken long
  }
  found_.node = settled_nodes_[known];
  found_.settled = true;
}

bool StateSearch::is_known(Frame& state) {
  state.tuple = tuples_.intern(key_);
  if (const auto node = reuse_.find(state.tuple, state.floor, found_.slack)) {
    found_.node = *node;
    take_lead(state);
    return true;
  }
  if (settled_tuples_.size() == 0 || state.label != Ensemble::no_label)
    return false;
  const std::uint32_t known = settled_tuples_.find(state.at);
  if (known == TupleTable::none)
    return false;
  found_.node = settled_nodes_[known];
  found_.settled = true;
  return true;
}

/// Divides the cells of the first feature by what the residuals that test it make of them.
void StateSearch::open(Frame& frame) {
  const std::uint32_t cells = ensemble_.domain(order_[frame.level]);
  starts_.assign(cells, false);
  for (std::size_t t = frame.label == Ensemble::no_label ? 0 : scored_; t < frame.at.size(); ++t)
    if (residuals_.level(frame.at[t]) == frame.level)
      for (const auto& run : residuals_.runs(frame.at[t]))
        starts_[run.first] = true;
  frame.firsts.clear();
  for (std::uint32_t cell = 0; cell < cells; ++cell)
    if (starts_[cell])
      frame.firsts.push_back(cell);
  frame.nodes.clear();
  frame.settled = false;
  frame.slack.assign(pairs_, no_bound);
}

void StateSearch::finish(Frame& frame) {
  const FeatureId feature = order_[frame.level];
  child_of_.resize(ensemble_.domain(feature));
  for (std::size_t i = 0; i < frame.firsts.size(); ++i) {
    const std::size_t end = i + 1 < frame.firsts.size() ? frame.firsts[i + 1] : child_of_.size();
    std::fill(child_of_.begin() + frame.firsts[i],
              child_of_.begin() + static_cast<std::ptrdiff_t>(end), frame.nodes[i]);
  }
  cells_[feature] = 0;
  found_.node = builder_.decide(feature, child_of_);
  found_.settled = frame.settled;
  found_.slack = frame.slack;
  if (frame.settled) {
    if (settled_tuples_.intern(frame.at) == settled_nodes_.size())
      settled_nodes_.push_back(found_.node);
    return;
  }
  if (frame.label != Ensemble::no_label) // good for all sums that make the label certain
    std::ranges::fill(frame.slack, no_bound);
  reuse_.keep(frame.tuple, frame.floor, frame.slack, found_.node);
}

/// Hands what was found to the frame that asked.
void StateSearch::absorb() {
  if (depth_ == 0) {
    root_ = found_.node;
    return;
  }
  Frame& frame = frames_[depth_ - 1];
  frame.nodes.push_back(found_.node);
  frame.settled |= found_.settled;
  for (std::size_t p = 0; p < pairs_; ++p)
    frame.slack[p] = std::min(frame.slack[p], found_.slack[p]);
}

void StateSearch::account() {
  const std::uint64_t held = tuples_.bytes() + settled_tuples_.bytes() + reuse_.bytes() +
                             residuals_.bytes() + 4ull * settled_nodes_.capacity();
  builder_.budget().require(builder_.size(), held + 32ull * builder_.size());
}

} // namespace reasons::forest
