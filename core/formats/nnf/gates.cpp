// gates.cpp: constant propagation and flattening of gates.
//
// Decisions with an arm of 0 are conjunctions too. They are seen through only where nothing
// else helps: so circuits that were ordered come back ordered, and a chain of a million of
// them is not walked from every link.
#include "formats/nnf/gates.hpp"

#include <algorithm>

namespace reasons::formats {

std::vector<bool> used_nodes(const Nnf& nnf) {
  std::vector<bool> used(nnf.size(), false);
  used[nnf.root] = true;
  for (std::uint32_t n = nnf.root + 1; n-- > 0;)
    if (used[n])
      for (const auto input : nnf.inputs(n))
        used[input] = true;
  return used;
}

NnfGates::NnfGates(const Nnf& nnf, Budget& budget)
    : nnf_(nnf), budget_(budget), used_(used_nodes(nnf)), values_(nnf.size(), Value::open),
      same_(nnf.size()), bare_(nnf.size()), sign_(std::size_t{nnf.variables} + 1, 0),
      met_(nnf.size(), false) {
  simplify();
}

void NnfGates::simplify() {
  for (Id n = 0; n <= nnf_.root; ++n) {
    same_[n] = bare_[n] = n;
    if (nnf_.kinds[n] == NnfKind::falsum)
      values_[n] = Value::never;
    else if (nnf_.kinds[n] == NnfKind::verum)
      values_[n] = Value::always;
    else if (used_[n] && nnf_.kinds[n] == NnfKind::conjunction)
      simplify_gate(n, Value::never, Value::always);
    else if (used_[n] && nnf_.kinds[n] == NnfKind::disjunction)
      simplify_gate(n, Value::always, Value::never);
  }
}

void NnfGates::simplify_gate(Id n, Value absorbing, Value neutral) {
  const bool all = nnf_.kinds[n] == NnfKind::conjunction;
  Id only = n;
  bool several = false;
  for (const Id input : nnf_.inputs(n)) {
    if (values_[input] == absorbing) {
      values_[n] = absorbing;
      return;
    }
    if (values_[input] == neutral)
      continue;
    // Twice the same input is one in a disjunction; in a conjunction it shares variables.
    several = several || (only != n && (all || bare_[only] != bare_[input]));
    only = input;
  }
  if (only == n)
    values_[n] = neutral;
  else if (!several) {
    const bool keeps_form = !all && decided(n) != 0;
    bare_[n] = bare_[only];
    same_[n] = keeps_form ? n : same_[only];
  }
}

std::int8_t NnfGates::collect(Id n, std::uint32_t without, std::vector<Id>& parts) {
  for (const auto* names : {&same_, &bare_}) {
    walk(n, *names, parts);
    std::int8_t dropped = 0;
    std::erase_if(parts, [&](Id part) {
      const bool is_it = is_literal(part) && variable(part) == without;
      dropped = is_it ? sign(part) : dropped;
      return is_it;
    });
    if (dropped != 0 || without == 0)
      return dropped;
  }
  return 0;
}

/// A conjunction met twice is walked once: where it can be true and false, that is refused in
/// the end, and forty conjunctions of the one before, twice, would take 2^40 steps until then.
void NnfGates::walk(Id n, const std::vector<Id>& names, std::vector<Id>& parts) {
  parts.clear();
  todo_.assign(1, n);
  while (!todo_.empty()) {
    budget_.tick();
    const Id next = names[todo_.back()];
    todo_.pop_back();
    if (values_[next] == Value::always || met_[next])
      continue;
    if (nnf_.kinds[next] == NnfKind::conjunction) {
      const auto inputs = nnf_.inputs(next);
      todo_.insert(todo_.end(), inputs.rbegin(), inputs.rend());
      met_[next] = true;
      walked_.push_back(next);
    } else
      parts.push_back(next);
  }
  for (const Id each : walked_)
    met_[each] = false;
  walked_.clear();
}

/// A conjunction that is never true is one of the two if there is no other.
std::vector<NnfGates::Id> NnfGates::alternatives(Id n) const {
  std::vector<Id> open, never;
  for (const Id input : nnf_.inputs(n)) {
    if (values_[input] == Value::never && nnf_.kinds[input] == NnfKind::conjunction)
      never.assign(1, input);
    else if (values_[input] == Value::open && open.size() < 3 &&
             std::find(open.begin(), open.end(), bare_[input]) == open.end())
      open.push_back(bare_[input]);
  }
  if (open.size() == 1)
    open.insert(open.end(), never.begin(), never.end());
  return open;
}

std::uint32_t NnfGates::decided(Id n) {
  const auto inputs = alternatives(n);
  if (inputs.size() != 2)
    return 0;
  const auto hint = static_cast<std::uint32_t>(nnf_.literals[n]);
  if (const auto found = between(inputs[0], inputs[1], hint, same_))
    return found;
  return between(inputs[0], inputs[1], hint, bare_);
}

std::uint32_t NnfGates::between(Id one, Id other, std::uint32_t hint,
                                const std::vector<Id>& names) {
  walk(one, names, parts_);
  for (const Id part : parts_)
    if (is_literal(part))
      sign_[variable(part)] = sign(part);
  std::uint32_t found = 0;
  walk(other, names, others_);
  for (const Id part : others_)
    if (is_literal(part) && sign_[variable(part)] == -sign(part) &&
        (found == 0 || variable(part) == hint))
      found = variable(part);
  for (const Id part : parts_)
    if (is_literal(part))
      sign_[variable(part)] = 0;
  return found;
}

} // namespace reasons::formats
