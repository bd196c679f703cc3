// reason_builder.cpp: complete reasons of a decision, by consensus and filtering in one upward
// pass.
//
// The reasons are those of Darwiche and Hirth, "On the reasons behind decisions" (ECAI 2020).
// A first pass finds the status of each node's reason without building it. A downward
// pass marks the open nodes that the root's reason uses. Only those get gates, so nothing
// is built to be thrown away.
#include "reason/reason_circuit.hpp"

#include <algorithm>
#include <map>

namespace reasons::reason {
namespace {

/// The value of a node's reason. The order makes a conjunction the least of its inputs and a
/// disjunction the greatest.
enum class Status : std::uint8_t {
  fails, ///< the instance itself breaks it
  open,  ///< it depends on what changes
  used,  ///< open, and the root's reason uses it
  valid, ///< true whatever changes
};

/// What the two kinds of complete reason do differently.
struct Variant {
  bool general;
  std::vector<Arm> own;                 // per split: the arm of the instance, or no_arm
  std::vector<std::uint32_t> arms_from; // per split: where its arms start, general only
  std::vector<NodeId> arm_literal;      // literal of each arm, general only
};

class ReasonBuilder {
public:
  ReasonBuilder(const Circuit& circuit, LabelId label, Variant variant, Reason reason)
      : circuit_(circuit), label_(label), variant_(std::move(variant)), reason_(std::move(reason)),
        status_(circuit.size()), id_(circuit.size()) {}

  Reason build() && {
    find_status();
    mark_used();
    reason_.gates.resize(room_gates_);
    reason_.first.resize(room_gates_ + 1);
    reason_.edges.resize(room_edges_);
    emit();
    reason_.gates.resize(gates_);
    reason_.first.resize(gates_ + 1);
    reason_.edges.resize(edges_);
    reason_.root = id_[circuit_.root()];
    return std::move(reason_);
  }

private:
  [[nodiscard]] bool is_open(NodeId n) const {
    return status_[n] == Status::open || status_[n] == Status::used;
  }

  void find_status() {
    for (NodeId n = 0; n < circuit_.size(); ++n) {
      const std::uint32_t payload = circuit_.payload(n);
      const auto inputs = circuit_.inputs(n);
      switch (circuit_.kind(n)) {
      case Kind::leaf:
        status_[n] =
            payload == label_ || payload == impossible_label ? Status::valid : Status::fails;
        break;
      case Kind::conjunction:
        status_[n] = label_ == 1 ? least(inputs) : greatest(inputs);
        break;
      case Kind::decision:
        status_[n] = status_of_test(variant_.own[payload], inputs);
      }
    }
  }

  /// What the instance's own arm is, but valid only where every arm is.
  [[nodiscard]] Status status_of_test(Arm own, std::span<const NodeId> inputs) const {
    if (inputs.size() == 2 && own < 2) // the common case, without a loop
      return std::min(status_[inputs[own]], std::max(status_[inputs[1 - own]], Status::open));
    const Status all = least(inputs);
    const Status mine = own != no_arm      ? status_[inputs[own]]
                        : variant_.general ? Status::valid
                                           : all;
    return std::min(mine, std::max(all, Status::open));
  }

  [[nodiscard]] Status least(std::span<const NodeId> inputs) const {
    Status all = Status::valid;
    for (const NodeId input : inputs)
      all = std::min(all, status_[input]);
    return all;
  }

  [[nodiscard]] Status greatest(std::span<const NodeId> inputs) const {
    Status any = Status::fails;
    for (const NodeId input : inputs)
      any = std::max(any, status_[input]);
    return any;
  }

  /// Whether the simple reason of a test needs its literal for sure: some other
  /// arm fails, so the others' reasons do not matter.
  [[nodiscard]] bool needs_literal(std::span<const NodeId> inputs, Arm own) const {
    for (std::size_t k = 0; k < inputs.size(); ++k)
      if (k != own && status_[inputs[k]] == Status::fails)
        return true;
    return false;
  }

  void use(NodeId n) {
    if (status_[n] == Status::open)
      status_[n] = Status::used;
  }

  void mark_used() {
    use(circuit_.root());
    for (NodeId n = circuit_.size(); n-- > 0;) {
      if (status_[n] != Status::used)
        continue;
      const auto inputs = circuit_.inputs(n);
      room_gates_ += inputs.size() + 1; // never more, for any kind of node
      room_edges_ += 3 * inputs.size() + 1;
      const bool test = circuit_.kind(n) == Kind::decision;
      const Arm own = test ? variant_.own[circuit_.payload(n)] : no_arm;
      if (test && own != no_arm && !variant_.general && needs_literal(inputs, own))
        use(inputs[own]);
      else
        for (const NodeId input : inputs)
          use(input);
    }
  }

  void emit() {
    for (NodeId n = 0; n < circuit_.size(); ++n) {
      if (status_[n] != Status::used) {
        id_[n] = status_[n] == Status::valid ? Reason::verum : Reason::falsum;
        continue;
      }
      const auto inputs = circuit_.inputs(n);
      if (circuit_.kind(n) == Kind::conjunction)
        id_[n] = gate_of(label_ == 1 ? Gate::conjunction : Gate::disjunction, inputs);
      else
        id_[n] = variant_.general ? general_test(circuit_.payload(n), inputs)
                                  : simple_test(circuit_.payload(n), inputs);
    }
  }

  /// own AND (literal OR the other arms), with what is constant left out.
  [[nodiscard]] NodeId simple_test(SplitId s, std::span<const NodeId> inputs) {
    const Arm own = variant_.own[s];
    if (own == no_arm)
      return gate_of(Gate::conjunction, inputs);
    const NodeId literal = 2 + circuit_.tested(s), mine = id_[inputs[own]];
    if (needs_literal(inputs, own))
      return both(mine, literal);
    if (inputs.size() == 2) { // the common case, without the detour over a list
      const NodeId other = id_[inputs[1 - own]];
      if (!is_open(inputs[1 - own]) || other == mine)
        return mine;
      return both(mine, pair(Gate::disjunction, literal, other));
    }
    others_.clear();
    for (std::size_t k = 0; k < inputs.size(); ++k)
      if (k != own && is_open(inputs[k]) && id_[inputs[k]] != mine)
        others_.push_back(id_[inputs[k]]);
    if (others_.empty())
      return mine;
    return both(mine, pair(Gate::disjunction, literal, gate(Gate::conjunction)));
  }

  /// own AND, for every other arm, (not that arm's values OR its reason).
  [[nodiscard]] NodeId general_test(SplitId s, std::span<const NodeId> inputs) {
    const Arm own = variant_.own[s];
    if (inputs.size() == 2 && own != no_arm) { // the common case, without the detour over a list
      const NodeId mine = id_[inputs[own]], other = id_[inputs[1 - own]];
      if (other == Reason::verum || other == mine)
        return mine;
      const NodeId literal = variant_.arm_literal[variant_.arms_from[s] + 1 - own];
      const bool fails = other == Reason::falsum;
      return both(mine, fails ? literal : pair(Gate::disjunction, literal, other));
    }
    guards_.clear();
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      const NodeId r = id_[inputs[k]];
      if (k == own && r != Reason::verum)
        guards_.push_back(r);
      if (k == own || r == Reason::verum)
        continue;
      const NodeId literal = variant_.arm_literal[variant_.arms_from[s] + k];
      guards_.push_back(r == Reason::falsum ? literal : pair(Gate::disjunction, literal, r));
    }
    others_.swap(guards_);
    return gate(Gate::conjunction);
  }

  [[nodiscard]] NodeId both(NodeId a, NodeId b) {
    return a == Reason::verum ? b : pair(Gate::conjunction, a, b);
  }

  /// A gate of two inputs. Room was made in `build`.
  [[nodiscard]] NodeId pair(Gate kind, NodeId a, NodeId b) {
    reason_.edges[edges_] = a;
    reason_.edges[edges_ + 1] = b;
    edges_ += 2;
    return closed(kind);
  }

  /// The gate whose inputs have just been written.
  [[nodiscard]] NodeId closed(Gate kind) {
    reason_.gates[gates_++] = kind;
    reason_.first[gates_] = edges_;
    return static_cast<NodeId>(reason_.first_gate() + gates_ - 1);
  }

  /// A gate over the open inputs' reasons.
  [[nodiscard]] NodeId gate_of(Gate kind, std::span<const NodeId> inputs) {
    others_.clear();
    for (const NodeId input : inputs)
      if (is_open(input))
        others_.push_back(id_[input]);
    return gate(kind);
  }

  /// A gate over `others_`, or the only one of them.
  [[nodiscard]] NodeId gate(Gate kind) {
    if (others_.size() > 1) {
      std::sort(others_.begin(), others_.end());
      others_.erase(std::unique(others_.begin(), others_.end()), others_.end());
    }
    if (others_.size() == 1)
      return others_.front();
    for (const NodeId input : others_)
      reason_.edges[edges_++] = input;
    return closed(kind);
  }

  const Circuit& circuit_;
  LabelId label_;
  Variant variant_;
  Reason reason_;
  std::size_t room_gates_ = 0, room_edges_ = 0;
  std::uint32_t gates_ = 0, edges_ = 0;
  UninitializedVector<Status> status_;
  UninitializedVector<NodeId> id_;
  std::vector<NodeId> others_, guards_;
};

std::vector<Arm> own_arms(const Circuit& circuit, std::span<const Cell> instance) {
  std::vector<Arm> own(circuit.splits());
  for (SplitId s = 0; s < circuit.splits(); ++s)
    own[s] = circuit.arm_of(s)[instance[circuit.tested(s)]];
  return own;
}

} // namespace

Reason complete_reason(const Circuit& circuit, std::span<const Cell> instance, LabelId label) {
  Reason reason;
  for (FeatureId f = 0; f < circuit.features(); ++f) {
    reason.literals.push_back({f, BitSet(circuit.domain(f))});
    reason.literals.back().values.set(instance[f]);
  }
  return ReasonBuilder(circuit, label, {false, own_arms(circuit, instance), {}, {}},
                       std::move(reason))
      .build();
}

Reason general_reason(const Circuit& circuit, std::span<const Cell> instance, LabelId label) {
  Reason reason;
  Variant variant{true, own_arms(circuit, instance), {}, {}};
  std::map<std::pair<FeatureId, std::vector<Cell>>, NodeId> known;
  for (SplitId s = 0; s < circuit.splits(); ++s) {
    const FeatureId f = circuit.tested(s);
    const auto arm_of = circuit.arm_of(s);
    variant.arms_from.push_back(static_cast<std::uint32_t>(variant.arm_literal.size()));
    std::vector<std::vector<Cell>> excluded(circuit.arms(s));
    for (Cell v = 0; v < arm_of.size(); ++v)
      if (arm_of[v] != no_arm)
        excluded[arm_of[v]].push_back(v);
    for (std::size_t k = 0; k < excluded.size(); ++k) {
      if (k == variant.own[s]) {
        variant.arm_literal.push_back(Reason::falsum);
        continue;
      }
      const auto [entry, is_new] = known.try_emplace({f, excluded[k]}, reason.first_gate());
      if (is_new) {
        reason.literals.push_back({f, BitSet(circuit.domain(f))});
        for (Cell v = 0; v < circuit.domain(f); ++v)
          if (!std::binary_search(excluded[k].begin(), excluded[k].end(), v))
            reason.literals.back().values.set(v);
      }
      variant.arm_literal.push_back(entry->second);
    }
  }
  return ReasonBuilder(circuit, label, std::move(variant), std::move(reason)).build();
}

} // namespace reasons::reason
