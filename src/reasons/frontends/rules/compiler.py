"""The decision diagram of rules, grown rule by rule.

It maps instances to *states*: what is known of the labels after some of the rules. Of a list
that is the label itself. Whenever the graph has grown it is sifted to a better order.
"""

from collections.abc import Iterable
from typing import Any

from reasons import _core
from reasons.budget import Budget
from reasons.circuits.circuit import Circuit, native_budget
from reasons.classifier import Classifier
from reasons.errors import InputError, Option
from reasons.explain.wording import Wording
from reasons.features.grammar.conditions import Characteristic, Logic
from reasons.features.schema import Schema
from reasons.features.terms import Instance
from reasons.frontends.labels import ordered_labels, require_label
from reasons.frontends.rules.features import cells_of, schema_of
from reasons.frontends.rules.interpreter import Replay
from reasons.frontends.rules.parser import Conflict, Mode, Rule, Rules
from reasons.frontends.rules.states import MOST_STATES, Labels, States, states_for

_FIRST_SIFT = 1_000
_GARBAGE = 20


def compile_rules(
    found: Rules,
    schema: Schema | None,
    default: tuple[Any, ...],
    mode: Mode,
    conflict: Conflict | None,
    *,
    wording: Wording | None = None,
    budget: Budget | None = None,
) -> Classifier:
    """The classifier of rules; `default` is a tuple of the label, or empty."""
    if mode not in ("list", "set") or conflict not in (None, "first", "majority"):
        raise InputError(
            "{mode} must be 'list' or 'set', {conflict} 'first' or 'majority'",
            mode=Option("mode", mode),
            conflict=Option("conflict", conflict),
        )
    if conflict is not None and mode == "list":
        raise InputError(
            "{option} is for {mode}; in a list the first rule counts",
            option="conflict",
            mode=Option("mode", "set"),
        )
    if default and found.default:
        raise InputError("the rules end with 'else'; leave {option} out", option="default")
    rest = default or found.default
    labels = _labels(found.rules, rest)
    schema = schema_of(found.rules) if schema is None else schema
    states = states_for(labels, mode, conflict)
    grown = _Grown(schema, budget or Budget())
    grown.apply(found.rules, states)
    replay = Replay(found.rules, schema, rest, mode, conflict)
    native = grown.finished(states, labels, replay)
    return Classifier(
        Circuit(native, schema, labels.every),
        wording=wording,
        predict=replay.predict,
        notes=[f"{len(found.rules):,} rules, a {'list' if mode == 'list' else 'decision set'}"],
    )


def _labels(rules: Iterable[Rule], rest: tuple[Any, ...]) -> Labels:
    named = [rule.label for rule in rules]
    for number, label in enumerate([*named, *rest], 1):
        require_label(label, f"rule {number}")
    every = ordered_labels([*named, *rest])
    return Labels(every, tuple(dict.fromkeys(named)), rest)


class _Grown:
    """The graph of the rules so far, in an order that changes as it grows."""

    def __init__(self, schema: Schema, budget: Budget) -> None:
        self.schema, self.budget = schema, budget
        self.domains = [len(feature.values) for feature in schema]
        self.composer = self._composer(list(range(len(schema))))
        self.root = 0
        self.sift_from = _FIRST_SIFT
        self.masks: dict[tuple[str, str, tuple[object, ...]], list[bool]] = {}

    def _composer(self, order: list[int], labels: int = MOST_STATES) -> _core.Composer:
        return _core.Composer(self.domains, labels, order, native_budget(self.budget))

    def apply(self, rules: Iterable[Rule], states: States) -> None:
        """One rule after the other; from the last to the first would build what is shadowed."""
        self.root = self.composer.leaf(states.start)
        for done, rule in enumerate(rules):
            self.budget.check("rules")
            self.budget.report("rules", done)
            holds = self._condition(rule)
            after = self.composer.relabelled(self.root, states.after(rule.label))
            self.root = self.composer.choose(holds, after, self.root)
            if len(self.composer) > _GARBAGE * self.sift_from:
                self._renew()

    def _renew(self) -> None:
        """Drop what is not used any more; sift what is, where that has doubled."""
        native = self.composer.build(self.root)
        if len(native) > self.sift_from:
            native = self._sifted(native)
            self.sift_from = 2 * max(len(native), _FIRST_SIFT)
        self._start_from(native)

    def _sifted(self, native: _core.Circuit) -> _core.Circuit:
        states = tuple(range(native.labels))
        return Circuit(native, self.schema, states).sifted(self.budget).native

    def _condition(self, rule: Rule) -> int:
        """The node of a rule's condition."""
        choose = self.composer.choose
        no, yes = self.composer.leaf(0), self.composer.leaf(1)
        logic = Logic(
            yes,
            lambda node: choose(node, no, yes),
            lambda one, other: choose(other, one, no),
            lambda one, other: choose(other, choose(one, no, yes), one),
        )
        tests = [
            self.composer.test(self.schema.index(atom.name), self._mask(rule, atom))
            for atom in rule.condition.atoms
        ]
        return rule.condition.fold(tests, logic)

    def _mask(self, rule: Rule, found: Characteristic) -> list[bool]:
        key = (found.name, found.operator, found.members)
        if key not in self.masks:
            self.masks[key] = cells_of(rule, found, self.schema)
        return self.masks[key]

    def finished(self, states: States, labels: Labels, replay: Replay) -> _core.Circuit:
        """The graph to labels; an instance without one is an error that shows it."""
        native = self._sifted(self.composer.build(self.root))
        found = {native.node(n)[1] for n in range(len(native)) if native.node(n)[0] == 1}
        for state in sorted(found):
            if states.label(state) is None:
                raise replay.undecided(self._instance(native, state))
        to = [0] * (max(found) + 1)
        for state in found:
            to[state] = labels.every.index(states.label(state))
        self._start_from(native)
        labelled = self.composer.build(self.composer.relabelled(self.root, to))
        self._start_from(labelled, len(labels.every))
        return self.composer.build(self.root)

    def _start_from(self, native: _core.Circuit, labels: int = MOST_STATES) -> None:
        """Go on with a graph and its order, and with nothing else."""
        listed = set(native.order)
        rest = [f for f in range(len(self.domains)) if f not in listed]
        self.composer = self._composer([*native.order, *rest], labels)
        self.root = self.composer.copy(native)

    def _instance(self, native: _core.Circuit, state: int) -> Instance:
        free = bytes(16 * sum(self.domains))
        cells = _core.MinCostSearch(native, free, state).instance()
        return Instance.of_cells(self.schema, cells)
