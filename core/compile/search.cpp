#include "search.hpp"

#include <algorithm>
#include <array>

namespace reasons {

Search::Search(Builder& builder, Solver& solver, Components& components, Guide& guide,
               const CnfOptions& options, CnfStatistics& statistics)
    : builder_(builder), solver_(solver), components_(components), guide_(guide), options_(options),
      statistics_(statistics), cache_(options.cache_bytes), owner_(solver.variables(), 0),
      falsum_(builder.leaf(0)), verum_(builder.leaf(1)) {}

NodeId Search::literal(Lit l) {
  const std::array arms =
      is_positive(l) ? std::array{falsum_, verum_} : std::array{verum_, falsum_};
  return builder_.decide(variable_of(l), arms);
}

NodeId Search::run() {
  std::vector<Component> top;
  std::vector<NodeId> conjuncts;
  for (const Lit l : solver_.trail())
    if (variable_of(l) < options_.inputs)
      conjuncts.push_back(literal(l));
  components_.split(components_.whole(), solver_, top);
  for (const Component& c : top) {
    enter(c);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      if (frame.next_child < children_.size())
        enter(children_[frame.next_child++]);
      else
        close_branch(frame);
    }
    conjuncts.push_back(result_);
  }
  return builder_.all_of(conjuncts);
}

/// Starts a component, or has its node in `parts_` at once.
void Search::enter(const Component component) {
  const bool nested = !frames_.empty();
  if (!guide_.has_input(component)) { // only defined variables are left
    if (!nested)
      result_ = verum_;
    return;
  }
  keep_cache_small();
  const Cache::Entry entry = cache_.entry(component, components_, solver_);
  ++statistics_.lookups;
  if (const NodeId known = cache_.node(entry); known != Cache::unknown) {
    ++statistics_.hits;
    if (nested)
      parts_.push_back(known);
    else
      result_ = known;
    return;
  }
  ++statistics_.decisions;
  Guide::Before before = guide_.enter(component);
  const Var decided = guide_.choose(component);
  frames_.push_back({component,
                     components_.mark(),
                     std::move(before),
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

void Search::open_branch(Frame& frame) {
  const auto variables = components_.variables(frame.component);
  ++branch_;
  for (const Var v : variables)
    owner_[v] = branch_;
  frame.trail = static_cast<std::uint32_t>(solver_.trail().size());
  frame.parts = static_cast<std::uint32_t>(parts_.size());
  frame.first_child = frame.next_child = static_cast<std::uint32_t>(children_.size());
  solver_.decide(literal_of(frame.decided, frame.value));
  solver_.set_late();
  const bool known = !frame.second || !options_.satisfiable_first;
  const bool possible = solver_.propagate() && (known || solver_.satisfiable(variables));
  if (!possible) {
    parts_.push_back(falsum_);
    return;
  }
  collect(frame);
  components_.split(frame.component, solver_, children_);
}

/// The literals that follow in this branch, other than the decided one.
void Search::collect(Frame& frame) {
  const auto trail = solver_.trail();
  for (std::size_t i = frame.trail + 1; i < trail.size(); ++i) {
    const Var v = variable_of(trail[i]);
    if (owner_[v] == branch_ && v < options_.inputs && v != frame.decided)
      parts_.push_back(literal(trail[i]));
  }
}

void Search::close_branch(Frame& frame) {
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
  guide_.leave(frame.component, frame.before);
  frames_.pop_back();
  if (frames_.empty())
    result_ = node;
  else
    parts_.push_back(node);
}

NodeId Search::joined(const Frame& frame) {
  for (const bool value : {false, true})
    if (frame.nodes[value] == falsum_ && frame.decided < options_.inputs)
      return builder_.all_of(
          std::array{literal(literal_of(frame.decided, !value)), frame.nodes[!value]});
  return builder_.decide(frame.decided, frame.nodes);
}

void Search::keep_cache_small() {
  if (!cache_.is_full())
    return;
  std::vector<Cache::Entry*> pending;
  for (Frame& frame : frames_)
    pending.push_back(&frame.entry);
  cache_.shrink(pending);
}

} // namespace reasons
