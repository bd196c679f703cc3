"""Answers of two versions of the package, compared over every kind of source.

    OLD/python tools/compare_answers.py dump old.json     # in the environment of one version
    NEW/python tools/compare_answers.py dump new.json     # in that of the other
    python tools/compare_answers.py diff old.json new.json

Answers are compared as cells, not as texts: labels, complete reasons (as the set of all
sufficient reasons), one reason, contrastive sets, counterfactuals, necessary features, verdicts
of bias, counts, and how a model is held. The random models are those of tests/support.
"""

import json
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import numpy

import reasons

ROOT = Path(__file__).parents[1]
DATA = ROOT.parent / "shared" / "data"
sys.path.insert(0, str(ROOT))
MOST_REASONS = 40

Made = Callable[[], Any]


def sources() -> Iterator[tuple[str, Made]]:
    """A name and a way to make the classifier, for every kind of source."""
    yield from _texts()
    yield from _tables_and_rules()
    yield from _files()
    yield from _models()
    yield from _scores()
    yield from _networks()


def _texts() -> Iterator[tuple[str, Made]]:
    yield "formula paper", lambda: reasons.compile("E & (~F | G | W | R)")
    for seed in range(25):
        rng = Random(seed)
        names = [f"v{i}" for i in range(rng.randrange(3, 9))]
        clauses = [
            " | ".join(rng.choice(["", "~"]) + n for n in rng.sample(names, min(3, len(names))))
            for _ in range(rng.randrange(2, 9))
        ]
        signs = [rng.choice([" & ", " ^ ", " <-> "]) for _ in clauses]
        text = "".join(f"({c}){s}" for c, s in zip(clauses, signs, strict=True)) + names[0]
        yield f"formula {seed}", lambda text=text: reasons.compile(text)


def _tables_and_rules() -> Iterator[tuple[str, Made]]:
    table = [
        {"a": a, "b": b, "c": c, "y": (a + b * c) % 3}
        for a in range(3)
        for b in range(2)
        for c in range(2)
    ]
    yield "truth table", lambda: reasons.from_table(table, label="y")
    rules = """if age > 40 and job in {nurse, pilot} then grant
    else if income >= 30.5 then grant
    else refuse"""
    yield "rules", lambda: reasons.from_rules(rules)
    card = [
        {"feature": "age", "bin": "< 25", "points": 10},
        {"feature": "age", "bin": ">= 25", "points": 35},
        {"feature": "job", "bin": "nurse", "points": 25.5},
        {"feature": "job", "bin": "other", "points": 14.5},
    ]
    yield "scorecard", lambda: reasons.from_points(card, threshold=49.5, labels=("refuse", "grant"))
    yield (
        "function",
        lambda: reasons.compile(
            lambda rows: rows["a"] & (rows["b"] | rows["c"]), features=["a", "b", "c"]
        ),
    )


def _files() -> Iterator[tuple[str, Made]]:
    folder = Path(tempfile.mkdtemp())
    for seed in range(8):
        rng = Random(seed)
        variables = rng.randrange(4, 10)
        lines = [f"p cnf {variables} {variables + 3}"]
        for _ in range(variables + 3):
            chosen = rng.sample(range(1, variables + 1), 3)
            lines.append(" ".join(str(v * rng.choice([1, -1])) for v in chosen) + " 0")
        path = folder / f"{seed}.cnf"
        path.write_text("\n".join(lines) + "\n")
        yield f"cnf {seed}", lambda path=path: reasons.load(path)
        yield f"cnf {seed} not compiled", lambda path=path: reasons.load(path, compile=False)
    for name in (
        "small_ex_c2d",
        "small_ex_d4",
        "small_example_c2d",
        "X264_c2d",
        "VP9_d4",
        "sandwich",
    ):
        path = DATA / "nnf" / f"{name}.nnf"
        if path.exists():
            yield f"nnf {name}", lambda path=path: reasons.load(path)
    for path in sorted((DATA / "sdd").rglob("*.sdd"))[:8]:
        if path.stat().st_size < 200_000:
            yield f"sdd {path.stem}", lambda path=path: reasons.load(path)
    for path in sorted((DATA / "bdd").rglob("*.dddmp"))[:6]:
        yield f"dddmp {path.stem}", lambda path=path: reasons.load(path)


def _models() -> Iterator[tuple[str, Made]]:
    from tests.support.models.small_models import MIXED, NUMBERS, fitted

    for kind in (*NUMBERS, *MIXED):
        for seed in range(3):
            for method in ("compiled", "search"):
                yield (
                    f"{kind} {seed} {method}",
                    lambda kind=kind, seed=seed, method=method: reasons.compile(
                        fitted(kind, seed, 2 + (seed == 2)).model, method=method
                    ),
                )


def _scores() -> Iterator[tuple[str, Made]]:
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import BernoulliNB, CategoricalNB
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder

    rng = numpy.random.default_rng(7)
    bits = rng.integers(0, 2, (80, 5))
    y = (bits @ numpy.array([2, -1, 1, 1, -2]) + rng.normal(size=80) > 0).astype(int)
    numbers = rng.normal(size=(80, 3))
    z = (numbers.sum(axis=1) > 0).astype(int)
    yield "bernoulli", lambda: reasons.compile(BernoulliNB().fit(bits, y))
    yield "categorical", lambda: reasons.compile(CategoricalNB().fit(bits, y))
    one_hot = make_pipeline(OneHotEncoder(handle_unknown="ignore"), LogisticRegression())
    yield "logistic of categories", lambda: reasons.compile(one_hot.fit(bits, y))
    bins = KBinsDiscretizer(4, quantile_method="averaged_inverted_cdf")
    binned = make_pipeline(bins, LogisticRegression())
    yield "logistic of bins", lambda: reasons.compile(binned.fit(numbers, z))


def _networks() -> Iterator[tuple[str, Made]]:
    folder = DATA / "bn" / "bnc"
    configs = folder / "all_configs.json"
    for config in json.loads(configs.read_text()) if configs.exists() else ():
        path = folder / config["input_filepath"] / f"{config['name']}.{config['filetype']}"
        chosen = {"target": config["root"], "threshold": config["threshold"]}
        if path.exists() and config["vars"] < 20:
            yield (
                f"network {config['id']} {config['name']}",
                lambda path=path, chosen=chosen: reasons.load(path, **chosen),
            )
    for path in sorted((DATA / "bnn").glob("mnist-[49]-*.json")):
        yield f"bnn {path.stem}", lambda path=path: reasons.load(path)


def answers(classifier: Any, seed: int) -> dict[str, Any]:
    """What a classifier says of itself and of a few instances, as plain objects."""
    rng = Random(seed)
    schema = classifier.schema
    found: dict[str, Any] = {"method": classifier.method, "features": schema.names}
    found["cells"] = [[str(v) for v in feature.values] for feature in schema]
    if classifier.method != "search":
        found["counts"] = [str(classifier.count(label)) for label in classifier.labels]
    found["bias"] = [attempt(lambda n=n: bool(classifier.bias(n))) for n in schema.names[:6]]
    found["decisions"] = []
    for _ in range(6):
        cells = [rng.randrange(len(feature.values)) for feature in schema]
        found["decisions"].append(attempt(lambda cells=cells: decision(classifier, cells)))
    return found


def attempt(ask: Callable[[], Any]) -> Any:
    """An answer, or the kind of the error."""
    try:
        return ask()
    except (reasons.ReasonsError, ValueError) as error:
        return f"{type(error).__name__}"


def decision(classifier: Any, cells: list[int]) -> dict[str, Any]:
    """Everything asked about one decision."""
    values = {
        feature.name: example(feature, cell)
        for feature, cell in zip(classifier.schema, cells, strict=True)
    }
    one = classifier.decide(values)
    cheapest = one.counterfactual if hasattr(one, "counterfactual") else one.contrastive_set
    quick = reasons.Budget(seconds=20)
    return {
        "label": str(one.label),
        "reason": limits(one.sufficient_reason()),
        "general": attempt(lambda: limits(one.sufficient_reason(general=True))),
        "all": attempt(lambda: several(one.sufficient_reasons(budget=quick))),
        "contrastive": attempt(lambda: several(one.contrastive_sets(budget=quick))),
        "necessary": attempt(lambda: limits(one.necessary_property)),
        "shortest": attempt(lambda: len(one.shortest_reason(budget=quick).term)),
        "change": attempt(lambda: change(cheapest())),
        "bias": [attempt(lambda n=n: bool(one.bias(n))) for n in classifier.schema.names[:6]],
    }


def example(feature: Any, cell: int) -> Any:
    """A raw value of a cell."""
    value = feature.values[cell]
    if isinstance(value, reasons.Interval):
        for inside in (value.low, value.high):
            for raw in (inside, inside + 1e-3, inside - 1e-3, inside + 0.25, inside - 0.25):
                if numpy.isfinite(raw) and feature.cell(raw) == cell:
                    return raw
        return 0.0
    return None if value is reasons.MISSING else value


def limits(term: Any) -> Any:
    """A term as features and cells."""
    return sorted([f, sorted(cells)] for f, cells in term.limits.items())


def several(terms: Any) -> Any:
    """How many terms there are, and all of them if they are few."""
    count = len(terms)
    return [str(count), sorted(limits(t) for t in terms) if count <= MOST_REASONS else None]


def change(found: Any) -> Any:
    """The cost of a counterfactual and its label."""
    return None if found is None else [str(Fraction(found.cost)), str(found.label)]


def dump(path: str) -> None:
    """Write the answers of this version."""
    told = {}
    for number, (name, make) in enumerate(sources()):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            told[name] = attempt(lambda make=make, number=number: answers(make(), number))
        print(f"\r{number} {name:50}", end="", file=sys.stderr)
    Path(path).write_text(json.dumps(told, indent=0))
    print(f"\n{len(told)} sources", file=sys.stderr)


def diff(old: str, new: str) -> int:
    """Print where two files of answers differ; 1 if they do."""
    one, other = (json.loads(Path(path).read_text()) for path in (old, new))
    wrong = 0
    for name in sorted({*one, *other}):
        for place, a, b in differences(one.get(name), other.get(name), name):
            wrong += 1
            print(f"{place}: {str(a)[:200]} | {str(b)[:200]}")
    refused = sum(isinstance(answer, str) for answer in one.values())
    decisions = sum(len(a["decisions"]) for a in one.values() if not isinstance(a, str))
    print(f"{len(one)} sources ({refused} refused), {decisions} decisions: {wrong} differences")
    return min(wrong, 1)


def differences(one: Any, other: Any, place: str) -> Iterator[tuple[str, Any, Any]]:
    """The places where two plain objects differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted({*one, *other}):
            yield from differences(one.get(key), other.get(key), f"{place} / {key}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, pair in enumerate(zip(one, other, strict=True)):
            yield from differences(*pair, f"{place} / {number}")
    elif one != other:
        yield place, one, other


if __name__ == "__main__":
    if sys.argv[1] == "dump":
        dump(sys.argv[2])
    else:
        sys.exit(diff(sys.argv[2], sys.argv[3]))
