"""What the readers of boosted trees share: tests by number, trees in order, cuts of a score."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy
from numpy.typing import NDArray

from reasons.ensembles.ir import Test, Tree
from reasons.errors import InputError
from reasons.features.floats import bisect_floats, floats_at, ranks_of

Children = Callable[[int], tuple[int, int] | None]  # of a node; None: a leaf
Fail = Callable[[str], None]

LARGEST_SINGLE = float(numpy.finfo(numpy.float32).max)
_WINDOW = 2_000


class Tests:
    """Tests in the order in which they were first met; equal ones are one."""

    __test__ = False

    def __init__(self) -> None:
        self._number: dict[Test, int] = {}

    def number(self, test: Test) -> int:
        """The number of a test."""
        return self._number.setdefault(test, len(self._number))

    def all(self) -> tuple[Test, ...]:
        """Every test, by number."""
        return tuple(self._number)


def grown(
    children: Children,
    test: Callable[[int], int],
    value: Callable[[int], float],
    fail: Fail,
    score: int = 0,
) -> Tree:
    """The tree below node 0, with nodes that cannot be reached left out.

    `fail` is called where a node is met twice, so that trees with cycles end.
    """
    tests: list[int] = []
    lefts: list[int] = []
    rights: list[int] = []
    values: list[float] = []
    found: list[tuple[int, int, bool]] = [(0, -1, False)]
    met = set()
    while found:
        node, parent, is_left = found.pop()
        if node in met:
            fail(f"node {node} is reached twice")
        met.add(node)
        here = len(tests)
        if parent >= 0:
            (lefts if is_left else rights)[parent] = here
        below = children(node)
        tests.append(-1 if below is None else test(node))
        values.append(value(node) if below is None else 0.0)
        lefts.append(0)
        rights.append(0)
        if below is not None:
            found += [(below[1], here, False), (below[0], here, True)]
    return Tree(
        numpy.array(tests, numpy.int32),
        numpy.array(lefts, numpy.int32),
        numpy.array(rights, numpy.int32),
        numpy.array(values, numpy.float64)[:, None],
        score,
    )


def single_leaf(values: Sequence[float], score: int = 0) -> Tree:
    """A tree of one leaf."""
    none = numpy.zeros(1, numpy.int32)
    return Tree(none - 1, none, none, numpy.array([values], numpy.float64), score)


def first_float(
    says: Callable[[NDArray[Any]], NDArray[numpy.bool_]], single: bool
) -> tuple[float, bool]:
    """The smallest float from which on `says` is true, and whether it is so around there.

    Infinite where it is nowhere true among finite floats, minus infinity where it is everywhere.
    """
    real = numpy.float32 if single else numpy.float64
    largest = int(ranks_of(numpy.array([numpy.finfo(real).max]))[0])
    ends = numpy.array([-largest - 1]), numpy.array([largest + 1])  # which are infinite
    # From above, so that of floats where rounding wiggles the same one is found as ever.
    below, _ = bisect_floats(lambda table: ~says(0 - table[0])[None], *ends, precision=real)
    first = -int(below[0])
    around = numpy.arange(max(-largest, first - _WINDOW), min(largest, first + _WINDOW) + 1)
    steady = bool((says(floats_at(around, real)) == (around >= first)).all())
    if first == -largest:
        return -numpy.inf, steady
    return (
        float(floats_at(numpy.array([first]), real)[0]) if first <= largest else numpy.inf
    ), steady


def column_names(given: Iterable[str] | None, known: Sequence[str], count: int) -> list[str]:
    """The names of columns: those given, else those known, else f0, f1, ..."""
    names = list(given if given is not None else known)
    if not names and given is None:
        return [f"f{i}" for i in range(count)]
    if len(names) != count:
        raise InputError(f"the model has {count} columns, and {len(names)} names are given")
    return names


def class_labels(given: Iterable[Any] | None, known: Sequence[Any]) -> tuple[Any, ...]:
    """The labels of classes: those given, which must be as many, else those known."""
    labels = tuple(known if given is None else given)
    if len(labels) != len(known):
        raise InputError(f"the model has {len(known)} classes, and {len(labels)} are given")
    if len(set(labels)) != len(labels):
        raise InputError("a class is given twice")
    return labels
