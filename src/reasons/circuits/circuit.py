"""The circuit of a classifier: an immutable table of nodes over features and labels."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

from reasons import _core
from reasons.backends.protocol import Asked
from reasons.budget import Budget
from reasons.errors import InputError, PropertyError
from reasons.features.schema import Schema
from reasons.features.values import IMPOSSIBLE
from reasons.render import html
from reasons.text import comma_list, plural


@dataclass(frozen=True, slots=True)
class Leaf:
    """Ends a path with a label, or with `IMPOSSIBLE`."""

    label: Any


@dataclass(frozen=True, slots=True)
class Arm:
    """The cells of a feature that lead from a test to one node."""

    cells: tuple[int, ...]
    node: int


@dataclass(frozen=True, slots=True)
class Test:
    """A decision on one feature; its arms part the cells that can still reach it."""

    feature: int
    arms: tuple[Arm, ...]


@dataclass(frozen=True, slots=True)
class AllOf:
    """True where all inputs are; they share no feature."""

    inputs: tuple[int, ...]


Node = Leaf | Test | AllOf


class Circuit(Asked):
    """Nodes in topological order, inputs before users, the root last."""

    method = "compiled"
    native: _core.Circuit

    def __init__(self, native: _core.Circuit, schema: Schema, labels: tuple[Any, ...]) -> None:
        if native.has_conjunctions and labels != (False, True):
            raise PropertyError("conjunctions stand above the labels False and True only")
        self.native, self.schema, self.labels = native, schema, labels

    def __len__(self) -> int:
        return len(self.native)

    def __repr__(self) -> str:
        return f"<Circuit of {self._size()}, {plural(len(self.schema), 'feature')}>"

    def _size(self) -> str:
        return f"{plural(len(self), 'node')}, {plural(self.edges, 'edge')}"

    def _repr_html_(self) -> str:
        said = [
            ("circuit", self._size()),
            ("features", comma_list(self.schema.names)),
            ("labels", comma_list(self.labels)),
            ("ordered", f"yes: {comma_list(self.order)}" if self.is_ordered else "no"),
        ]
        return html.boxed(html.table(said))

    @property
    def root(self) -> int:
        """The node that stands for the whole classifier."""
        return len(self.native) - 1

    @property
    def edges(self) -> int:
        """The number of edges."""
        return self.native.edges

    @property
    def is_ordered(self) -> bool:
        """Whether every path tests features in one order, without conjunctions."""
        return self.native.is_ordered

    @property
    def circuit(self) -> Self:
        """Itself: of the forms of a classifier, the one that answers everything."""
        return self

    def explaining(self, label: int) -> Self:
        """What explains decisions with a label: itself."""
        return self

    @property
    def has_impossible(self) -> bool:
        """Whether some instances are declared impossible."""
        return self.native.has_impossible

    @property
    def met(self) -> list[int]:
        """The features as they are met from the root on."""
        return list(self.native.order or self.native.first_met())

    @property
    def order(self) -> tuple[str, ...]:
        """The names of the tested features from top to bottom, if it is ordered."""
        return tuple(self.schema[f].name for f in self.native.order)

    def __getitem__(self, node: int) -> Node:
        kind, payload, inputs = self.native.node(node)
        if kind == 1:
            return Leaf(IMPOSSIBLE if payload == _core.IMPOSSIBLE else self.labels[payload])
        if kind == 2:
            return AllOf(tuple(inputs))
        feature, arm_of = self.native.split(payload)
        cells: list[list[int]] = [[] for _ in inputs]
        for cell, arm in enumerate(arm_of):
            if arm != _core.NO_ARM:
                cells[arm].append(cell)
        return Test(feature, tuple(Arm(tuple(c), n) for c, n in zip(cells, inputs, strict=True)))

    def __iter__(self) -> Iterator[Node]:
        return (self[node] for node in range(len(self)))

    def check(self, budget: Budget | None = None) -> None:
        """Raise `PropertyError` if an invariant does not hold, naming the node.

        Shares no code with the builder. Cost: O(edges * features / 64), slow on purpose.
        """
        found = self.native.violation(native_budget(budget))
        if found is not None:
            node, what = found
            raise PropertyError(f"node {node} {self.named(what)}")

    def require_boolean(self, file: str) -> None:
        """Raise `PropertyError` unless features and labels are Boolean and nothing is impossible.

        `file` is what holds no others, such as "an .nnf file".
        """
        if self.labels != (False, True) or self.native.has_impossible:
            raise PropertyError(
                f"{file} holds the labels False and True only; save this circuit as .reasons"
            )
        for feature in self.schema:
            if feature.kind != "boolean":
                raise PropertyError(
                    f"feature {feature.name!r} is not Boolean, as those of {file} are; "
                    "save this circuit as .reasons"
                )

    def named(self, what: str) -> str:
        """A message of the core with the feature's name in place of its number."""
        head, sign, tail = what.partition("feature number ")
        if not sign:
            return what
        number, _, rest = tail.partition(" ")
        return f"{head}feature {self.schema[int(number)].name!r} {rest}"


def native_budget(budget: Budget | None) -> _core.Budget:
    """A budget as the core takes it; what is left of its time starts to run now."""
    if not isinstance(budget, Budget | None):
        raise InputError(f"a budget is a reasons.Budget, not {type(budget).__name__}")
    budget = budget or Budget()
    budget.check("the work before this step")
    return _core.Budget(budget.nodes, budget.bytes, budget.seconds_left, budget.progress)
