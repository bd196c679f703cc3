"""LightGBM's model files, texts of `key=value` lines: parsed and checked."""

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

from reasons.ensembles.ir import Column, Test, Tree
from reasons.errors import ParseError, UnsupportedModel
from reasons.frontends.boosting import Tests, grown
from reasons.text import short_repr

_MOST_COLUMNS = 1_000_000
_MOST_CLASSES = 65_000
_CATEGORICAL, _DEFAULT_LEFT = 1, 2  # bits of a decision type; the next two are the missing type
_NONE, _ZERO = 0, 1
_LARGEST = 1.7976931348623157e308
_TINY = 1.0000000180025095e-35  # numbers this close to zero count as zero


@dataclass(frozen=True, slots=True)
class StoredModel:
    """The content of a model file; `columns` are those of the data, `average` means rf boosting."""

    objective: str
    options: dict[str, float]
    scores: int
    average: bool
    columns: tuple[Column, ...]
    framed: bool  # some categories are a data frame's
    tests: tuple[Test, ...]
    trees: tuple[Tree, ...]


class _Block:
    """Lines of `key=value`, with the line of each."""

    def __init__(self, source: str, line: int) -> None:
        self.source, self.line = source, line
        self.found: dict[str, tuple[str, int]] = {}

    def add(self, text: str, line: int) -> None:
        key, _, value = text.partition("=")
        if key in self.found:
            self.fail(f"{key!r} is given twice", line)
        self.found[key] = (value, line)

    def fail(self, message: str, line: int | None = None) -> NoReturn:
        raise ParseError(message, source=self.source, line=line or self.line)

    def __contains__(self, key: str) -> bool:
        return key in self.found

    def text(self, key: str) -> str:
        if key not in self.found:
            self.fail(f"{key!r} is missing")
        return self.found[key][0]

    def list(self, key: str, kind: Callable[[str], Any], count: int | None = None) -> list[Any]:
        parts = self.text(key).split()
        line = self.found[key][1]
        try:
            numbers = [kind(part) for part in parts]
        except ValueError:
            self.fail(f"{key!r} holds something that is not a number", line)
        if key != "threshold" and not all(abs(number) <= _LARGEST for number in numbers):
            self.fail(f"{key!r} holds a number that is out of range", line)
        if count is not None and len(numbers) != count:
            self.fail(f"{key!r} has {len(numbers)} numbers; {count} are expected", line)
        return numbers

    def whole(self, key: str) -> int:
        return int(self.list(key, int, 1)[0])


def parse_model(data: bytes, source: str) -> StoredModel:
    """The content of a model file."""
    head, blocks, categories = _blocks(data, source)
    width, scores = head.whole("max_feature_idx") + 1, head.whole("num_tree_per_iteration")
    if not (1 <= width <= _MOST_COLUMNS and 1 <= scores <= _MOST_CLASSES):
        head.fail("'max_feature_idx' or 'num_tree_per_iteration' is not a possible number")
    if len(blocks) % scores:
        head.fail(f"{len(blocks)} trees make no whole rounds of {scores}")
    parts = [_Nodes(block, width) for block in blocks]
    columns, framed, codes = _columns(head, width, parts, categories)
    tests = Tests()
    trees = tuple(part.tree(i % scores, tests, codes) for i, part in enumerate(parts))
    name, options = _objective(head)
    average = "average_output" in head
    return StoredModel(name, options, scores, average, columns, framed, tests.all(), trees)


def _blocks(data: bytes, source: str) -> tuple[_Block, list[_Block], Any]:
    try:
        lines = data.decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise ParseError(f"the file is not UTF-8 text: {error}", source=source) from None
    if lines[0].strip() != "tree":
        raise ParseError("a LightGBM model begins with the line 'tree'", source=source, line=1)
    head = block = _Block(source, 1)
    trees: list[_Block] = []
    for number, text in enumerate(lines[1:], 2):
        line = text.strip()
        if line == "end of trees":
            return head, trees, _categories(lines, number, source)
        if line.startswith("Tree="):
            block = _Block(source, number)
            trees.append(block)
            if line != f"Tree={len(trees) - 1}":
                block.fail(f"tree {len(trees) - 1} is expected here")
        elif line:
            block.add(line, number)
    raise ParseError("the file ends before the trees do", source=source, line=len(lines))


def _categories(lines: list[str], first: int, source: str) -> Any:
    """The categories of a data frame's columns, from the last lines."""
    for number, text in enumerate(lines[first:], first + 1):
        if text.startswith("pandas_categorical:"):
            try:
                categories = json.loads(text.partition(":")[2])
            except (ValueError, RecursionError):
                categories = False
            if categories is None:
                return []
            if not isinstance(categories, list) or not all(_is_domain(each) for each in categories):
                message = f"no lists of categories: {short_repr(text)}"
                raise ParseError(message, source=source, line=number)
            return categories
    return []


def _is_domain(values: Any) -> bool:
    plain = isinstance(values, list) and all(isinstance(v, str | int | float) for v in values)
    return plain and len(set(values)) == len(values) and all(v == v for v in values)


def _objective(head: _Block) -> tuple[str, dict[str, float]]:
    """Its name and its options: "binary sigmoid:1", "regression sqrt"."""
    if "objective" not in head:
        return "", {}
    name, *rest = head.text("objective").split() or [""]
    options = {}
    for part in rest:
        key, _, value = part.partition(":")
        try:
            options[key] = float(value or 1)
        except ValueError:
            head.fail(f"the objective's {key!r} is not a number")
    return name, options


class _Nodes:
    """The nodes of a tree: inner nodes first, then leaves."""

    def __init__(self, block: _Block, width: int) -> None:
        self.block = block
        if "is_linear" in block and block.whole("is_linear"):
            raise UnsupportedModel(
                f"{block.source}: leaves are linear models; train with linear_tree=False"
            )
        self.leaves = block.whole("num_leaves")
        if self.leaves < 1:
            block.fail("a tree without leaves")
        self.value = block.list("leaf_value", float, self.leaves)
        inner = self.leaves - 1
        empty: list[Any] = []
        self.column = block.list("split_feature", int, inner) if inner else empty
        self.threshold = block.list("threshold", float, inner) if inner else empty
        self.kind = block.list("decision_type", int, inner) if inner else empty
        self.left = block.list("left_child", int, inner) if inner else empty
        self.right = block.list("right_child", int, inner) if inner else empty
        if any(not 0 <= column < width for column in self.column):
            block.fail(f"a node tests a column that is not among {width}")
        if any(threshold != threshold for threshold in self.threshold):
            block.fail("a threshold is not a number")  # infinite where only NaN goes right
        if any(not 0 <= kind < 12 for kind in self.kind):
            block.fail("a decision type is out of range")
        self.sets = self._sets()

    def _sets(self) -> dict[int, frozenset[int]]:
        """The codes that go left, for nodes that test categories: bits of 32-bit words."""
        nodes = [i for i, kind in enumerate(self.kind) if kind & _CATEGORICAL]
        if not nodes:
            return {}
        ends = self.block.list("cat_boundaries", int)
        words = self.block.list("cat_threshold", int)
        if any(not 0 <= word < 2**32 for word in words):
            self.block.fail("'cat_threshold' holds no words of 32 bits")
        sets = {}
        for node in nodes:
            if self.threshold[node] not in range(len(ends) - 1):
                self.block.fail(f"node {node} has no set of categories")
            place = int(self.threshold[node])
            first, end = ends[place], ends[place + 1]
            if not 0 <= first <= end <= len(words):
                self.block.fail(f"the categories of node {node} are missing")
            bits = ((32 * i + b, words[first + i]) for i in range(end - first) for b in range(32))
            sets[node] = frozenset(code for code, word in bits if word >> (code % 32) & 1)
        return sets

    def tree(self, score: int, tests: Tests, codes: dict[int, dict[int, int]]) -> Tree:
        inner = self.leaves - 1

        def children(node: int) -> tuple[int, int] | None:
            if node >= inner:
                return None
            sides = [c if c >= 0 else inner + ~c for c in (self.left[node], self.right[node])]
            if (
                any(self.leaves + inner <= side for side in sides)
                or max(self.left[node], self.right[node]) >= inner
            ):
                self.block.fail(f"node {node} has a child that does not exist")
            return sides[0], sides[1]

        def test(node: int) -> int:
            column = self.column[node]
            if node in self.sets:
                known = frozenset(codes[column][code] for code in self.sets[node])
                return tests.number(Test(column, codes=known))
            return tests.number(_numeric(column, self.threshold[node], self.kind[node]))

        return grown(children, test, lambda n: self.value[n - inner], self.block.fail, score)


def _numeric(column: int, threshold: float, kind: int) -> Test:
    """`x <= threshold`, where numbers close to zero count as zero, and NaN may."""
    below = math.nextafter(-_TINY, -math.inf)
    if -_TINY <= threshold <= _TINY:
        threshold = _TINY if threshold >= 0 else below
    missing_type, default = kind >> 2, bool(kind & _DEFAULT_LEFT)
    if missing_type == _NONE:
        return Test(column, threshold, missing_left=threshold >= 0)
    apart = (below, _TINY) if missing_type == _ZERO else None
    return Test(column, threshold, missing_left=default, missing_between=apart)


def _columns(
    head: _Block, width: int, parts: list[_Nodes], categories: list[list[Any]]
) -> tuple[tuple[Column, ...], bool, dict[int, dict[int, int]]]:
    """The columns, and the number of each code of those with categories."""
    names = head.text("feature_names").split()
    infos = head.text("feature_infos").split() if "feature_infos" in head else ["none"] * width
    if len(names) != width or len(infos) != width:
        head.fail(f"'feature_names' and 'feature_infos' must be of {width} columns")
    seen: dict[int, set[int]] = {
        i: _codes(head, info) for i, info in enumerate(infos) if info[:1] not in "[n"
    }
    for part in parts:
        for node, column in enumerate(part.column):
            if (node in part.sets) != (column in seen):
                part.block.fail(f"node {node} tests column {column} as another type")
            seen.get(column, set()).update(part.sets.get(node, ()))
    if categories and len(categories) != len(seen):
        raise UnsupportedModel(
            f"{head.source}: {len(categories)} columns of a data frame have categories, and the "
            f"model treats {len(seen)} so; which is which is not stored. Make every category "
            "column of the frame categorical, without columns of one value"
        )
    columns = [Column(name, missing=True) for name in names]
    codes = {}
    for place, (i, tested) in enumerate(sorted(seen.items())):
        values = categories[place] if categories else sorted(tested)
        codes[i] = {code: n for n, code in enumerate(range(len(values)) if categories else values)}
        if not tested <= set(codes[i]):
            head.fail(f"column {i} is tested for a category that does not exist")
        if len(values) > _MOST_CLASSES:
            raise UnsupportedModel(f"{head.source}: column {names[i]!r} has too many categories")
        columns[i] = Column(names[i], tuple(values), missing=True, unseen=True)
    return tuple(columns), bool(categories), codes


def _codes(head: _Block, info: str) -> set[int]:
    try:
        return {code for code in map(int, info.split(":")) if code >= 0}
    except ValueError:
        head.fail(f"'feature_infos': {short_repr(info)} is neither a range nor categories")
