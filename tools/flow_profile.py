"""Modules and functions of the package that three typical flows pass through.

    python tools/flow_profile.py        # prints a line a flow

Counted are distinct functions of ours that are called, and the modules they are defined in; what
runs at import is not counted.
"""

import sys
import tempfile
import threading
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

import numpy
import pandas

import reasons

PACKAGE = str(Path(reasons.__file__).parent)


def formula() -> None:
    """A formula, compiled, and its reasons printed."""
    classifier = reasons.compile("E & (~F | G | W | R)")
    decision = classifier.decide("E, F, G, ~W, R")
    str(decision.reason), str(decision.sufficient_reasons())


def pipeline() -> Callable[[], None]:
    """A pipeline with a forest, to one widened reason."""
    from sklearn.compose import make_column_transformer
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    rng = numpy.random.default_rng(0)
    people = pandas.DataFrame(
        {
            "age": rng.integers(18, 80, 300),
            "income": rng.integers(10, 60, 300),
            "job": rng.choice(["clerk", "driver", "nurse"], 300),
        }
    )
    labels = numpy.where(people.age + people.income > 80, "grant", "refuse")
    encoder = make_column_transformer((OneHotEncoder(), ["job"]), remainder="passthrough")
    forest = RandomForestClassifier(10, max_depth=3, random_state=0)
    model = make_pipeline(encoder, forest).fit(people, labels)

    def run() -> None:
        decision = reasons.compile(model).decide(people.iloc[0])
        str(decision.sufficient_reason(general=True))

    return run


def audit_report() -> Callable[[], None]:
    """`reasons audit MODEL DATA --protected ... --report`, through the command line."""
    folder = Path(tempfile.mkdtemp())
    reasons.compile("E & (~F | G | W | R)").save(folder / "x.reasons")
    rows = numpy.random.default_rng(0).integers(0, 2, (300, 5))
    pandas.DataFrame(rows, columns=list("EFGWR")).to_csv(folder / "rows.csv", index=False)
    command = ["audit", folder / "x.reasons", folder / "rows.csv", "--protected", "R"]
    command += ["--report", folder / "audit.html"]

    def run() -> None:
        from reasons.cli import main

        sys.argv = ["reasons", *map(str, command)]
        with suppress(SystemExit):
            main()

    return run


def passed(run: Callable[[], None]) -> tuple[int, int]:
    """How many modules and functions of ours a run passes through."""
    seen: set[tuple[str, str, int]] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(PACKAGE) and code.co_name[0] != "<":
            seen.add((code.co_filename, code.co_name, code.co_firstlineno))

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]
    return len({file for file, _, _ in seen}), len(seen)


def flows() -> dict[str, Callable[[], None]]:
    """The three flows, prepared."""
    return {
        "formula to printed reasons": formula,
        "pipeline with forest to a widened reason": pipeline(),
        "audit --report": audit_report(),
    }


def main() -> None:
    """Print the three flows."""
    warnings.simplefilter("ignore")
    for name, run in flows().items():
        modules, functions = passed(run)
        print(f"{name}: {modules} modules, {functions} functions", file=sys.stderr)


if __name__ == "__main__":
    main()
