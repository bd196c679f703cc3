"""The summary of an audit against plain loops over the rows, brute force, scipy and fairlearn."""

import json
import sys
from collections import Counter
from collections.abc import Sequence
from copy import deepcopy
from fractions import Fraction
from math import prod
from random import Random
from typing import Any

import pandas
import pyarrow as pa
import pytest

import reasons
from reasons.audit.summary import counts as tally
from reasons.audit.summary import disparate_impact, disparate_treatment
from reasons.audit.summary.summary import Summary
from reasons.audit.verdicts.schema import KEY, VerdictSchema
from reasons.errors import PropertyError
from tests.support import oracle
from tests.support.audit.loans import ROWS
from tests.support.audit.verdicts import is_biased_by_seen
from tests.support.comparison import Mismatch, Subject
from tests.support.generators import KINDS, random_case

Told = dict[str, Any]


def share(part: float | Fraction, whole: float | Fraction) -> Any:
    return pytest.approx(part / whole) if whole else None


class Rows:
    """Random rows of a subject, with a group and a logged decision each."""

    def __init__(self, kind: str, seed: int, number: int = 90) -> None:
        rng = Random(f"{kind} {seed} rows")
        self.subject = subject = Subject(*random_case(kind, seed))
        self.function = subject.function
        self.instances = rng.choices(subject.instances, k=number)
        labels = subject.classifier.labels
        self.favourable = rng.choice(labels)
        self.logged = [rng.choice([*labels, None]) for _ in self.instances]
        self.groups = [rng.choice(["north", "south", "west", None]) for _ in self.instances]
        names = [feature.name for feature in subject.features]
        self.protected = rng.sample(names, rng.randint(1, min(2, len(names))))
        self.sets = {", ".join(self.protected): self.protected}
        if len(self.protected) > 1:
            self.sets |= {name: [name] for name in self.protected}

    def audit(self) -> reasons.Audit:
        rows = [self.subject.user_instance(x) for x in self.instances]
        extra = zip(rows, self.logged, self.groups, strict=True)
        table = pa.Table.from_pylist([{**r, "log": log, "region": g} for r, log, g in extra])
        return reasons.audit(
            self.subject.classifier,
            table,
            self.protected,
            logged="log",
            groups="region",
            favourable=self.favourable,
        )

    def group(self, column: str, row: int) -> str | None:
        """The group of a row as the table writes it; none of features where nothing is decided."""
        if column == "region":
            return self.groups[row]
        f = self.subject.index[column]
        return self.subject.features[f].says((self.instances[row][f],))


def require(rows: Rows, told: Told, verdicts: Sequence[Told]) -> None:
    """Raise `Mismatch` unless the summary is what loops over the rows give."""
    subject, table = rows.subject, rows.function.table
    labels = [table[x] for x in rows.instances]
    decided = [i for i, label in enumerate(labels) if label is not oracle.IMPOSSIBLE]
    subject.expect("rows", (told["rows"], told["decided"]), (len(labels), len(decided)))
    subject.expect("problems", told["problems"]["rows"], len(labels) - len(decided))
    for line in told["labels"]:
        number = sum(labels[i] == line["label"] for i in decided)
        subject.expect("label", line["rows"], number)
        subject.expect("share", line["share"], share(number, len(decided)))
    require_logged(rows, told["logged"], labels, decided)
    require_features(rows, told, decided, verdicts)
    subject.expect("sets", [s["name"] for s in told["treatment"]["sets"]], list(rows.sets))
    for found in told["treatment"]["sets"]:
        require_treatment(rows, found, labels, decided)
    columns = [*rows.protected, "region"]
    subject.expect("columns", [c["column"] for c in told["impact"]["columns"]], columns)
    for column in told["impact"]["columns"]:
        require_impact(rows, column, labels, decided)


def require_logged(rows: Rows, told: Told, labels: list[Any], decided: list[int]) -> None:
    known = [i for i in decided if rows.logged[i] is not None]
    agree = sum(rows.logged[i] == labels[i] for i in known)
    rows.subject.expect("agree", told["agree"], agree)
    rows.subject.expect("disagree", told["disagree"], len(known) - agree)
    rows.subject.expect("not comparable", told["not_comparable"], len(labels) - len(known))
    pairs = Counter((rows.logged[i], labels[i]) for i in known if rows.logged[i] != labels[i])
    found = {(x["logged"], x["label"]): x["rows"] for x in told["disagreements"]}
    rows.subject.expect("disagreements", found, dict(pairs))


def require_features(rows: Rows, told: Told, decided: list[int], verdicts: Sequence[Told]) -> None:
    function, names = rows.function, [f.name for f in rows.subject.features]
    needed = [oracle.necessary_property(function, rows.instances[i]) for i in decided]
    reason = [verdicts[i]["reason"] for i in decided]
    for line in told["features"]:
        f = names.index(line["feature"])
        number = sum(any(g == f for g, _ in each) for each in needed)
        rows.subject.expect("necessary", line["necessary"], number)
        own = {rows.subject.features[f].says((c,)) for c in range(function.domains[f])}
        number = sum(bool(own & set(each)) for each in reason)
        rows.subject.expect("in the reason", line["in_reason"], number)
        rows.subject.expect("share", line["in_reason_share"], share(number, len(decided)))
    ranks = [(-x["necessary"], -x["in_reason"]) for x in told["features"]]
    rows.subject.expect("ranked", ranks, sorted(ranks))
    only = [oracle.necessary_reason(function, rows.instances[i]) is not None for i in decided]
    wanted = {
        "asked": len(decided),
        "some_necessary": sum(map(bool, needed)),
        "only_one": sum(only),
        "alone": sum(len(each) == 1 for each in reason),
    }
    rows.subject.expect("reasons", told["reasons"], wanted)


def require_treatment(rows: Rows, told: Told, labels: list[Any], decided: list[int]) -> None:
    subject, function = rows.subject, rows.function
    names = rows.sets[told["name"]]
    protected = frozenset(subject.index[name] for name in names)
    biased = {
        i for i in decided if oracle.is_decision_biased(function, rows.instances[i], protected)
    }

    def expect(what: str, line: Told, chosen: list[int]) -> None:
        hit = len(biased & set(chosen))
        subject.expect(f"known {what}", line["known"], len(chosen))
        subject.expect(f"biased {what}", line["biased"], hit)
        subject.expect(f"share {what}", line["share"], share(hit, len(chosen)))

    expect("in all", told["decisions"], decided)
    only = [i for i in biased if not is_biased_by_seen(subject, rows.instances[i], [*protected])]
    known = names == rows.protected
    subject.expect("unseen", told["decisions"]["only_unseen"], len(only) if known else None)
    for line in told["decisions"]["by_label"]:
        expect("by label", line, [i for i in decided if labels[i] == line["label"]])
    for line in told["decisions"]["by_group"]:
        own = [i for i in decided if rows.group(line["column"], i) == line["group"]]
        expect("by group", line, own)
    seen = {(x["column"], x["group"]) for x in told["decisions"]["by_group"]}
    every = {(c, rows.group(c, i)) for c in (*names, "region") for i in decided}
    subject.expect("groups", {x for x in every if x[1] is not None} <= seen, True)
    require_model(rows, told, protected)


def require_model(rows: Rows, told: Told, protected: frozenset[int]) -> None:
    subject, function = rows.subject, rows.function
    model, domain = told["classifier"], told["domain"]
    subject.expect("model", model["biased"], oracle.is_classifier_biased(function, protected))
    if model["biased"]:
        pair = [subject.instance(model["witness"][one]) for one in ("one", "other")]
        subject.expect("pair", oracle.differing(*pair) <= protected, True)
        subject.expect("labels", model["witness"]["labels"], [function.table[x] for x in pair])
        subject.expect("differ", len(set(model["witness"]["labels"])), 2)
    hit = oracle.biased_instances(function, protected)
    subject.expect("counted", (domain["biased"], domain["exact"]), (len(hit), True))
    subject.expect("instances", domain["instances"], len(function.allowed))
    weighed = [Counter(x[f] for x in rows.instances) for f in range(len(function.domains))]

    def weight(instance: oracle.Instance) -> Fraction:
        return Fraction(prod(weighed[f][cell] for f, cell in enumerate(instance)))

    whole = sum(map(weight, function.allowed), Fraction())
    subject.expect(
        "weighted", domain["weighted_share"], share(sum(map(weight, hit), Fraction()), whole)
    )


def require_impact(rows: Rows, told: Told, labels: list[Any], decided: list[int]) -> None:
    wanted: dict[str, tuple[int, int]] = {}
    for i in decided:
        if (group := rows.group(told["column"], i)) is not None:
            chosen, number = wanted.get(group, (0, 0))
            wanted[group] = (chosen + (labels[i] == rows.favourable), number + 1)
    found = {x["group"]: (x["favourable"], x["rows"]) for x in told["groups"] if x["rows"]}
    rows.subject.expect(f"rates by {told['column']}", found, wanted)
    for line in told["groups"]:
        if line["rows"]:
            rows.subject.expect("rate", line["rate"], line["favourable"] / line["rows"])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_every_number_is_that_of_a_loop_over_the_rows(kind: str, seed: int) -> None:
    rows = Rows(kind, seed)
    found = rows.audit()
    told = found.summary.as_dict()
    require(rows, told, found.table.to_pylist())
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    assert found.summary is found.summary


WRONG = (
    "decided",
    "problems.rows",
    "labels.0.rows",
    "logged.agree",
    "logged.not_comparable",
    "reasons.only_one",
    "reasons.alone",
    "features.0.necessary",
    "features.0.in_reason",
    "treatment.sets.0.decisions.biased",
    "treatment.sets.0.decisions.by_label.0.known",
    "treatment.sets.0.decisions.by_group.0.biased",
    "treatment.sets.0.classifier.biased",
    "treatment.sets.0.domain.biased",
    "treatment.sets.0.domain.weighted_share",
    "impact.columns.0.groups.0.favourable",
)


@pytest.mark.parametrize("path", WRONG)
def test_the_comparison_sees_a_wrong_number(path: str) -> None:
    rows = Rows("graph", 1)
    found = rows.audit()
    spoiled: Any = deepcopy(found.summary.as_dict())
    *way, last = [int(step) if step.isdecimal() else step for step in path.split(".")]
    at: Any = spoiled
    for step in way:
        at = at[step]
    at[last] = not at[last] if isinstance(at[last], bool) else at[last] + 1
    with pytest.raises(Mismatch):
        require(rows, spoiled, found.table.to_pylist())


def loans() -> reasons.Classifier:
    """Decided by income, and in the middle by sex."""
    income = reasons.Feature.numeric("income", [20, 45])
    sex = reasons.Feature.categorical("sex", ["f", "m"])
    build = reasons.Builder([income, sex], labels=("refused", "granted"))
    no, yes = build.leaf("refused"), build.leaf("granted")
    low, high = reasons.Interval(float("-inf"), 20), reasons.Interval(45, float("inf"))
    middle = build.decide("sex", {"f": no, "m": yes})
    arms = {low: no, reasons.Interval(20, 45): middle, high: yes}
    return build.build(build.decide("income", arms))


def people(number: int = 400) -> pandas.DataFrame:
    rng = Random(5)
    return pandas.DataFrame(
        {
            "income": [rng.uniform(0, 70) for _ in range(number)],
            "sex": rng.choices("fm", k=number),
            "race": rng.choices(["a", "b", "c"], [60, 38, 2], k=number),
        }
    )


def told_of(data: Any, **options: Any) -> Told:
    options = {"protected": "sex", "groups": "race", "favourable": "granted", **options}
    return reasons.audit(loans(), data, **options).summary.as_dict()


def test_selection_rates_are_those_of_fairlearn_on_the_rows_themselves() -> None:
    metrics = pytest.importorskip("fairlearn.metrics")
    frame = people()
    chosen = (loans().predict(frame[["income", "sex"]]) == "granted").astype(int)
    told = told_of(frame)
    assert "equal to fairlearn" in told["impact"]["computed_with"]
    for column in told["impact"]["columns"]:
        by = frame[column["column"]]
        wanted = metrics.MetricFrame(
            metrics={"rate": metrics.selection_rate, "rows": metrics.count},
            y_true=chosen,
            y_pred=chosen,
            sensitive_features=by,
        ).by_group
        for line in column["groups"]:
            theirs = wanted.loc[line["group"].removeprefix("sex = ")]
            assert (line["rate"], line["rows"]) == (theirs["rate"], theirs["rows"])
    assert told["impact"]["columns"][0]["lowest_ratio"] == pytest.approx(
        metrics.demographic_parity_ratio(chosen, chosen, sensitive_features=frame["sex"])
    )


def test_without_fairlearn_the_numbers_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    with_it = told_of(people())
    monkeypatch.setitem(sys.modules, "fairlearn", None)
    without = told_of(people())
    assert without["impact"].pop("computed_with") == "counted (without fairlearn)"
    with_it["impact"].pop("computed_with")
    assert without == with_it


def test_a_rate_that_is_not_fairlearns_is_never_shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        disparate_impact, "by_fairlearn", lambda counts: (dict.fromkeys(counts, 0.5), "x")
    )
    with pytest.raises(PropertyError, match="by fairlearn"):
        told_of(people())


@pytest.mark.parametrize(("found", "drawn"), [(0, 10), (3, 10), (10, 10), (12_345, 99_999), (1, 1)])
def test_intervals_of_rates_are_scipys(found: int, drawn: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    wanted = stats.binomtest(found, drawn).proportion_ci(0.95, method="wilson")
    assert disparate_impact.wilson(found, drawn) == pytest.approx((wanted.low, wanted.high))


def test_intervals_of_ratios_are_scipys() -> None:
    contingency = pytest.importorskip("scipy.stats.contingency")
    worst, best = disparate_impact.rates({"f": (30, 100), "m": (50, 120)})
    wanted = contingency.relative_risk(30, 100, 50, 120)
    interval = wanted.confidence_interval(0.95)
    assert worst.ratio == pytest.approx(wanted.relative_risk)
    assert (worst.ratio_low, worst.ratio_high) == pytest.approx((interval.low, interval.high))
    assert (best.best_off, best.ratio, best.below) == (True, None, False)


def test_small_and_empty_groups_are_shown_and_not_compared() -> None:
    tiny, empty, less, more = disparate_impact.rates(
        {"tiny": (29, 29), "empty": (0, 0), "less": (39, 100), "more": (50, 100)}
    )
    assert (tiny.rate, tiny.small, tiny.best_off, tiny.below) == (1, True, False, None)
    assert (empty.rate, empty.low, empty.ratio, empty.below) == (None, None, None, None)
    assert (less.below, more.best_off) == (True, True)
    exactly = disparate_impact.rates({"less": (40, 100), "more": (50, 100)})[0]
    assert exactly.ratio == pytest.approx(0.8)
    assert exactly.below is False


def test_what_cannot_be_compared_is_none_and_said() -> None:
    (alone,) = disparate_impact.rates({"only": (30, 100)})
    assert (alone.rate, alone.ratio, alone.best_off) == (0.3, None, False)
    nobody = disparate_impact.rates({"f": (0, 100), "m": (0, 100)})
    assert [rate.ratio for rate in nobody] == [None, None]
    everybody = disparate_impact.rates({"f": (100, 100), "m": (100, 100)})
    assert (everybody[1].ratio, everybody[1].ratio_low, everybody[1].below) == (1, None, False)
    one = told_of(people().query("sex == 'f'"))["impact"]["columns"][0]
    assert one["why"] == "fewer than two groups have decided rows"


def test_zero_rows_have_a_summary() -> None:
    told = told_of(people()[:0])
    assert (told["rows"], told["decided"], told["labels"][0]["share"]) == (0, 0, None)
    found = told["treatment"]["sets"][0]
    assert (found["decisions"]["share"], found["domain"]["weighted_share"]) == (None, None)
    assert (found["classifier"]["biased"], found["domain"]["biased"]) == (True, 2)
    json.dumps(told, allow_nan=False)


def test_rows_that_cannot_be_read_have_a_summary() -> None:
    told = told_of(people().assign(sex="x"))
    assert (told["decided"], told["problems"]["rows"]) == (0, 400)
    assert told["problems"]["most_frequent"][0]["rows"] == 400
    assert told["treatment"]["sets"][0]["domain"]["weighted_share"] is None


def test_without_a_favourable_label_rates_are_not_given_and_it_says_why() -> None:
    told = told_of(people(), favourable=None)
    assert told["impact"]["columns"] == []
    assert "no label was named as the favourable one" in told["impact"]["why"]
    nothing = reasons.audit(loans(), people(), ask=()).summary
    assert nothing.as_dict()["treatment"]["why"] == "no protected features were named"
    assert nothing.as_dict()["reasons"]["some_necessary"] is None
    assert "TREATMENT" in str(nothing)


def test_the_text_and_the_notebook_say_the_findings() -> None:
    found = reasons.audit(
        loans(), people(), protected="sex", groups="race", favourable="granted"
    ).summary
    for line in found.findings:
        assert line in str(found)
    assert 20 <= len(str(found).splitlines()) <= 45
    assert "would change if only sex changed" in found._repr_html_()
    assert repr(found) == "<Summary of 400 rows>"


def test_every_key_is_documented() -> None:
    for key in told_of(people()):
        assert key in str(Summary.__doc__)


def test_parts_are_counted_as_the_whole_is() -> None:
    found = reasons.audit(loans(), people(), protected="sex", groups="race", favourable="granted")
    whole = tally.count_verdicts(found.verdict_schema, found.batches())
    parts = tally.count_verdicts(found.verdict_schema, found.table.to_batches(max_chunksize=7))
    assert parts == whole


def test_groups_and_problems_without_end_are_counted_together() -> None:
    frame = people(3 * tally.MOST)
    frame["race"] = [f"r{i}" for i in range(len(frame))]
    found = reasons.audit(loans(), frame, groups="race", favourable="granted").summary
    (column,) = found.as_dict()["impact"]["columns"]
    assert len(column["groups"]) == tally.MOST + 1
    assert sum(x["rows"] for x in column["groups"]) == len(frame)
    assert column["groups"][-1]["group"] == tally.REST
    frame["sex"] = frame["race"]
    told = reasons.audit(loans(), frame, groups="race").summary.as_dict()
    assert told["problems"]["rows"] == len(frame)


@pytest.mark.parametrize("seconds", [20.0, 1e-9])
def test_searched_models_have_a_summary_whatever_the_budget(
    seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("sklearn")
    from sklearn.ensemble import RandomForestClassifier

    monkeypatch.setattr(disparate_treatment, "_SECONDS", seconds)
    rng = Random(2)
    frame = pandas.DataFrame({name: [rng.random() for _ in range(200)] for name in "abc"})
    wanted = (frame.a + frame.b * frame.c > 0.8).astype(int)
    model = RandomForestClassifier(9, max_depth=4, random_state=0).fit(frame, wanted)
    classifier = reasons.compile(model, budget=reasons.Budget(nodes=1, seconds=60))
    assert classifier.method == "search"
    summary = reasons.audit(classifier, frame, protected="b", favourable=1).summary
    told = summary.as_dict()["treatment"]["sets"][0]
    assert told["classifier"]["biased"] is True
    if seconds > 1:
        assert told["domain"]["exact"] is False
        low, high = told["domain"]["interval"]
        assert 0 <= low <= told["domain"]["share"] <= high <= 1
        assert "estimated" in str(summary)
    else:
        assert told["domain"]["known"] is False
        assert "seconds" in told["classifier"]["why"]
        assert "seconds" in told["domain"]["why"]
        assert "not known" in str(summary)
    json.dumps(summary.as_dict(), allow_nan=False)


@pytest.mark.parametrize(
    ("version", "said"),
    [
        (1, "older release .version 1; this one reads 2.: run the audit again, with restart=True"),
        (3, "of version 3, and this release reads 2"),
        ("x", "of version 'x'"),
    ],
)
def test_a_table_of_another_version_is_refused_as_such(version: object, said: str) -> None:
    schema = reasons.audit(loans(), pandas.DataFrame(ROWS)).table.schema
    about = {**json.loads(schema.metadata[KEY]), "version": version}
    with pytest.raises(reasons.InputError, match=said) as refused:
        VerdictSchema.read(schema.with_metadata({KEY: json.dumps(about).encode()}))
    assert "damaged" not in str(refused.value)
