"""Decision graphs by hand."""

from collections.abc import Iterable, Mapping
from typing import Any

from reasons import _core
from reasons.budget import Budget
from reasons.circuit import Circuit, native_budget
from reasons.classifier import Classifier
from reasons.errors import InputError, listed
from reasons.features import Feature, Schema
from reasons.statements import Wording

Arms = Mapping[Any, int] | Iterable[tuple[Any, int]]


class Builder:
    """Makes the nodes of a classifier from the leaves up; equal nodes are one node.

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

    def leaf(self, label: Any) -> int:
        """The node that gives a label."""
        if label not in self.labels:
            raise InputError(f"there is no label {label!r}; the labels are: {listed(self.labels)}")
        return self._native.leaf(self.labels.index(label))

    def impossible(self) -> int:
        """The node that no instance reaches: a combination of values that cannot be."""
        return self._native.impossible()

    def decide(self, feature: str, arms: Arms) -> int:
        """A test: `arms` leads each value, or set of values, to a node.

        Values that an earlier test on every way here has ruled out are left out.
        """
        tested = self.schema[index := self.schema.index(feature)]
        children: list[int | None] = [None] * len(tested.values)
        for value, node in arms.items() if isinstance(arms, Mapping) else arms:
            many = isinstance(value, tuple | list | range) and value not in tested.values
            for cell in tested.cells_of(frozenset(value) if many else value):
                if children[cell] is not None:
                    raise InputError(f"feature {feature!r}: two arms take {tested.says((cell,))}")
                children[cell] = node
        return self._native.decide(index, children)

    def all_of(self, nodes: Iterable[int]) -> int:
        """True where all nodes are. They must share no feature."""
        return self._native.all_of(list(nodes))

    def build(self, root: int) -> Classifier:
        """The classifier of a node; raises `PropertyError` if an invariant does not hold."""
        circuit = Circuit(self._native.build(root), self.schema, self.labels)
        if not circuit.is_ordered:
            circuit.check(self._budget)
        return Classifier(circuit, wording=self._wording)


def _label_tuple(labels: Iterable[Any]) -> tuple[Any, ...]:
    """The labels, each once; those of a Boolean function are False and True."""
    given = tuple(labels)
    if len(set(given)) != len(given) or not given:
        raise InputError(f"labels must be different and at least one: {listed(given)}")
    return (False, True) if set(given) == {False, True} else given
