"""How many reasons that LIME, SHAP, Anchors, PyXAI and we give are really sufficient.

`python -m benches compare` trains two forests of scikit-learn, has every method explain rows that
were held out, judges each reason (checks.py), and writes the table into docs/compare.md,
with the date and the versions. Peers live in an environment under build/peers; those that
cannot be installed are left out, and the page says so. Times are of the processor, for a
reason, without what a method does once for a model.
"""

import datetime
import json
import pickle
import platform
import tempfile
import time
from collections.abc import Iterator
from math import inf
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from benches.harness.peer_environment import PEERS, peer_python
from benches.harness.subprocess_runner import ROOT, Line, run_python
from benches.harness.timing import format_seconds

PAGE = ROOT / "docs" / "compare.md"
START, END = "<!-- written by python -m benches compare -->", "<!-- until here -->"
METHODS = ("lime", "shap", "anchor-exp", "pyxai==2.0.1")
INSTANCES = 40
HEADER = [
    *("method", "reasons", "columns each", "really sufficient", "refuted by drawn rows"),
    *("drawn rows that keep the label, worst reason", "sufficient and minimal", "time"),
]


class Forest(NamedTuple):
    """A trained forest, the rows it was trained on, and instances that it was not."""

    name: str
    model: Any
    rows: Any
    instances: Any


def run() -> None:
    """Write the tables, and print them."""
    lines, versions, missing = [START, ""], {}, {}
    python = _peer_python()
    for forest in forests():
        answers = [*ours(forest), *theirs(python, forest)]
        for line in answers:
            if "version" in line:
                versions[line["version"]] = None
            if "missing" in line:
                missing[line["method"]] = line["missing"]
        lines += [f"## {forest.name}", "", *table(forest, answers), ""]
    lines += [*footnotes(list(versions), missing), "", END]
    text = PAGE.read_text(encoding="utf-8")
    before, after = text[: text.index(START)], text[text.index(END) + len(END) :]
    PAGE.write_text(before + "\n".join(lines) + after, encoding="utf-8")
    print("\n".join(lines))


def forests() -> Iterator[Forest]:
    """Two data sets that come with scikit-learn; numbers in single precision, as trees see them."""
    import numpy
    from sklearn.datasets import load_breast_cancer, make_classification
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.model_selection import train_test_split

    made = make_classification(2000, 20, n_informative=14, n_redundant=0, random_state=0)
    known = {"breast cancer": load_breast_cancer(return_X_y=True), "make_classification": made}
    for name, (rows, labels) in known.items():
        rows = rows.astype(numpy.float32).astype(numpy.float64)
        train, rest, said, _ = train_test_split(rows, labels, random_state=0)
        model = RandomForestClassifier(25, max_depth=4, random_state=0, n_jobs=1).fit(train, said)
        title = f"{name}: {rows.shape[1]} columns, forest of 25 trees of depth 4"
        yield Forest(title, model, train, rest[:INSTANCES])


def ours(forest: Forest) -> Iterator[Line]:
    """Our answers, in the form of the others': columns kept, and as wide as they go."""
    import reasons

    clf = reasons.compile(forest.model, method="search", missing=False)
    for general in (False, True):
        name = f"reasons: `sufficient_reason({'general=True' if general else ''})`"
        yield {"method": name, "version": f"reasons {reasons.__version__}"}
        for number, instance in enumerate(forest.instances):
            decision = clf.decide(instance.tolist())
            used = time.process_time()
            term = decision.sufficient_reason(general=general)
            seconds = time.process_time() - used
            found = {
                column: _intervals(clf.features[column], cells) if general else "kept"
                for column, cells in term.limits.items()
            }
            yield {"method": name, "instance": number, "reason": found, "seconds": seconds}


def _intervals(feature: Any, cells: Any) -> list[tuple[float | None, float | None]]:
    """Cells as bounds, None where there is none."""
    own = [feature.values[cell] for cell in sorted(cells)]
    return [(None if x.low == -inf else x.low, None if x.high == inf else x.high) for x in own]


def theirs(python: str | None, forest: Forest) -> list[Line]:
    """The peers' answers; none without them."""
    if python is None:
        return []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.pickle"
        path.write_bytes(pickle.dumps(forest.model))
        task = {
            "model": str(path),
            "rows": forest.rows.tolist(),
            "instances": forest.instances.tolist(),
        }
        # -P: the benches beside that file must not hide packages of the same name
        arguments = ["-P", str(ROOT / "benches" / "compare" / "peers.py")]
        return run_python(arguments, seconds=1800, python=python, stdin=json.dumps(task)).lines


def table(forest: Forest, answers: list[Line]) -> Iterator[str]:
    """A row for each method, as Markdown."""
    import reasons
    from benches.compare.checks import judged

    clf = reasons.compile(forest.model, method="search", missing=False)
    yield "| " + " | ".join(HEADER) + " |"
    yield "| -- | " + " | ".join(["-:"] * (len(HEADER) - 1)) + " |"  # as mdformat writes it
    for method in dict.fromkeys(line["method"] for line in answers if "reason" in line):
        own = [line for line in answers if line["method"] == method and "reason" in line]
        found = [
            judged(
                clf,
                forest.model,
                forest.rows,
                forest.instances[line["instance"]],
                {int(column): limits for column, limits in line["reason"].items()},
            )
            for line in own
        ]
        row = [
            method,
            str(len(found)),
            f"{median(each.columns for each in found):g}",
            f"**{sum(each.sufficient for each in found)}**",
            str(sum(each.refuted_by_rows for each in found)),
            f"{min(each.share for each in found):.1%}",
            str(sum(each.minimal for each in found)),
            format_seconds(median(line["seconds"] for line in own)),
        ]
        yield "| " + " | ".join(row) + " |"


def footnotes(versions: list[str], missing: dict[str, str]) -> Iterator[str]:
    """When, with what, by which command; and who could not come."""
    import numpy
    import sklearn

    where = f"Python {platform.python_version()}, numpy {numpy.__version__}"
    used = ", ".join([*versions, f"scikit-learn {sklearn.__version__}", where])
    today = datetime.date.today().isoformat()
    yield f"Measured on {today} by `python -m benches compare` with {used}."
    for name, why in missing.items():
        yield f"Left out, as it could not be run: {name} ({why})."


def _peer_python() -> str | None:
    """The interpreter of the peers, which read the same pickles as this one."""
    import numpy
    import sklearn

    same = [f"scikit-learn=={sklearn.__version__}", f"numpy=={numpy.__version__}"]
    return peer_python(PEERS / "compare", METHODS, beside=same)
