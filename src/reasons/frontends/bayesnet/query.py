"""Queries to a Bayesian network: the target, the features, and the rule that gives a label."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from numbers import Rational
from typing import Any

from reasons.errors import InputError, Option
from reasons.features.feature import Feature
from reasons.features.schema import Schema
from reasons.frontends.bayesnet.network import Network, Node
from reasons.frontends.options import is_finite
from reasons.text import comma_list

_TRUE, _FALSE = ("true", "1"), ("false", "0")


@dataclass(frozen=True, eq=False)
class Query:
    """A network's target and features, by number, and how the posterior gives a label.

    With a threshold the labels are False and True; True means that the target's `state` has at
    least that probability. Without, the label is the most probable state, the first of several.
    `to_state[f][cell]` is the state of feature f's cell.
    """

    network: Network
    target: int
    features: tuple[int, ...]
    threshold: Fraction | None
    state: int
    schema: Schema
    to_state: tuple[tuple[int, ...], ...]

    @cached_property
    def labels(self) -> tuple[Any, ...]:
        """The labels in order."""
        return (False, True) if self.threshold is not None else self.classes.values

    @property
    def classes(self) -> Node:
        """The node that decides."""
        return self.network.nodes[self.target]

    def states(self, cells: Sequence[int]) -> list[int]:
        """The states of an instance's cells."""
        return [states[cell] for states, cell in zip(self.to_state, cells, strict=True)]

    def describe(self) -> str:
        """The rule as text, for notes."""
        if self.threshold is None:
            return f"the most probable state of {self.classes.name}"
        value = self.classes.values[self.state]
        return f"P({self.classes.name} = {value}) >= {float(self.threshold):g}"


def query_of(
    network: Network,
    *,
    target: Any = None,
    features: Iterable[Feature | str] | None = None,
    threshold: Any = None,
    state: Any = None,
) -> Query:
    """The query of a user's options, or an error that names the wrong one."""
    if target is None:
        raise InputError(
            "say which node of {file} decides, {option}; its nodes are: {known}",
            file=network.source,
            option=Option("target", text="..."),
            known=list(network.index),
        )
    number = network.number(target, "target")
    if state is not None and threshold is None:
        raise InputError(
            "{option} goes with {threshold}; give that too",
            option="state",
            threshold=Option("threshold"),
        )
    chosen = _features(network, number, features)
    made = [_feature(network.nodes[node], feature) for node, feature in chosen.items()]
    return Query(
        network,
        number,
        tuple(chosen),
        None if threshold is None else _threshold(threshold),
        0 if state is None else _state(network.nodes[number], state),
        Schema(feature for feature, _ in made),
        tuple(to_state for _, to_state in made),
    )


def _features(
    network: Network, target: int, features: Iterable[Feature | str] | None
) -> dict[int, Feature | None]:
    """The nodes that are features, each with the `Feature` of the user, if any."""
    if features is None:
        leaves = [number for number, below in enumerate(network.children) if not below]
        chosen: dict[int, Feature | None] = {leaf: None for leaf in leaves if leaf != target}
        if not chosen:
            raise InputError(
                "{file} has no leaves but the target; say {option}",
                file=network.source,
                option=Option("features", text="[...]"),
            )
        return chosen
    chosen = {}
    for each in [features] if isinstance(features, str | Feature) else features:
        name = each.name if isinstance(each, Feature) else each
        number = network.number(name, "features")
        if number == target:
            raise InputError("{option}: {value} is the target", option="features", value=name)
        if number in chosen:
            raise InputError("{option}: {value} is listed twice", option="features", value=name)
        chosen[number] = each if isinstance(each, Feature) else None
    if not chosen:
        raise InputError("{option}: give at least one node", option="features")
    return chosen


def _feature(node: Node, declared: Feature | None) -> tuple[Feature, tuple[int, ...]]:
    """A node as a feature, Boolean if its states are, and the state of each of its cells."""
    spoken = [state.lower() for state in node.states]
    made = Feature.categorical(node.name, node.values)
    to_state = tuple(range(len(spoken)))
    for true, false in zip(_TRUE, _FALSE, strict=True):
        if sorted(spoken) == sorted((true, false)):
            made = Feature.boolean(node.name)
            to_state = (spoken.index(false), spoken.index(true))
    if declared is not None and declared.values != made.values:
        raise InputError(
            f"feature {declared.name!r} has the values {comma_list(declared.values)}; the node has "
            f"{comma_list(made.values)}"
        )
    return declared or made, to_state


def _threshold(number: Any) -> Fraction:
    if not is_finite(number) or not 0 < number <= 1:
        raise InputError(
            "{option} must be a number above 0, and at most 1", option=Option("threshold", number)
        )
    return Fraction(number) if isinstance(number, Rational) else Fraction(repr(float(number)))


def _state(node: Node, state: Any) -> int:
    """The number of a state by its name or value; True and False where it has such states."""
    plain = state.item() if getattr(state, "ndim", None) == 0 else state
    if hasattr(plain, "__array__"):
        raise InputError(
            "{option} must be one state of {feature}",
            option=Option("state", state),
            feature=node.name,
        )
    state = plain
    for number, (name, value) in enumerate(zip(node.states, node.values, strict=True)):
        if state in (name, value) and not isinstance(state, bool):
            return number
        if isinstance(state, bool) and name.lower() in (_TRUE if state else _FALSE):
            return number
    raise InputError(
        "{option}: {feature} has no such state, but {known}",
        option=Option("state", state),
        feature=node.name,
        known=node.states,
    )
