"""Ensembles as compact arrays for `.reasons` files, and back, checked.

Integers have the narrowest type that holds them, which the fields name. Nodes are stored by what
they cannot be without: the test of each (0: a leaf), and how far behind an inner node its children
are. Values of leaves are in the order of the nodes, as float32 where that loses nothing, and as
positions in a table where few differ. Nothing is compressed, so that a small file cannot ask for
much memory.

Files are not trusted: here the counts are made to fit, and the core checks the rest, before
anything is decided (every child lies behind its parent in the same tree, so nothing is cyclic).
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy
from numpy.typing import NDArray

from reasons.ensembles.content import RULES, Arrays, arrays_of
from reasons.ensembles.native import Ensemble, Settle
from reasons.errors import PropertyError

_WHOLE = ("u1", "u2", "u4")
_MOST = 1e300  # sums of values stay below it


def packed(content: bytes) -> tuple[dict[str, Any], Arrays]:
    """The fields and arrays that a file holds of an ensemble, from the core's `content`."""
    raw = arrays_of(content)
    nodes, leaf = len(raw["node_test"]), raw["node_test"] < 0
    roots = numpy.concatenate([raw["tree_first"], raw["guard_first"], [nodes]]).astype(numpy.int64)
    trees, trunk = len(raw["tree_first"]), int(roots[len(raw["tree_first"])])
    inner = numpy.flatnonzero(~leaf)
    whole: Arrays = {
        "test_feature": raw["test_feature"],
        "test_ranges": numpy.diff(raw["test_first"]),
        "test_left": raw["test_left"],
        "node_test": raw["node_test"] + 1,
        "left": raw["node_left"][inner] - inner,
        "right": raw["node_right"][inner] - inner,
        "sizes": numpy.diff(roots),
        "tree_score": raw["tree_score"],
        "tree_width": raw["tree_width"],
        "impossible": raw["node_left"][trunk:][leaf[trunk:]],
    }
    single, rule, _ = raw["settings"].tolist()
    arrays = {name: _narrow(array) for name, array in whole.items()}
    arrays |= _values(raw["values"])
    arrays["scores"] = numpy.concatenate([raw["numbers"], raw["start"]])
    types = {name: array.dtype.str[1:] for name, array in arrays.items()}
    fields = {"trees": trees, "single": bool(single), "rule": RULES[rule], "types": types}
    return fields, {name: numpy.ascontiguousarray(array) for name, array in arrays.items()}


def _narrow(numbers: NDArray[Any]) -> NDArray[Any]:
    most = int(numbers.max(initial=0))
    assert most < 1 << 32
    kind = next(kind for kind in _WHOLE if most < 1 << (8 * int(kind[1])))
    return numbers.astype(f"<{kind}")


def _values(values: NDArray[Any]) -> Arrays:
    """The values, or where it is smaller a table of different ones and positions in it."""
    single = values.astype("<f4")
    exact = bool((single.astype("<f8").view("u8") == values.view("u8")).all())
    plain: NDArray[Any] = single if exact else values
    bits = values.view("u8")  # so that 0.0 and -0.0 stay different
    _, first, place = numpy.unique(bits, return_index=True, return_inverse=True)
    table, positions = plain[first], _narrow(place.ravel())
    if table.nbytes + positions.nbytes < plain.nbytes:
        return {"values": table, "value_of": positions}
    return {"values": plain}


def ensemble_of(
    fields: Mapping[str, Any],
    sections: Mapping[str, Any],
    domains: Sequence[int],
    labels: int,
    settle: Settle | None,
) -> Ensemble:
    """The ensemble of stored fields and arrays, or `PropertyError` where they do not fit."""
    read = _Sections(fields["types"], sections)
    node_test = read.whole("node_test").astype(numpy.int64) - 1
    sizes, trees = read.whole("sizes").astype(numpy.int64), fields["trees"]
    first = numpy.concatenate([[0], numpy.cumsum(sizes)])
    _require(type(trees) is int and 0 < trees <= len(sizes), "the number of trees")
    _require(int(first[-1]) == len(node_test) < 1 << 31, "the number of nodes")
    _require(fields["rule"] in RULES and type(fields["single"]) is bool, "the rule")
    leaf, trunk = node_test < 0, int(first[trees])
    width = read.whole("tree_width").astype(numpy.int64)
    score = read.whole("tree_score").astype(numpy.int64)
    _require(len(width) == len(score) == trees, "the scores of trees")
    _require((width >= 1).all() and (score + width <= labels).all(), "the scores of trees")
    children = _children(read, leaf, trunk)
    widths = numpy.repeat(width, sizes[:trees])[leaf[:trunk]]
    rows = numpy.concatenate([[0], numpy.cumsum(widths)])
    values, numbers = read.values(), read.floats("scores")
    _require(len(values) == int(rows[-1]), "the values of leaves")
    _require(len(numbers) >= 4, "the scores")
    most = float(numpy.abs(values).max(initial=0)) * trees + float(numpy.abs(numbers[3:]).max())
    _require(most < _MOST and bool(numbers[0] < _MOST), "numbers that are too large")
    ranges = read.whole("test_ranges").astype(numpy.int64)
    return Ensemble(
        domains=list(domains),
        test_feature=read.whole("test_feature").astype(numpy.uint32),
        test_first=_unsigned(numpy.concatenate([[0], numpy.cumsum(ranges)])),
        test_left=read.whole("test_left").astype(numpy.uint32),
        node_test=node_test.astype(numpy.int32),
        node_left=_unsigned(children[0]),
        node_right=_unsigned(children[1]),
        tree_first=_unsigned(first[:trees]),
        tree_score=_unsigned(score),
        tree_width=_unsigned(width),
        values=values,
        row_first=rows[:-1].astype(numpy.uint64),
        start=numbers[3:].tolist(),
        divisor=float(numbers[0]),
        single=fields["single"],
        rule=fields["rule"],
        cut=float(numbers[1]),
        slack=float(numbers[2]),
        labels=labels,
        guard_first=first[trees:-1].tolist(),
        settle=settle,
    )


def _children(
    read: "_Sections", leaf: NDArray[numpy.bool_], trunk: int
) -> list[NDArray[numpy.int64]]:
    """The left and right of every node: of a leaf the row of its values, or if it is impossible."""
    inner = numpy.flatnonzero(~leaf)
    ends = numpy.zeros(len(leaf), numpy.int64)
    ends[:trunk] = numpy.cumsum(leaf[:trunk]) - 1
    guards = numpy.flatnonzero(leaf[trunk:]) + trunk
    impossible = read.whole("impossible")
    _require(len(impossible) == len(guards), "the guards")
    ends[guards] = impossible
    sides = []
    for name in ("left", "right"):
        behind = read.whole(name)
        _require(len(behind) == len(inner), "the children of nodes")
        side = ends.copy()
        side[inner] = inner + behind
        sides.append(side)
    return sides


def _unsigned(numbers: NDArray[numpy.int64]) -> NDArray[numpy.uint32]:
    _require(int(numbers.max(initial=0)) < 1 << 32, "numbers that are too large")
    return numbers.astype(numpy.uint32)


def _require(fits: Any, what: str) -> None:
    if not fits:
        raise PropertyError(f"the trees do not fit together: {what}")


class _Sections:
    """The arrays of a file by name, with the types that its fields name."""

    def __init__(self, types: Mapping[str, Any], sections: Mapping[str, Any]) -> None:
        self._types, self._sections = types, sections

    def whole(self, name: str) -> NDArray[Any]:
        _require(self._types[name] in _WHOLE, "the type of an array")
        return numpy.frombuffer(self._sections[name], f"<{self._types[name]}")

    def floats(self, name: str) -> NDArray[numpy.float64]:
        _require(self._types[name] in ("f4", "f8"), "the type of an array")
        return numpy.frombuffer(self._sections[name], f"<{self._types[name]}").astype(float)

    def values(self) -> NDArray[numpy.float64]:
        table = self.floats("values")
        return table[self.whole("value_of")] if "value_of" in self._types else table
