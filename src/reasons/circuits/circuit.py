"""The circuit backend: an immutable table of nodes over features and labels."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

from reasons import _core
from reasons.backends.capabilities import Capability
from reasons.backends.native_budget import native_budget as native_budget
from reasons.backends.protocol import Cells, Pair, Stored
from reasons.backends.registry import register
from reasons.budget import Budget
from reasons.circuits.one_pass import OnePassBackend
from reasons.errors import BudgetExceeded, PropertyError
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
    """A decision on one feature; its arms partition the cells that can reach it."""

    feature: int
    arms: tuple[Arm, ...]


@dataclass(frozen=True, slots=True)
class AllOf:
    """True where all inputs are; they share no feature."""

    inputs: tuple[int, ...]


Node = Leaf | Test | AllOf


_UNORDERED = "exact; on unordered circuits error below 2^-100, or `exact=True` by SAT"
_BUDGETED = "within a budget"
_ARRAYS: dict[str, Literal["H", "I"]] = {
    name: "H" if name == "arm_of" else "I"
    for name in (
        *("domains", "heads", "first", "edges"),
        *("split_of", "split_arms", "split_from", "arm_of"),
    )
}


@register
class Circuit(OnePassBackend):
    """Nodes in topological order, inputs before users, the root last."""

    title = "compiled circuit"
    method = "compiled"
    claims: ClassVar[Mapping[Capability, str]] = {
        **dict.fromkeys(Capability, ""),
        Capability.REASON_SETS: _BUDGETED,
        Capability.GENERAL_REASON_SETS: _BUDGETED,
        Capability.PRIME_IMPLICANTS: _BUDGETED,
        Capability.CLASSIFIER_BIAS: _UNORDERED,
        Capability.EQUIVALENCE: _UNORDERED,
        Capability.BIAS_COUNT: _BUDGETED,
    }
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
        rows = [
            ("circuit", self._size()),
            ("features", comma_list(self.schema.names)),
            ("labels", comma_list(self.labels)),
            ("ordered", f"yes: {comma_list(self.order)}" if self.is_ordered else "no"),
        ]
        return html.boxed(html.table(rows))

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
        """Itself: this backend answers everything."""
        return self

    @property
    def compiled_circuit(self) -> Self:
        """Itself."""
        return self

    def stored(self) -> Stored:
        """Its arrays as they lie in memory."""
        arrays = self.native.to_arrays()
        return Stored("circuit", {}, {name: arrays[name] for name in _ARRAYS})

    @classmethod
    def restored(
        cls, stored: Stored, schema: Schema, labels: tuple[Any, ...], budget: Budget | None
    ) -> "Circuit":
        """The circuit of these arrays, used in place."""
        arrays: dict[str, Any] = {
            name: stored.arrays[name].cast(code) for name, code in _ARRAYS.items()
        }
        native = _core.Circuit.from_arrays(**arrays, labels=len(labels))
        if list(native.domains) != [len(feature.values) for feature in schema]:
            raise PropertyError("the features do not fit the circuit")
        circuit = cls(native, schema, labels)
        if not native.is_ordered:
            circuit.check(budget)
        return circuit

    def describe_size(self) -> str:
        """The number of nodes."""
        return plural(len(self), "node")

    @property
    def has_impossible(self) -> bool:
        """Whether some instances are declared impossible."""
        return self.native.has_impossible

    def feature_order(self, label: int = 0) -> list[int]:
        """The features as paths from the root test them."""
        return list(self.native.order or self.native.feature_order_from_root())

    def differing_pair(self, loose: Sequence[int], budget: Budget | None = None) -> Pair | None:
        """Two instances with different labels that differ on loose features only.

        Requires an ordered circuit. Cost: O(depth) a feature.
        """
        return _core.differing_pair(self.native, list(loose), native_budget(budget))

    def allowed_instance(self, cells: Cells) -> list[int] | None:
        """The allowed instance that differs from the cells on the fewest features."""
        no_label = len(self.labels)  # every allowed instance has another label than this one
        nearest = self.cheapest_change(cells, no_label, {}, [1.0] * len(cells), None)
        return nearest and nearest[0]

    def sifted(self, budget: Budget | None = None) -> "Circuit":
        """The same function with at most as many nodes, by sifting; itself where time runs out.

        Requires an ordered circuit. Deterministic unless the budget ends it. Cost: less than
        a second for 100,000 nodes; the work is limited by the size of the circuit.
        """
        try:
            native = _core.sift(self.native, native_budget(budget))
        except BudgetExceeded:
            return self
        return Circuit(native, self.schema, self.labels)

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
        violation = self.native.violation(native_budget(budget))
        if violation is not None:
            node, what = violation
            raise PropertyError(f"node {node} {self.named(what)}")

    def require_boolean(self, file: str) -> None:
        """Raise `PropertyError` unless features and labels are Boolean and nothing is impossible.

        `file` names the format in messages, such as "an .nnf file".
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
        """A message of the core with the feature's name instead of its number."""
        head, sign, tail = what.partition("feature number ")
        if not sign:
            return what
        number, _, rest = tail.partition(" ")
        return f"{head}feature {self.schema[int(number)].name!r} {rest}"
