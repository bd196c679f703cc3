"""XGBoost's text dumps (`Booster.dump_model`), which hold the trees and nothing else."""

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NoReturn

import numpy

from reasons.ensembles.ir import Column, Test, Tree, TreeModel
from reasons.errors import InputError, Option, ParseError
from reasons.frontends.boosting import LARGEST_SINGLE, Tests, grown
from reasons.frontends.libraries import bytes_of
from reasons.frontends.options import Options
from reasons.frontends.xgboost.model_json import StoredModel
from reasons.frontends.xgboost.read import Use, model_of
from reasons.text import short_repr

_TREE = re.compile(r"booster\[(\d{1,9})\]:?")
_NUMBER = r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)"
_LEAF = re.compile(rf"(\d{{1,9}}):leaf={_NUMBER}(?:,.*)?")
_SPLIT = re.compile(
    rf"(\d{{1,9}}):\[(.+)<{_NUMBER}\] yes=(\d{{1,9}}),no=(\d{{1,9}}),missing=(\d{{1,9}})(?:,.*)?"
)
_PLAIN = re.compile(r"f(0|[1-9]\d{0,5})")
_MOST_LINE = 10_000

_Split = tuple[str, float, int, int, int]  # name, threshold, yes, no, missing


def read_text(
    source: str | os.PathLike[str] | bytes, options: Options, base_score: float | Sequence[float]
) -> TreeModel:
    """The trees of a text dump, of a model with the classes of the options and this `base_score`.

    The objective is taken to be `binary:logistic` for two classes, otherwise `multi:softprob`
    with one tree for each class in turn. `base_score` is what XGBoost was given: a probability
    for two classes, otherwise a score (versions before 3 take 0.5 by default). Columns are
    called f0, f1, ... in dumps without a feature map, or as the option `names` lists them.
    Dumps with indicators or categories are refused.
    """
    data, name = bytes_of(source)
    classes = options.classes or ()
    if len(classes) < 2:
        raise InputError(
            "{option} must give two labels or more, in the model's order", option="classes"
        )
    scores = 1 if len(classes) == 2 else len(classes)
    dumps = _dumps(data, name)
    if len(dumps) % scores:
        raise ParseError(
            f"{len(dumps)} trees make no whole rounds of {scores} classes", source=name
        )
    columns, places = _columns(dumps, options.names)
    tests = Tests()
    trees = [dump.tree(i % scores, tests, places) for i, dump in enumerate(dumps)]
    stored = StoredModel(
        "binary:logistic" if scores == 1 else "multi:softprob",
        _base(base_score, scores),
        0 if scores == 1 else scores,
        [],
        [],
        tuple(Column(column, missing=True) for column in columns),
        tests.all(),
        trees,
        None,
        list(range(0, len(trees) + 1, scores)),
        {},
        "text",
    )
    use = Use(name, replace(options, names=None), wrapped=False, classifies=True)
    return model_of(stored, use, None, "xgboost text dump")


def _base(base_score: float | Sequence[float], scores: int) -> tuple[float, ...]:
    scores_before = (
        [base_score] * scores if isinstance(base_score, int | float) else list(base_score)
    )
    if len(scores_before) != scores or not all(
        abs(each) <= LARGEST_SINGLE for each in scores_before
    ):
        raise InputError(
            "{option} must be one number or {count} finite ones",
            option=Option("base_score", base_score),
            count=scores,
        )
    return tuple(float(numpy.float32(each)) for each in scores_before)


class _Dump:
    """The nodes of one tree, by their numbers."""

    def __init__(self, source: str, line: int) -> None:
        self.source, self.line = source, line
        self.splits: dict[int, _Split] = {}
        self.leaves: dict[int, float] = {}

    def fail(self, message: str, line: int | None = None) -> NoReturn:
        raise ParseError(message, source=self.source, line=line or self.line)

    def add(self, text: str, line: int) -> None:
        split = _SPLIT.fullmatch(text)
        leaf = None if split else _LEAF.fullmatch(text)
        match = split or leaf
        if match is None:
            self.fail(f"this is neither a leaf nor a test of a number: {short_repr(text)}", line)
        node = int(match[1])
        if node in self.splits or node in self.leaves:
            self.fail(f"node {node} is listed twice", line)
        number = float(match[3 if split else 2])
        if abs(number) > LARGEST_SINGLE:
            self.fail("a number is too large", line)
        value = float(numpy.float32(number))
        if split is None:
            self.leaves[node] = value
            return
        yes, no, missing = (int(split[group]) for group in (4, 5, 6))
        if missing not in (yes, no):
            self.fail(f"missing={missing} is neither yes={yes} nor no={no}", line)
        self.splits[node] = (split[2], value, yes, no, missing)

    def tree(self, score: int, tests: Tests, places: dict[str, int]) -> Tree:
        def children(node: int) -> tuple[int, int] | None:
            if node in self.leaves:
                return None
            if node not in self.splits:
                self.fail(f"node {node} of this tree is missing")
            return self.splits[node][2:4]

        def test(node: int) -> int:
            name, threshold, yes, _, missing = self.splits[node]
            return tests.number(Test(places[name], threshold, missing_left=missing == yes))

        return grown(children, test, lambda node: self.leaves[node], self.fail, score)


def _dumps(data: bytes, source: str) -> list[_Dump]:
    try:
        lines = data.decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise ParseError(f"the file is not UTF-8 text: {error}", source=source) from None
    dumps: list[_Dump] = []
    for number, text in enumerate(lines, 1):
        line = text.strip()
        head = _TREE.fullmatch(line[:_MOST_LINE])
        if head is not None:
            dumps.append(_Dump(source, number))
            if int(head[1]) != len(dumps) - 1:
                dumps[-1].fail(f"tree {len(dumps) - 1} is expected here")
        elif line:
            if not dumps or len(line) > _MOST_LINE:
                raise ParseError("'booster[0]:' is expected", source=source, line=number)
            dumps[-1].add(line, number)
    if not dumps:
        raise ParseError("there are no trees", source=source)
    return dumps


def _columns(dumps: list[_Dump], names: Iterable[str] | None) -> tuple[list[str], dict[str, int]]:
    """The names of the columns, and the position of each name in the dump."""
    used = list(dict.fromkeys(split[0] for dump in dumps for split in dump.splits.values()))
    known = None if names is None else list(names)
    if known is not None and set(used) <= set(known):
        return known, {name: i for i, name in enumerate(known)}
    numbered = {name: int(name[1:]) for name in used if _PLAIN.fullmatch(name)}
    if len(numbered) < len(used):
        if known is None:
            return used, {name: i for i, name in enumerate(used)}
        raise InputError(
            f"the dump tests {next(n for n in used if n not in known)!r}, which is not among the "
            "names given"
        )
    width = max(numbered.values(), default=0) + 1
    if known is None:
        return [f"f{i}" for i in range(width)], numbered
    if len(known) < width:
        raise InputError(f"the dump tests column {width - 1}, and {len(known)} names are given")
    return known, numbered
