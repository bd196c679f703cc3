"""XGBoost's model files of all versions, JSON or UBJSON: parsed and checked."""

import json
import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy
from numpy.typing import NDArray

from reasons.ensembles.ir import Column, Test, Tree
from reasons.errors import UnsupportedModel
from reasons.frontends.boosting import LARGEST_SINGLE, Tests, grown
from reasons.frontends.json_reader import JsonNode, parsed
from reasons.frontends.xgboost.ubjson import decoded
from reasons.text import short_repr

_JSON = re.compile(rb"\s*(\{\s*[\"}]|\[)")
_MOST_CODE = 65_000
_MOST_COLUMNS = 1_000_000


@dataclass(frozen=True, slots=True)
class StoredModel:
    """The content of a model file; `weights` are those of dart, `rounds` where rounds begin."""

    objective: str
    base: tuple[float, ...]
    classes: int
    names: list[str]
    types: list[str]
    columns: tuple[Column, ...]
    tests: tuple[Test, ...]
    trees: list[Tree]
    weights: NDArray[numpy.float32] | None
    rounds: list[int]
    attributes: dict[str, str]
    version: str


def parse_model(data: bytes, source: str, missing: float | None = None) -> StoredModel:
    """The content of a model file; `missing` is a number that counts as missing."""
    is_json = _JSON.match(data) is not None
    root = parsed(data, source) if is_json else JsonNode(decoded(data, source), source)
    learner = root.child("learner")
    booster = learner.child("gradient_booster")
    kind = booster.text("name")
    if kind not in ("gbtree", "dart"):
        raise UnsupportedModel(
            f"{source}: booster {kind!r} has no trees; train with booster='gbtree' or 'dart'"
        )
    model = (booster.child("gbtree") if kind == "dart" else booster).child("model")
    param = learner.child("learner_model_param")
    classes = param.whole("num_class", 0)
    width = param.whole("num_feature")
    if not (1 <= width <= _MOST_COLUMNS and 0 <= classes <= _MOST_CODE):
        param.fail("'num_feature' or 'num_class' is not a possible number")
    if param.whole("num_target", 1) > 1:
        raise UnsupportedModel(f"{source}: the model has several targets; compile one for each")
    trees, tests = _trees(model, width, max(classes, 1), missing)
    columns = _columns(learner, model, width, tests)
    weights = booster.singles("weight_drop", len(trees)) if kind == "dart" else None
    return StoredModel(
        learner.child("objective").text("name"),
        _base(param, max(classes, 1)),
        classes,
        _names(learner, "feature_names"),
        _names(learner, "feature_types"),
        columns,
        tests,
        trees,
        weights,
        _rounds(model, len(trees), max(classes, 1)),
        _attributes(learner),
        ".".join(str(number) for number in root.wholes("version")) if "version" in root else "1",
    )


def _base(param: JsonNode, classes: int) -> tuple[float, ...]:
    """One number for each score: "5E-1" of versions before 3, "[5E-1]" since."""
    text = param.text("base_score")
    try:
        parsed_base = json.loads(text)
        numbers = [
            float(number)
            for number in (parsed_base if isinstance(parsed_base, list) else [parsed_base])
        ]
    except (ValueError, TypeError, OverflowError, RecursionError):
        param.fail(f"'base_score' is not a number: {short_repr(text)}")
    if len(numbers) == 1:
        numbers *= classes
    if len(numbers) != classes or not all(abs(n) <= LARGEST_SINGLE for n in numbers):
        param.fail(f"'base_score' does not fit {classes} scores: {short_repr(text)}")
    return tuple(float(numpy.float32(number)) for number in numbers)


def _names(learner: JsonNode, name: str) -> list[str]:
    return learner.texts(name) if name in learner else []


def _attributes(learner: JsonNode) -> dict[str, str]:
    if "attributes" not in learner:
        return {}
    attributes = learner.child("attributes")
    return {name: attributes.text(name) for name in attributes.names()}


def _rounds(model: JsonNode, trees: int, classes: int) -> list[int]:
    if "iteration_indptr" in model:
        rounds = [int(end) for end in model.wholes("iteration_indptr")]
    else:
        a_round = classes * max(1, model.child("gbtree_model_param").whole("num_parallel_tree", 1))
        rounds = list(range(0, trees + 1, a_round))
    if rounds[:1] != [0] or rounds != sorted(rounds) or rounds[-1] != trees:
        model.fail("'iteration_indptr' does not divide the trees into rounds")
    return rounds


def _trees(
    model: JsonNode, width: int, classes: int, missing: float | None
) -> tuple[list[Tree], tuple[Test, ...]]:
    parts = model.children("trees")
    scores = model.wholes("tree_info", len(parts))
    if ((scores < 0) | (scores >= classes)).any():
        model.fail("'tree_info' names a class that does not exist")
    tests = Tests()
    trees = [
        _tree(part, width, int(score), tests, missing)
        for part, score in zip(parts, scores, strict=True)
    ]
    return trees, tests.all()


def _tree(part: JsonNode, width: int, score: int, tests: Tests, missing: float | None) -> Tree:
    if part.child("tree_param").whole("size_leaf_vector", 1) > 1:
        raise UnsupportedModel(
            f"{part.source}: {part.place} has several values a leaf; train with "
            "multi_strategy='one_output_per_tree'"
        )
    left = part.wholes("left_children").tolist()
    count = len(left)
    right = part.wholes("right_children", count).tolist()
    column = part.wholes("split_indices", count).tolist()
    condition = part.singles("split_conditions", count).tolist()
    default = part.wholes("default_left", count).tolist()
    sets, apart = _sets(part, count), _apart(missing)
    if count == 0:
        part.fail("a tree without nodes")

    def children(node: int) -> tuple[int, int] | None:
        if left[node] == -1 and right[node] == -1:
            return None
        if not (0 <= left[node] < count and 0 <= right[node] < count):
            part.fail(f"node {node} has a child that does not exist")
        if not 0 <= column[node] < width:
            part.fail(f"node {node} tests column {column[node]} of {width}")
        return (left[node], right[node]) if node not in sets else (right[node], left[node])

    def test(node: int) -> int:
        where, goes_left = column[node], bool(default[node])
        if node in sets:
            return tests.number(Test(where, codes=sets[node], missing_left=not goes_left))
        return tests.number(
            Test(where, condition[node], missing_left=goes_left, missing_between=apart)
        )

    return grown(children, test, lambda node: condition[node], part.fail, score)


def _apart(missing: float | None) -> tuple[float, float] | None:
    """The float32 that counts as missing, as an interval closed on the left."""
    if missing is None:
        return None
    one = numpy.float32(missing)
    return float(one), float(numpy.nextafter(one, numpy.float32(numpy.inf)))


def _sets(part: JsonNode, count: int) -> dict[int, frozenset[int]]:
    """The codes that go right, for nodes that test categories; all others go left.

    The children of these nodes are swapped, so that a test names the codes that go left.
    """
    if "split_type" not in part:
        return {}
    kinds = part.wholes("split_type", count) if len(part.items("split_type")) else numpy.zeros(0)
    if not kinds.any():
        return {}
    nodes = part.wholes("categories_nodes").tolist()
    first = part.wholes("categories_segments", len(nodes)).tolist()
    sizes = part.wholes("categories_sizes", len(nodes)).tolist()
    codes = part.wholes("categories").tolist()
    sets = {}
    for node, start, size in zip(nodes, first, sizes, strict=True):
        if not (start >= 0 and size >= 0 and start + size <= len(codes)):
            part.fail(f"the categories of node {node} are missing")
        sets[node] = frozenset(codes[start : start + size])
        if any(not 0 <= code < _MOST_CODE for code in sets[node]):
            part.fail(f"node {node} tests a category that is out of range")
    if set(numpy.flatnonzero(kinds).tolist()) != set(sets):
        part.fail("'categories_nodes' and 'split_type' do not agree")
    return sets


def _columns(
    learner: JsonNode, model: JsonNode, width: int, tests: tuple[Test, ...]
) -> tuple[Column, ...]:
    names = _names(learner, "feature_names") or [f"f{i}" for i in range(width)]
    types = _names(learner, "feature_types") or ["float"] * width
    if len(names) != width or len(types) != width:
        learner.fail(f"'feature_names' and 'feature_types' must be of {width} columns")
    most: dict[int, int] = {}
    for test in tests:
        if (test.codes is not None) != (types[test.column] == "c"):
            learner.fail(
                f"column {test.column} is of type {types[test.column]!r} but tested as another"
            )
        most[test.column] = max(most.get(test.column, 0), *(test.codes or {0}))
    known = _categories(model, width)
    columns = []
    for i, (name, kind) in enumerate(zip(names, types, strict=True)):
        values = known.get(i) if kind == "c" else None
        if values is not None and most.get(i, 0) >= len(values):
            learner.fail(f"column {i} is tested for a category that does not exist")
        unseen = kind == "c" and values is None
        codes = tuple(range(most.get(i, 0) + 1)) if unseen else values
        columns.append(Column(name, codes, missing=True, unseen=unseen))
    return tuple(columns)


def _categories(model: JsonNode, width: int) -> dict[int, tuple[Any, ...]]:
    """The user's categories, which files have since 3.1 where the model was given a data frame."""
    if "cats" not in model or not model.child("cats").items("enc"):
        return {}
    encoded = model.child("cats").children("enc")
    if len(encoded) != width:
        model.fail(f"'cats' has {len(encoded)} columns; {width} are expected")
    known = {i: _values(part) for i, part in enumerate(encoded)}
    return {i: values for i, values in known.items() if values}


def _values(part: JsonNode) -> tuple[Any, ...]:
    values = part.wholes("values")
    if "offsets" in part:
        data = (values % 256).astype(numpy.uint8).tobytes()
        ends = part.wholes("offsets").tolist()
        if ends and (ends[0] != 0 or ends != sorted(ends) or ends[-1] != len(data)):
            part.fail("'offsets' do not divide the texts")
        if not data.isascii():  # 3.2 counts characters where it means bytes, and cuts them wrongly
            raise UnsupportedModel(
                f"{part.source}: {part.place} has categories that are not ASCII, which XGBoost "
                "does not store as they are; rename them and train again"
            )
        categories: tuple[Any, ...] = tuple(data[a:b].decode("ascii") for a, b in pairwise(ends))
    else:
        categories = tuple(values.tolist())
    if len(set(categories)) != len(categories) or len(categories) > _MOST_CODE:
        part.fail("a category is listed twice, or there are too many")
    return categories
