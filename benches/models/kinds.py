"""Compiling scores, Bayesian networks and neural networks: nodes and CPU seconds.

Where all instances can be listed, beside PySDD and OxiDD that are given one clause for each
instance of another label than the commonest: the only way in that such packages offer for a
classifier. Values of a feature are then numbers in binary.
"""

import json
import random
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from math import prod
from typing import Any

import numpy

import reasons
from benches.cnf.clause_by_clause import PEERS
from benches.harness.subprocess_runner import ROOT, run_python
from benches.harness.timing import print_table

DATA = ROOT.parent / "shared" / "data"
PEER_SECONDS = 60
MOST_LISTED = 1 << 13
QUICK = 2.0
HEADER = ["", "features", "instances", "nodes", "CPU seconds", *(f"{p} / ours" for p in PEERS)]

Made = Callable[[], reasons.Classifier]


def run() -> None:
    """Print a table for each kind."""
    for title, cases in [
        ("scores", _scores()),
        ("Bayesian networks", _networks()),
        ("neural networks", _neural()),
        ("regions", _regions()),
    ]:
        print_table(title, HEADER, [_row(name, made) for name, made in cases])


def _row(name: str, made: Made) -> list[str]:
    try:
        classifier, seconds = _timed(made)
        if seconds < QUICK:  # once more, without the imports of the first time
            classifier, seconds = _timed(made)
    except (reasons.ReasonsError, ImportError) as error:
        return [name, "-", "-", "-", str(error).partition(";")[0][:60], *("-" for _ in PEERS)]
    sizes = [len(feature.values) for feature in classifier.features]
    nodes = f"{len(classifier.circuit):,}" if classifier.method == "compiled" else "searched"
    of_peers = [_ratio(peer, classifier, sizes, seconds) for peer in PEERS]
    return [name, str(len(sizes)), f"{prod(sizes):.3g}", nodes, f"{seconds:.3g}", *of_peers]


def _timed(made: Made) -> tuple[reasons.Classifier, float]:
    started = time.process_time()
    classifier = made()
    return classifier, time.process_time() - started


def _ratio(peer: str, classifier: reasons.Classifier, sizes: list[int], seconds: float) -> str:
    if prod(sizes) > MOST_LISTED or classifier.method != "compiled":
        return "-"
    stdin = json.dumps(_clauses(classifier, sizes))
    try:
        outcome = run_python(
            ["-m", "benches.cnf.clause_by_clause", peer], seconds=PEER_SECONDS, stdin=stdin
        )
    except subprocess.CalledProcessError:
        return "not installed"
    if outcome.stopped:
        return f"> {PEER_SECONDS / seconds:.0f}"
    return f"{outcome.lines[0]['seconds'] / seconds:.2g}"


def _clauses(classifier: reasons.Classifier, sizes: list[int]) -> dict[str, Any]:
    """That an instance has the commonest label: one clause for each that does not."""
    bits = [max(1, (size - 1).bit_length()) for size in sizes]
    first = numpy.concatenate([[1], 1 + numpy.cumsum(bits)])
    cells = list(product(*map(range, sizes)))
    labels = [classifier.backend.decide(row) for row in cells]
    wanted = Counter(labels).most_common(1)[0][0]

    def literals(row: tuple[int, ...]) -> Iterator[int]:
        for feature, cell in enumerate(row):
            for bit in range(bits[feature]):
                variable = int(first[feature]) + bit
                yield -variable if cell >> bit & 1 else variable

    clauses = [
        list(literals(row)) for row, label in zip(cells, labels, strict=True) if label != wanted
    ]
    return {"variables": int(first[-1]) - 1, "clauses": clauses}


def _scores() -> Iterator[tuple[str, Made]]:
    rng = random.Random(0)
    for name, columns, bins, most in [
        ("12 yes-or-no questions", 12, 2, 100),
        ("100 yes-or-no questions", 100, 2, 1_000),
        ("card of 20 x 8, points to 100", 20, 8, 100),
        ("card of 20 x 8, points to 1,000", 20, 8, 1_000),
    ]:
        rows = [
            {"feature": f"f{i}", "bin": f"b{k}", "points": rng.randrange(most)}
            for i in range(columns)
            for k in range(bins)
        ]
        middle = sum(row["points"] for row in rows) / bins
        yield name, lambda rows=rows, middle=middle: reasons.from_points(rows, threshold=middle)
    for columns in (4, 10):
        model = _logistic(columns)
        yield (
            f"logistic regression of {columns} x 8",
            lambda model=model: reasons.compile(model, method="compiled"),
        )


def _logistic(columns: int) -> Any:
    import pandas
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    rng = numpy.random.default_rng(0)
    cells = rng.integers(0, 8, (2_000, columns))
    frame = pandas.DataFrame(cells, columns=[f"c{i}" for i in range(columns)])
    score = cells @ rng.normal(size=columns) + rng.normal(size=len(cells))
    model = make_pipeline(OneHotEncoder(), LogisticRegression(max_iter=500))
    return model.fit(frame, score > numpy.median(score))


def _networks() -> Iterator[tuple[str, Made]]:
    configurations = DATA / "bn" / "bnc" / "all_configs.json"
    if not configurations.exists():
        print(f"\nkinds: {configurations} is absent")
        return
    for each in json.loads(configurations.read_text()):
        folder = DATA / "bn" / "bnc" / each["input_filepath"]
        path = folder / f"{each['name']}.{each['filetype']}"
        told = {"target": each["root"], "threshold": each["threshold"]}
        yield each["name"], lambda path=path, told=told: reasons.load(path, **told)
        if each["name"] == "child":  # its first state is never that probable
            told |= {"state": "no"}
            yield "child, state no", lambda path=path, told=told: reasons.load(path, **told)


def _nets() -> list[Any]:
    return sorted((DATA / "bnn").glob("*.json"))


def _neural() -> Iterator[tuple[str, Made]]:
    for path in _nets():
        if "mnist-100" not in path.name:
            yield path.stem, lambda path=path: reasons.load(path)


def _regions() -> Iterator[tuple[str, Made]]:
    image = numpy.random.default_rng(0).integers(0, 2, 100)
    for path in _nets():
        if "mnist-100" in path.name:
            for flips in (1, 2, 3, 4, 5):
                yield (
                    f"{path.stem}, {flips} flips",
                    lambda path=path, flips=flips: reasons.load(
                        path, region=reasons.bnn.Flips(image, flips)
                    ),
                )
