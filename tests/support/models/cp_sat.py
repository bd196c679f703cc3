"""Is there another label in a box? Asked of CP-SAT, over the thresholds that a library dumps.

Shares nothing with the package: trees come from the library's own tables, a number is its
position among the thresholds, leaves are integers. Integers round, so that a question has two
answers: `for_sure` asks for another label that wins clearly, otherwise one that may as well lose
by the rounding is found too, and the library's `predict` must judge it.
"""

import json
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy
from ortools.sat.python import cp_model

SCALE = 1 << 30
MARGIN = SCALE // 100_000
MISSING, OTHER = "<missing>", "<other>"
Row = dict[str, Any]


@dataclass(frozen=True)
class Column:
    """A column of the trees: a user's number, or whether a user's word is a certain one."""

    name: str
    word: str | None = None
    filled: float | None = None
    """What a missing number is taken for; None: the trees say where it goes."""


@dataclass(frozen=True)
class Node:
    """A test `column <= cut`, or `<`; or a leaf, which adds to the scores."""

    scores: tuple[float, ...] = ()
    column: int = -1
    cut: float = 0.0
    left: int = -1
    right: int = -1
    missing_left: bool = False


@dataclass(frozen=True)
class Dump:
    """Trees with a score a class (of two, 0 for the first), and what is there before them."""

    trees: list[list[Node]]
    start: tuple[float, ...]
    strict: bool = False
    """Whether tests are `<`."""
    number: type = float
    takes_missing: bool = False


def forest_dump(model: Any) -> Dump:
    """A decision tree or a forest of scikit-learn: a mean of shares, float32 numbers."""
    members = getattr(model, "estimators_", [model])
    trees = []
    for member in members:
        table = member.tree_
        shares = table.value[:, 0, :] / table.value[:, 0, :].sum(axis=1, keepdims=True)
        missing = getattr(table, "missing_go_to_left", numpy.zeros(table.node_count, bool))
        trees.append(
            [
                Node(scores=tuple(shares[n] / len(members)))
                if table.children_left[n] < 0
                else Node(
                    (),
                    int(table.feature[n]),
                    _float32_below(table.threshold[n]),
                    int(table.children_left[n]),
                    int(table.children_right[n]),
                    bool(missing[n]),
                )
                for n in range(table.node_count)
            ]
        )
    start = (0.0,) * len(model.classes_)
    return Dump(trees, start, number=numpy.float32, takes_missing=_takes_missing(model))


def _takes_missing(model: Any) -> bool:
    """Whether the library decides rows with missing numbers, even if it never saw any."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.predict(numpy.full((1, model.n_features_in_), numpy.nan))
    except ValueError:
        return False
    return True


def _float32_below(number: float) -> float:
    near = numpy.float32(number)
    return float(numpy.nextafter(near, numpy.float32(-numpy.inf)) if near > number else near)


def gradient_dump(model: Any) -> Dump:
    """GradientBoostingClassifier: a start and trees a class; of two classes, one."""
    rows = numpy.zeros((1, model.n_features_in_))
    start = numpy.asarray(model._raw_predict_init(rows))[0]
    several = model.n_classes_ > 2
    trees = []
    for stage in model.estimators_:
        for at, member in enumerate(stage):
            table = member.tree_
            values = table.value[:, 0, 0] * model.learning_rate
            trees.append(
                [
                    Node(scores=_placed(values[n], at, model.n_classes_))
                    if table.children_left[n] < 0
                    else Node(
                        (),
                        int(table.feature[n]),
                        _float32_below(table.threshold[n]),
                        int(table.children_left[n]),
                        int(table.children_right[n]),
                    )
                    for n in range(table.node_count)
                ]
            )
    return Dump(trees, tuple(start) if several else (0.0, float(start[0])), number=numpy.float32)


def _placed(value: float, at: int, classes: int) -> tuple[float, ...]:
    if classes == 2:
        return (0.0, float(value))
    return tuple(float(value) if k == at else 0.0 for k in range(classes))


def histogram_dump(model: Any) -> Dump:
    """HistGradientBoostingClassifier without categories: float64 numbers, missing ones too."""
    classes = len(model.classes_)
    trees = []
    for stage in model._predictors:
        for at, member in enumerate(stage):
            trees.append(
                [
                    Node(scores=_placed(n["value"], at, classes))
                    if n["is_leaf"]
                    else Node(
                        (),
                        int(n["feature_idx"]),
                        float(n["num_threshold"]),
                        int(n["left"]),
                        int(n["right"]),
                        bool(n["missing_go_to_left"]),
                    )
                    for n in member.nodes
                ]
            )
    start = model._baseline_prediction.ravel()
    found = tuple(map(float, start)) if classes > 2 else (0.0, float(start[0]))
    return Dump(trees, found, takes_missing=True)


def xgboost_dump(model: Any) -> Dump:
    """XGBClassifier with gbtree: float32 numbers, tests `<`, missing numbers."""
    learner = json.loads(bytes(model.get_booster().save_raw("json")))["learner"]
    booster = learner["gradient_booster"]["model"]
    classes = max(2, int(learner["learner_model_param"]["num_class"]))
    base = numpy.array(json.loads(learner["learner_model_param"]["base_score"].lower())).ravel()
    if classes == 2:
        start: tuple[float, ...] = (0.0, float(numpy.log(base[0] / (1 - base[0]))))
    else:
        start = tuple(map(float, numpy.broadcast_to(base, classes)))
    trees = []
    for table, at in zip(booster["trees"], booster["tree_info"], strict=True):
        columns = ("left_children", "split_indices", "split_conditions", "right_children")
        trees.append(
            [
                Node(scores=_placed(cut, at, classes))
                if left < 0
                else Node((), column, float(numpy.float32(cut)), left, right, bool(missing))
                for left, column, cut, right, missing in zip(
                    *(table[name] for name in columns), table["default_left"], strict=True
                )
            ]
        )
    return Dump(trees, start, strict=True, number=numpy.float32, takes_missing=True)


def lightgbm_dump(model: Any) -> Dump:
    """LGBMClassifier on numbers of which none is missing: float64 numbers."""
    dumped = model.booster_.dump_model()
    classes = max(2, dumped["num_class"])
    trees = []
    for at, info in enumerate(dumped["tree_info"]):
        nodes: list[Node] = []

        def walk(part: Any, at: int = at, nodes: list[Node] = nodes) -> int:
            here = len(nodes)
            if "leaf_value" in part:
                nodes.append(Node(scores=_placed(part["leaf_value"], at % classes, classes)))
                return here
            assert (part["decision_type"], part["missing_type"]) == ("<=", "None")
            nodes.append(Node())
            sides = walk(part["left_child"]), walk(part["right_child"])
            nodes[here] = Node((), part["split_feature"], part["threshold"], *sides)
            return here

        walk(info["tree_structure"])
        trees.append(nodes)
    return Dump(trees, (0.0,) * classes)


@dataclass
class _Number:
    """A user's number: whether it passes each threshold, and whether it is missing."""

    cuts: list[float]
    lefts: list[cp_model.IntVar]
    missing: cp_model.IntVar | None


@dataclass
class Checker:
    """The trees of a dump as constraints, asked again and again for another label."""

    dump: Dump
    columns: Sequence[Column]
    words: Mapping[str, Sequence[str]] = field(default_factory=dict)
    seconds: float = 60.0

    def __post_init__(self) -> None:
        self.model = cp_model.CpModel()
        self.numbers: dict[str, _Number] = {}
        self.is_word: dict[str, dict[str, cp_model.IntVar]] = {}
        cuts: dict[str, set[float]] = {c.name: set() for c in self.columns if c.word is None}
        for node in (node for tree in self.dump.trees for node in tree if node.column >= 0):
            column = self.columns[node.column]
            if column.word is None:
                cuts[column.name].add(node.cut)
        for name, found in cuts.items():
            filled = any(c.filled is not None for c in self.columns if c.name == name)
            self._add_number(name, sorted(found), self.dump.takes_missing or filled)
        for name, words in self.words.items():
            self.is_word[name] = {w: self.model.new_bool_var("") for w in [*words, OTHER]}
            self.model.add_exactly_one(self.is_word[name].values())
        self.scores = self._scores()

    def _add_number(self, name: str, cuts: list[float], missing: bool) -> None:
        lefts = [self.model.new_bool_var("") for _ in cuts]
        for one, next_one in pairwise(lefts):
            self.model.add_implication(one, next_one)
        absent = self.model.new_bool_var("") if missing else None
        self.numbers[name] = _Number(cuts, lefts, absent)

    def _goes_left(self, node: Node) -> Any:
        column = self.columns[node.column]
        if column.word is not None:
            return ~self.is_word[column.name][column.word]
        number = self.numbers[column.name]
        left = number.lefts[number.cuts.index(node.cut)]
        if number.missing is None:
            return left
        if column.filled is None:
            to_left = node.missing_left
        else:
            to_left = column.filled < node.cut or (
                column.filled == node.cut and not self.dump.strict
            )
        goes = self.model.new_bool_var("")
        self.model.add(goes == to_left).only_enforce_if(number.missing)
        self.model.add(goes == left).only_enforce_if(~number.missing)
        return goes

    def _scores(self) -> list[Any]:
        sums: list[list[Any]] = [[round(score * SCALE)] for score in self.dump.start]
        for tree in self.dump.trees:
            leaves = []
            paths: list[tuple[int, list[Any]]] = [(0, [])]
            while paths:
                at, path = paths.pop()
                node = tree[at]
                if node.column >= 0:
                    left = self._goes_left(node)
                    paths += [(node.left, [*path, left]), (node.right, [*path, ~left])]
                    continue
                leaf = self.model.new_bool_var("")
                leaves.append(leaf)
                for step in path:
                    self.model.add_implication(leaf, step)
                for total, score in zip(sums, node.scores, strict=True):
                    total.append(leaf * round(score * SCALE))
            self.model.add_exactly_one(leaves)
        return [sum(total) for total in sums]

    def other(self, label: int, fixed: Mapping[str, Any], for_sure: bool) -> Row | None:
        """A raw row with another label within what is fixed, or None if there is none.

        `fixed` maps a number to a pair of bounds or MISSING, a word to itself or OTHER.
        """
        asked = self.model.clone()
        margin = MARGIN if for_sure else -MARGIN
        chosen = []
        for k, score in enumerate(self.scores):
            if k != label:
                wins = asked.new_bool_var("")
                asked.add(score - self.scores[label] >= margin).only_enforce_if(wins)
                chosen.append(wins)
        asked.add_at_least_one(chosen)
        for name, value in fixed.items():
            self._fix(asked, name, value)
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.max_time_in_seconds = self.seconds
        # Presolve of OR-Tools 9.15 may call a feasible question infeasible (its issue 5274).
        solver.parameters.cp_model_presolve = False
        status = solver.solve(asked)
        if status == cp_model.INFEASIBLE:
            return None
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            raise TimeoutError(solver.status_name(status))
        return self._row(solver)

    def _fix(self, asked: cp_model.CpModel, name: str, value: Any) -> None:
        if name in self.is_word:
            asked.add(self.is_word[name][value] == 1)
            return
        number = self.numbers[name]
        if number.missing is not None:
            asked.add(number.missing == (value == MISSING))
        if value == MISSING:
            return
        low, high = value
        for cut, left in zip(number.cuts, number.lefts, strict=True):
            if cut >= high:
                asked.add(left == 1)
            elif cut <= low:
                asked.add(left == 0)

    def _row(self, solver: cp_model.CpSolver) -> Row:
        row: Row = {}
        for name, number in self.numbers.items():
            if number.missing is not None and solver.value(number.missing):
                row[name] = None
            else:
                row[name] = self._raw(number, sum(not solver.value(left) for left in number.lefts))
        for name, words in self.is_word.items():
            row[name] = next(word for word, there in words.items() if solver.value(there))
        return row

    def _raw(self, number: _Number, passed: int) -> float:
        if not number.cuts:
            return 0.0
        kind = self.dump.number
        up, down = numpy.array([numpy.inf, -numpy.inf], dtype=kind)
        if self.dump.strict:
            if passed:
                return number.cuts[passed - 1]
            return float(numpy.nextafter(kind(number.cuts[0]), down))
        if passed < len(number.cuts):
            return number.cuts[passed]
        return float(numpy.nextafter(kind(number.cuts[-1]), up))
