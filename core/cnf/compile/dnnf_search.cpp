#include "cnf/compile/dnnf_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace reasons::cnf {
namespace {

constexpr std::size_t work_between_checks = 1 << 20;
constexpr std::uint64_t conflicts_a_decision = 10; // as much work, about

} // namespace

DnnfSearch::DnnfSearch(circuit::Builder& builder, Solver& solver, Components& components,
                       VariableRanking ranking, const CnfOptions& options,
                       CnfStatistics& statistics)
    : builder_(builder), solver_(solver), components_(components),
      heuristic_(components, solver, options.inputs, std::move(ranking)), options_(options),
      statistics_(statistics), cache_(options.cache_bytes), model_(solver.models()),
      owner_(solver.variables(), 0), falsum_(builder.leaf(0)), verum_(builder.leaf(1)) {}

NodeId DnnfSearch::literal(Lit l) {
  const std::array arms =
      is_positive(l) ? std::array{falsum_, verum_} : std::array{verum_, falsum_};
  return builder_.decide(variable_of(l), arms);
}

void DnnfSearch::run(std::uint64_t decisions) {
  last_decision_ = made_ + decisions;
  last_conflict_ = solver_.conflicts() + decisions * conflicts_a_decision;
  solver_.restore(model_);
  std::vector<Component> top;
  std::vector<NodeId> conjuncts;
  const Components::Mark mark = components_.mark();
  for (const Lit l : solver_.trail())
    if (variable_of(l) < options_.inputs)
      conjuncts.push_back(literal(l));
  components_.split(components_.whole(), solver_, top);
  for (std::size_t i = 0; i < top.size() && !is_over(); ++i) {
    enter(top[i]);
    while (!frames_.empty() && !is_over()) {
      Frame& frame = frames_.back();
      if (frame.next_child < children_.size())
        enter(children_[frame.next_child++]);
      else
        close_branch(frame);
    }
    extrapolate((static_cast<double>(i) + progress()) / static_cast<double>(top.size()));
    done_ = i + 1 == top.size() && frames_.empty();
    conjuncts.push_back(result_);
  }
  done_ = done_ || top.empty();
  if (done_)
    result_ = builder_.all_of(conjuncts);
  else
    stop();
  components_.shrink_to(mark);
}

/// Which part of a component is done, 0 to 1, taking each branch for half of its component
/// and the components of a branch for equal parts.
double DnnfSearch::progress() const {
  double result = 0, share = 1;
  if (frames_.empty())
    return 1;
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    const Frame& frame = frames_[i];
    const std::size_t end = i + 1 < frames_.size() ? frames_[i + 1].first_child : children_.size();
    const auto parts = static_cast<double>(std::max<std::size_t>(1, end - frame.first_child));
    const auto begun = static_cast<double>(frame.next_child - frame.first_child);
    share /= 2;
    result += (frame.second ? share : 0) + share * std::max(0.0, begun - 1) / parts;
    share /= parts;
  }
  return result;
}

/// As if the part that is done had grown as a power of the number of decisions ever since the
/// first run: the cache makes it grow faster and faster, and how much so tells more than how
/// far it is. The slope between the last two runs was tried; it swings too much.
void DnnfSearch::extrapolate(double progress) {
  if (!is_over())
    return;
  const auto made = static_cast<double>(made_);
  const double power = first_progress_ > 0 ? std::log(progress / first_progress_) /
                                                 std::log(made / static_cast<double>(first_made_))
                                           : 1;
  estimate_ = made * std::pow(1 / progress, 1 / std::clamp(power, 0.1, 10.0));
  if (first_progress_ == 0) {
    first_progress_ = progress;
    first_made_ = made_;
  }
}

void DnnfSearch::stop() {
  frames_.clear();
  children_.clear();
  parts_.clear();
  solver_.undo_to(0);
}

/// Starts a component, or has its node in `parts_` at once.
void DnnfSearch::enter(const Component component) {
  const bool nested = !frames_.empty();
  if (!heuristic_.has_input(component)) { // only defined variables are left
    if (!nested)
      result_ = verum_;
    return;
  }
  keep_cache_small();
  const ComponentCache::Entry entry = cache_.entry(component, components_, solver_);
  ++statistics_.lookups;
  if (const NodeId known = cache_.node(entry); known != ComponentCache::unknown) {
    ++statistics_.hits;
    if (nested)
      parts_.push_back(known);
    else
      result_ = known;
    return;
  }
  ++statistics_.decisions;
  statistics_.conflicts = solver_.conflicts();
  ++made_;
  const Var decided = heuristic_.choose(component);
  frames_.push_back({component,
                     components_.mark(),
                     entry,
                     decided,
                     solver_.model(decided),
                     false,
                     {falsum_, falsum_},
                     0,
                     0,
                     0,
                     0});
  open_branch(frames_.back());
}

void DnnfSearch::open_branch(Frame& frame) {
  const auto variables = components_.variables(frame.component);
  spend(variables.size() + components_.clauses(frame.component).size());
  ++branch_;
  for (const Var v : variables)
    owner_[v] = branch_;
  frame.trail = static_cast<std::uint32_t>(solver_.trail().size());
  frame.parts = static_cast<std::uint32_t>(parts_.size());
  frame.first_child = frame.next_child = static_cast<std::uint32_t>(children_.size());
  solver_.decide(literal_of(frame.decided, frame.value));
  solver_.set_late();
  // The model at hand satisfies the first branch; the second must be shown to have one.
  const bool possible = solver_.propagate() && (!frame.second || solver_.satisfiable(variables));
  if (!possible) {
    parts_.push_back(falsum_);
    return;
  }
  collect(frame);
  components_.split(frame.component, solver_, children_);
}

/// A branch costs as much as its component is large, which may be much more than it decides.
void DnnfSearch::spend(std::size_t work) {
  work_ += work;
  if (work_ < work_between_checks)
    return;
  work_ = 0;
  builder_.budget().check();
  builder_.budget().require(builder_.size(), cache_.bytes() + components_.bytes());
}

/// The literals that follow in this branch, other than the decided one.
void DnnfSearch::collect(Frame& frame) {
  const auto trail = solver_.trail();
  for (std::size_t i = frame.trail + 1; i < trail.size(); ++i) {
    const Var v = variable_of(trail[i]);
    if (owner_[v] == branch_ && v < options_.inputs && v != frame.decided)
      parts_.push_back(literal(trail[i]));
  }
}

void DnnfSearch::close_branch(Frame& frame) {
  frame.nodes[frame.value] = builder_.all_of(std::span(parts_).subspan(frame.parts));
  parts_.resize(frame.parts);
  children_.resize(frame.first_child);
  components_.shrink_to(frame.mark);
  solver_.undo_to(solver_.level() - 1);
  if (!frame.second) {
    frame.second = true;
    frame.value = !frame.value;
    open_branch(frame);
    return;
  }
  const NodeId node = joined(frame);
  cache_.set(frame.entry, node);
  frames_.pop_back();
  if (frames_.empty())
    result_ = node;
  else
    parts_.push_back(node);
}

NodeId DnnfSearch::joined(const Frame& frame) {
  for (const bool value : {false, true})
    if (frame.nodes[value] == falsum_ && frame.decided < options_.inputs)
      return builder_.all_of(
          std::array{literal(literal_of(frame.decided, !value)), frame.nodes[!value]});
  return builder_.decide(frame.decided, frame.nodes);
}

void DnnfSearch::keep_cache_small() {
  if (!cache_.is_full())
    return;
  std::vector<ComponentCache::Entry*> pending;
  for (Frame& frame : frames_)
    pending.push_back(&frame.entry);
  cache_.shrink(pending);
}

} // namespace reasons::cnf
