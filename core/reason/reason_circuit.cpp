// reason_circuit.cpp: consensus followed by filtering, in one upward construction.
//
// A first pass finds what each node's reason is worth without building it: it
// fails (the instance itself breaks it), it is void (true whatever happens), or
// it is open. A downward pass marks the open nodes that the root's reason uses;
// only those get gates, so nothing is built to be thrown away.
#include "reason/reason_circuit.hpp"

#include <algorithm>
#include <map>

namespace reasons {
namespace {

constexpr std::uint8_t holds = 1, is_void = 2, used = 4;

/// What the two kinds of complete reason do differently.
struct Dialect {
  bool general;
  std::vector<Arm> own;                 // per split: the arm of the instance, or no_arm
  std::vector<std::uint32_t> arms_from; // per split: where its arms start, general only
  std::vector<NodeId> arm_literal;      // literal of each arm, general only
};

class Construction {
public:
  Construction(const Circuit& circuit, LabelId label, Dialect dialect, Reason reason)
      : circuit_(circuit), label_(label), dialect_(std::move(dialect)), reason_(std::move(reason)),
        worth_(circuit.size()), id_(circuit.size()) {}

  Reason build() && {
    appraise();
    mark();
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
  [[nodiscard]] bool is_open(NodeId n) const { return (worth_[n] & (holds | is_void)) == holds; }

  void appraise() {
    for (NodeId n = 0; n < circuit_.size(); ++n) {
      const std::uint32_t payload = circuit_.payload(n);
      const auto inputs = circuit_.inputs(n);
      if (circuit_.kind(n) == Kind::decision && inputs.size() == 2 && dialect_.own[payload] < 2) {
        const std::uint8_t own = worth_[inputs[dialect_.own[payload]]];
        worth_[n] = own & (worth_[inputs[1 - dialect_.own[payload]]] | holds);
        continue;
      }
      switch (circuit_.kind(n)) {
      case Kind::leaf:
        worth_[n] = payload == label_ || payload == impossible_label ? holds | is_void : 0;
        break;
      case Kind::conjunction:
        worth_[n] = label_ == 1 ? meet(inputs) : join(inputs);
        break;
      case Kind::decision: {
        const std::uint8_t all = meet(inputs);
        const Arm own = dialect_.own[payload];
        const std::uint8_t mine = own != no_arm      ? worth_[inputs[own]]
                                  : dialect_.general ? holds
                                                     : all;
        worth_[n] = static_cast<std::uint8_t>((all & is_void) | (mine & holds));
      }
      }
    }
  }

  [[nodiscard]] std::uint8_t meet(std::span<const NodeId> inputs) const {
    std::uint8_t all = holds | is_void;
    for (const NodeId input : inputs)
      all &= worth_[input];
    return all;
  }

  [[nodiscard]] std::uint8_t join(std::span<const NodeId> inputs) const {
    std::uint8_t any = 0;
    for (const NodeId input : inputs)
      any |= worth_[input];
    return any;
  }

  /// Whether the simple reason of a test needs its literal for sure: some other
  /// arm fails, so the others' reasons do not matter.
  [[nodiscard]] bool is_tied(std::span<const NodeId> inputs, Arm own) const {
    for (std::size_t k = 0; k < inputs.size(); ++k)
      if (k != own && !(worth_[inputs[k]] & holds))
        return true;
    return false;
  }

  void use(NodeId n) {
    if (is_open(n))
      worth_[n] |= used;
  }

  void mark() {
    use(circuit_.root());
    for (NodeId n = circuit_.size(); n-- > 0;) {
      if (!(worth_[n] & used))
        continue;
      const auto inputs = circuit_.inputs(n);
      room_gates_ += inputs.size() + 1; // never more, for any kind of node
      room_edges_ += 3 * inputs.size() + 1;
      const bool test = circuit_.kind(n) == Kind::decision;
      const Arm own = test ? dialect_.own[circuit_.payload(n)] : no_arm;
      if (test && own != no_arm && !dialect_.general && is_tied(inputs, own))
        use(inputs[own]);
      else
        for (const NodeId input : inputs)
          use(input);
    }
  }

  void emit() {
    for (NodeId n = 0; n < circuit_.size(); ++n) {
      if (!(worth_[n] & used)) {
        id_[n] = worth_[n] & is_void ? Reason::verum : Reason::falsum;
        continue;
      }
      const auto inputs = circuit_.inputs(n);
      if (circuit_.kind(n) == Kind::conjunction)
        id_[n] = gate_of(label_ == 1 ? Gate::conjunction : Gate::disjunction, inputs);
      else
        id_[n] = dialect_.general ? general_test(circuit_.payload(n), inputs)
                                  : simple_test(circuit_.payload(n), inputs);
    }
  }

  /// own AND (literal OR the other arms), with what is constant left out.
  [[nodiscard]] NodeId simple_test(SplitId s, std::span<const NodeId> inputs) {
    const Arm own = dialect_.own[s];
    if (own == no_arm)
      return gate_of(Gate::conjunction, inputs);
    const NodeId literal = 2 + circuit_.tested(s), mine = id_[inputs[own]];
    if (is_tied(inputs, own))
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
    const Arm own = dialect_.own[s];
    if (inputs.size() == 2 && own != no_arm) { // the common case, without the detour over a list
      const NodeId mine = id_[inputs[own]], other = id_[inputs[1 - own]];
      if (other == Reason::verum || other == mine)
        return mine;
      const NodeId literal = dialect_.arm_literal[dialect_.arms_from[s] + 1 - own];
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
      const NodeId literal = dialect_.arm_literal[dialect_.arms_from[s] + k];
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
  Dialect dialect_;
  Reason reason_;
  std::size_t room_gates_ = 0, room_edges_ = 0;
  std::uint32_t gates_ = 0, edges_ = 0;
  Array<std::uint8_t> worth_;
  Array<NodeId> id_;
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
    reason.literals.push_back({f, Bits(circuit.domain(f))});
    reason.literals.back().values.set(instance[f]);
  }
  return Construction(circuit, label, {false, own_arms(circuit, instance), {}, {}},
                      std::move(reason))
      .build();
}

Reason general_reason(const Circuit& circuit, std::span<const Cell> instance, LabelId label) {
  Reason reason;
  Dialect dialect{true, own_arms(circuit, instance), {}, {}};
  std::map<std::pair<FeatureId, std::vector<Cell>>, NodeId> known;
  for (SplitId s = 0; s < circuit.splits(); ++s) {
    const FeatureId f = circuit.tested(s);
    const auto arm_of = circuit.arm_of(s);
    dialect.arms_from.push_back(static_cast<std::uint32_t>(dialect.arm_literal.size()));
    std::vector<std::vector<Cell>> excluded(circuit.arms(s));
    for (Cell v = 0; v < arm_of.size(); ++v)
      if (arm_of[v] != no_arm)
        excluded[arm_of[v]].push_back(v);
    for (std::size_t k = 0; k < excluded.size(); ++k) {
      if (k == dialect.own[s]) {
        dialect.arm_literal.push_back(Reason::falsum);
        continue;
      }
      const auto [entry, is_new] = known.try_emplace({f, excluded[k]}, reason.first_gate());
      if (is_new) {
        reason.literals.push_back({f, Bits(circuit.domain(f))});
        for (Cell v = 0; v < circuit.domain(f); ++v)
          if (!std::binary_search(excluded[k].begin(), excluded[k].end(), v))
            reason.literals.back().values.set(v);
      }
      dialect.arm_literal.push_back(entry->second);
    }
  }
  return Construction(circuit, label, std::move(dialect), std::move(reason)).build();
}

bool evaluate(const Reason& reason, std::span<const std::uint8_t> literal_values) {
  std::vector<std::uint8_t> value(reason.size());
  value[Reason::verum] = 1;
  std::copy(literal_values.begin(), literal_values.end(), value.begin() + 2);
  for (NodeId g = reason.first_gate(); g < reason.size(); ++g) {
    const auto inputs = reason.inputs(g);
    const auto truth = [&](NodeId input) { return value[input] != 0; };
    value[g] = reason.gates[g - reason.first_gate()] == Gate::conjunction
                   ? std::all_of(inputs.begin(), inputs.end(), truth)
                   : std::any_of(inputs.begin(), inputs.end(), truth);
  }
  return value[reason.root] != 0;
}

namespace {

/// The same function without the gates that its root does not use. An edge leads
/// to a smaller id, so one downward and one upward pass do.
Reason trimmed(const Reason& reason) {
  std::vector<NodeId> renamed(reason.size(), 0);
  renamed[reason.root] = 1;
  for (NodeId g = reason.size(); g-- > reason.first_gate();)
    if (renamed[g])
      for (const NodeId input : reason.inputs(g))
        renamed[input] = 1;
  Reason result;
  result.literals = reason.literals;
  for (NodeId n = 0; n < reason.first_gate(); ++n)
    renamed[n] = n;
  for (NodeId g = reason.first_gate(); g < reason.size(); ++g) {
    if (!renamed[g])
      continue;
    renamed[g] = result.size();
    result.gates.push_back(reason.gates[g - reason.first_gate()]);
    for (const NodeId input : reason.inputs(g))
      result.edges.push_back(renamed[input]);
    result.first.push_back(static_cast<std::uint32_t>(result.edges.size()));
  }
  result.root = renamed[reason.root];
  return result;
}

} // namespace

Reason substitute(const Reason& reason, std::span<const std::uint8_t> literal_values) {
  Reason result;
  result.literals = reason.literals;
  std::vector<NodeId> id(reason.size());
  id[Reason::verum] = Reason::verum;
  for (NodeId l = 0; l < reason.literals.size(); ++l)
    id[2 + l] = literal_values[l] == keep ? 2 + l : literal_values[l];
  std::vector<NodeId> inputs;
  for (NodeId g = reason.first_gate(); g < reason.size(); ++g) {
    const Gate kind = reason.gates[g - reason.first_gate()];
    const NodeId absorbing = kind == Gate::conjunction ? Reason::falsum : Reason::verum;
    inputs.clear();
    for (const NodeId input : reason.inputs(g))
      inputs.push_back(id[input]);
    std::sort(inputs.begin(), inputs.end());
    inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
    if (std::find(inputs.begin(), inputs.end(), absorbing) != inputs.end()) {
      id[g] = absorbing;
      continue;
    }
    std::erase(inputs, 1 - absorbing);
    if (inputs.size() < 2) {
      id[g] = inputs.empty() ? 1 - absorbing : inputs.front();
      continue;
    }
    id[g] = result.size();
    result.gates.push_back(kind);
    result.edges.insert(result.edges.end(), inputs.begin(), inputs.end());
    result.first.push_back(static_cast<std::uint32_t>(result.edges.size()));
  }
  result.root = id[reason.root];
  return trimmed(result);
}

Reason negate(const Reason& reason, std::span<const std::uint32_t> domains) {
  Reason result = reason;
  for (auto& literal : result.literals) {
    Bits others(domains[literal.feature]);
    for (std::uint32_t v = 0; v < domains[literal.feature]; ++v)
      if (!literal.values[v])
        others.set(v);
    literal.values = others;
  }
  for (auto& gate : result.gates)
    gate = gate == Gate::conjunction ? Gate::disjunction : Gate::conjunction;
  for (auto& edge : result.edges)
    edge = edge < 2 ? 1 - edge : edge;
  result.root = result.root < 2 ? 1 - result.root : result.root;
  return result;
}

ReasonOfSets::ReasonOfSets(std::span<const Cell> instance, std::span<const std::uint32_t> domains) {
  for (FeatureId f = 0; f < domains.size(); ++f) {
    reason_.literals.push_back({f, Bits(domains[f])});
    reason_.literals.back().values.set(instance[f]);
  }
}

NodeId ReasonOfSets::close(Gate kind) {
  reason_.gates.push_back(kind);
  reason_.first.push_back(static_cast<std::uint32_t>(reason_.edges.size()));
  return static_cast<NodeId>(reason_.size() - 1);
}

void ReasonOfSets::add(std::span<const FeatureId> set) {
  if (set.empty()) {
    parts_.push_back(Reason::falsum);
  } else if (set.size() == 1) {
    parts_.push_back(2 + set[0]);
  } else {
    for (const FeatureId f : set)
      reason_.edges.push_back(2 + f);
    parts_.push_back(close(Gate::disjunction));
  }
}

Reason ReasonOfSets::finish() && {
  if (std::find(parts_.begin(), parts_.end(), Reason::falsum) != parts_.end()) {
    parts_ = {Reason::falsum};
  } else if (parts_.size() > 1) {
    reason_.edges.insert(reason_.edges.end(), parts_.begin(), parts_.end());
    parts_ = {close(Gate::conjunction)};
  }
  reason_.root = parts_.empty() ? Reason::verum : parts_.front();
  return std::move(reason_);
}

} // namespace reasons
