"""Builder of decision graphs, node by node."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from reasons import _core
from reasons.budget import Budget
from reasons.circuits.circuit import Circuit, native_budget
from reasons.classifier import Classifier
from reasons.errors import InputError, PropertyError
from reasons.explain.wording import Wording
from reasons.features.feature import Feature
from reasons.features.schema import Schema
from reasons.text import comma_list, did_you_mean

Arms = Mapping[Any, int] | Iterable[tuple[Any, int]]


class Builder:
    """Makes the nodes of a classifier from the leaves up; equal nodes are shared.

    >>> build = Builder(["E", "G"], [False, True])
    >>> no, yes = build.leaf(False), build.leaf(True)
    >>> good = build.decide("G", {True: yes, False: no})
    >>> clf = build.build(build.decide("E", {True: good, False: no}))
    >>> clf.decide({"E": 1, "G": 1}).label
    True
    """

    def __init__(
        self,
        features: Iterable[Feature | str],
        labels: Iterable[Any] = (False, True),
        *,
        wording: Wording | None = None,
        budget: Budget | None = None,
    ) -> None:
        self.schema = Schema(features)
        self.labels = _label_tuple(labels)
        self._wording, self._budget = wording, budget
        domains = [len(feature.values) for feature in self.schema]
        self._native = _core.Builder(domains, len(self.labels), native_budget(budget))
        self._made: list[_Made] = []
        self._known: dict[_Made, int] = {}

    def leaf(self, label: Any) -> int:
        """The leaf of a label."""
        if label not in self.labels:
            hint = did_you_mean([label], self.labels)
            raise InputError(
                f"there is no label {label!r}{hint}; the labels are: {comma_list(self.labels)}"
            )
        return self._number(_Made(self._native.leaf(self.labels.index(label))))

    def impossible(self) -> int:
        """The node that no instance reaches: a combination of values that cannot be."""
        return self._number(_Made(self._native.impossible()))

    def decide(self, feature: str, arms: Arms) -> int:
        """A test: `arms` maps each value, or set of values, to a node.

        Values that tests on every path to this one have excluded may be left out.
        """
        tested = self.schema[index := self.schema.index(feature)]
        children: list[int | None] = [None] * len(tested.values)
        for value, node in arms.items() if isinstance(arms, Mapping) else arms:
            many = isinstance(value, tuple | list | range) and value not in tested.values
            for cell in tested.cells_of(frozenset(value) if many else value):
                if children[cell] is not None:
                    raise InputError(f"feature {feature!r}: two arms take {tested.says((cell,))}")
                children[cell] = node
        natives = [None if child is None else self._of(child).native for child in children]
        return self._number(_Made(self._native.decide(index, natives), index, tuple(children)))

    def all_of(self, nodes: Iterable[int]) -> int:
        """True where all nodes are; they share no feature. For the labels False and True only."""
        if self.labels != (False, True):
            raise InputError("a conjunction needs the labels False and True")
        inputs = tuple(nodes)
        native = self._native.all_of([self._of(node).native for node in inputs])
        return self._number(_Made(native, None, inputs))

    def _of(self, node: int) -> "_Made":
        if not isinstance(node, int) or not 0 <= node < len(self._made):
            raise InputError(f"there is no node {node!r}; nodes are what this builder returned")
        return self._made[node]

    def _number(self, made: "_Made") -> int:
        if made not in self._known:
            self._known[made] = len(self._made)
            self._made.append(made)
        return self._known[made]

    def build(self, root: int) -> Classifier:
        """The classifier of a node; raises `PropertyError` if an invariant does not hold."""
        native = self._native.build(self._of(root).native)
        self._require_arms(root)
        circuit = Circuit(native, self.schema, self.labels)
        if not circuit.is_ordered:
            circuit.check(self._budget)
        return Classifier(circuit, wording=self._wording)

    def _require_arms(self, root: int) -> None:
        """Refuse a test that leaves out a value which can reach it.

        The circuit's own check finds that too, except where all arms agree and the test is removed.
        """
        partial = {m.feature for m in self._made if m.feature is not None and None in m.children}
        for feature in partial:
            possible = {root: frozenset(range(len(self.schema[feature].values)))}
            for node in range(root, -1, -1):
                if node in possible:
                    self._pass_on(node, feature, possible)

    def _pass_on(self, node: int, feature: int, possible: dict[int, frozenset[int]]) -> None:
        """Propagate the values of a feature that can reach a node to its children."""
        made, here = self._made[node], possible[node]
        for cell, child in enumerate(made.children):
            mine = made.feature == feature
            if mine and cell in here and child is None:
                says = self.schema[feature].says((cell,))
                raise PropertyError(f"a test leaves out {says}, which can reach it")
            if child is not None:
                passed = here & {cell} if mine else here
                possible[child] = possible.get(child, frozenset()) | passed


class _Made(NamedTuple):
    """A node as the user requested it, before the core reduced it."""

    native: int
    feature: int | None = None
    children: tuple[int | None, ...] = ()


def _label_tuple(labels: Iterable[Any]) -> tuple[Any, ...]:
    """The labels, each once; those of a Boolean function are False and True."""
    listed = tuple(labels)
    try:
        distinct = set(listed)
    except TypeError as error:
        raise InputError(f"a label cannot be hashed ({error})") from None
    if len(distinct) != len(listed) or not listed:
        raise InputError(f"labels must be different and at least one: {comma_list(listed)}")
    return (False, True) if distinct == {False, True} else listed
