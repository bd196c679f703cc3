"""Classifiers that the tests of the API ask about, one of each kind, and an instance of each."""

import itertools
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import reasons
from reasons import Builder, Classifier, Feature

HOSTILE = "<script>alert('x')</script>\"&\u2028\u202e{{7*7}}${1}"


def formula() -> Classifier:
    return reasons.compile("E & (~F | G | W | R)")


def loans() -> Classifier:
    """Three labels, numbers with a missing cell, categories with other ones."""
    age = Feature.numeric("age", cuts=[25, 40], missing=True)
    job = Feature.categorical("job", ["clerk", "driver", "nurse"], other=True)
    home = Feature.boolean("home")
    build = Builder([age, job, home], ["refuse", "ask", "grant"])
    refuse, ask, grant = (build.leaf(label) for label in ("refuse", "ask", "grant"))
    by_home = build.decide("home", {True: grant, False: ask})
    others = (reasons.OTHER, "driver")
    by_job = build.decide("job", {("clerk", "nurse"): by_home, others: refuse})
    young, middle, old, missing = age.values
    return build.build(
        build.decide("age", {young: refuse, middle: by_job, old: by_home, missing: ask})
    )


def with_constraint() -> Classifier:
    return reasons.compile("a & (b | c)", constraint="b | c")


def hostile() -> Classifier:
    """Names, values and labels that a page must not run, and types that JSON has not."""
    kind = Feature.categorical(HOSTILE, [HOSTILE, (1, 2), 2**60, float("inf"), 1.5, None, ""])
    flag = Feature.boolean("\u0000'; DROP TABLE rows; --")
    build = Builder([kind, flag], [HOSTILE, (3, 4)])
    first, second = build.leaf(HOSTILE), build.leaf((3, 4))
    inner = build.decide(flag.name, {True: first, False: second})
    arms = {value: inner if cell % 2 == 0 else first for cell, value in enumerate(kind.values)}
    return build.build(build.decide(HOSTILE, arms))


@cache
def forest() -> Classifier:
    """A forest that outgrew its budget: answered by search."""
    import numpy
    import pandas
    from sklearn.ensemble import RandomForestClassifier

    rng = numpy.random.default_rng(0)
    rows = pandas.DataFrame(rng.integers(0, 9, (300, 4)), columns=["a", "b", "c", "d"])
    labels = numpy.where(rows.a + rows.b > rows.c + 2, "yes", "no")
    model = RandomForestClassifier(12, max_depth=4, random_state=0).fit(rows, labels)
    found = reasons.compile(model, budget=reasons.Budget(nodes=20))
    assert found.method == "search"
    return found


def clauses() -> Classifier:
    """Clauses that are compiled when a question needs it."""
    from pathlib import Path
    from tempfile import mkdtemp

    path = Path(mkdtemp()) / "small.cnf"
    path.write_text("p cnf 4 3\n1 2 0\n-1 3 0\n-2 -4 0\n", encoding="utf-8")
    return reasons.load(path, compile=False)


MODELS: dict[str, tuple[Any, dict[str, Any]]] = {
    "formula": (formula, {"E": True, "F": True, "G": True, "W": False, "R": True}),
    "loans": (loans, {"age": 33, "job": "nurse", "home": False}),
    "constraint": (with_constraint, {"a": True, "b": True, "c": False}),
    "forest": (forest, {"a": 7, "b": 3, "c": 2.5, "d": 0}),
    "clauses": (clauses, {"1": True, "2": False, "3": True, "4": True}),
}


def wide() -> Classifier:
    """A circuit of some thousand nodes: terms drawn at random."""
    rng = random.Random(0)
    names = [f"x{i}" for i in range(22)]
    terms = ([rng.choice("~ ") + name for name in rng.sample(names, 5)] for _ in range(30))
    found = reasons.compile(" | ".join(f"({' & '.join(term)})" for term in terms))
    assert 1_000 < len(found.circuit) < 5_000
    return found


def everything(classifier: Classifier) -> Iterator[tuple[int, ...]]:
    """The cells of every instance."""
    return itertools.product(*(range(len(f.values)) for f in classifier.features))
