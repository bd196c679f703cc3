"""Values that a model has not seen: counted against plain loops, and what hangs on them alone."""

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pandas
import pyarrow as pa
import pytest

import reasons
from reasons import Feature
from reasons.audit.summary import counts as tally
from reasons.audit.verdicts import witnesses, worker
from reasons.features.grammar.tokens import quoted
from reasons.formats.rows.source import PART
from reasons.search import batch as searched
from tests.support.audit.trained_models import PROTECTED, classifier, log
from tests.support.audit.verdicts import frame_of, require_unbiased_or_witness
from tests.support.comparison import Mismatch, Subject
from tests.support.generators import KINDS, random_case

ODD: dict[str, list[Any]] = {
    "sex": ["f", "m", "F", "X", "", "a, b", None],
    "a = b": ["x", "y", "x = y"],
    "job": ["clerk", "chef"],
}


def odd_model() -> reasons.Classifier:
    """Sex has a cell for others and one for missing, the other features have none."""
    features = [
        Feature.categorical("sex", ["f", "m"], other=True, missing=True),
        Feature.categorical("a = b", ["x", "y"], other=True),
        Feature.categorical("job", ["clerk", "nurse"]),
    ]
    builder = reasons.Builder(features, ["no", "yes"])
    no, yes = builder.leaf("no"), builder.leaf("yes")
    job = builder.decide("job", {"clerk": no, "nurse": yes})
    arms = {"f": job, "m": job, reasons.OTHER: yes, reasons.MISSING: yes}
    return builder.build(builder.decide("sex", arms))


def odd_rows(number: int, seed: int = 0) -> dict[str, list[Any]]:
    rng = Random(seed)
    return {
        "sex": rng.choices(ODD["sex"], [40, 40, 9, 4, 0, 3, 4], k=number),
        "a = b": rng.choices(ODD["a = b"], [60, 30, 10], k=number),
        "job": rng.choices(ODD["job"], [90, 10], k=number),
    }


def counted(data: dict[str, list[Any]]) -> dict[str, Counter[str]]:
    """By a loop over the values: those that are no category, and not missing."""
    known = {"sex": ("f", "m", None), "a = b": ("x", "y"), "job": ("clerk", "nurse")}
    return {name: Counter(x for x in own if x not in known[name]) for name, own in data.items()}


def told(found: reasons.Audit) -> dict[str, Counter[str]]:
    """What the summary counts."""
    return {
        x["feature"]: Counter({v["value"]: v["rows"] for v in x["values"]})
        for x in found.summary.as_dict()["unseen"]
    }


def test_unseen_values_are_counted_exactly_over_many_parts() -> None:
    data = odd_rows(PART + 500)
    found = reasons.audit(odd_model(), pa.table(data), protected="sex")
    assert told(found) == counted(data)
    by_feature = {x["feature"]: x for x in found.summary.as_dict()["unseen"]}
    assert {name: x["rows"] for name, x in by_feature.items()} == {
        name: sum(own.values()) for name, own in counted(data).items()
    }
    assert {name: x["decided"] for name, x in by_feature.items()} == {
        "sex": True,
        "a = b": True,
        "job": False,
    }


def test_each_row_names_its_own_unseen_values(tmp_path: Path) -> None:
    frame = pandas.DataFrame(
        {
            "sex": ["F", "f", "m", None],
            "a = b": ["x", "y", "x = y", "x"],
            "job": ["clerk"] * 3 + ["no"],
        }
    )
    frame.to_csv(tmp_path / "rows.csv", index=False)
    for data in (frame, tmp_path / "rows.csv", frame.astype("category")):
        found = reasons.audit(odd_model(), data, protected="sex")
        assert found.table["unseen"].to_pylist() == [
            ["sex = F"],
            None,
            ['"a = b" = "x = y"'],
            ["job = no"],
        ]


def test_the_finding_names_the_values_and_what_becomes_of_them() -> None:
    data = {
        "sex": ["F"] * 20 + ["X"] * 10 + ["f"],
        "a = b": ["x"] * 31,
        "job": ["clerk"] * 30 + ["chef"],
    }
    found = reasons.audit(odd_model(), data_of(data), protected="sex").summary.findings
    assert (
        "30 rows have values of sex that the model has not seen, and are decided as <other>: "
        "F (20), X (10)." in found
    )
    assert (
        "1 row has a value of job that the model has not seen, and is not decided: chef (1)."
        in found
    )


def data_of(data: dict[str, list[Any]]) -> pa.Table:
    return pa.table(data)


def test_there_is_no_finding_where_all_values_were_seen() -> None:
    data = pa.table({"sex": ["f", None], "a = b": ["x", "y"], "job": ["clerk", "nurse"]})
    found = reasons.audit(odd_model(), data)
    assert not any("not seen" in line for line in found.summary.findings)
    assert found.table["unseen"].null_count == 2


def test_memory_does_not_hang_on_how_many_unseen_values_there_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tally, "MOST", 5)
    data = {"sex": [f"s{i}" for i in range(300)], "a = b": ["x"] * 300, "job": ["clerk"] * 300}
    summary = reasons.audit(odd_model(), pa.table(data)).summary
    assert len(summary.tally.unseen["sex"]) == 6
    (line,) = summary.as_dict()["unseen"]
    assert (line["rows"], len(line["values"])) == (300, 5)
    assert "others (295)." in next(x for x in summary.findings if "not seen" in x)


@pytest.mark.parametrize("odd", ["a, b", "", 'say "x"', "a\\nb", "a\nb\tc", "=", '"', "\\", " x "])
def test_the_summary_has_the_value_itself(odd: str) -> None:
    data = pa.table({"sex": [odd], "a = b": ["x"], "job": ["clerk"]})
    found = reasons.audit(odd_model(), data)
    (line,) = found.summary.as_dict()["unseen"]
    assert line["values"] == [{"value": odd, "rows": 1}]
    assert found.table["unseen"].to_pylist() == [[f"sex = {quoted(odd)}"]]


def test_a_text_without_end_is_cut() -> None:
    data = pa.table({"sex": ["s" * 10_000], "a = b": ["x"], "job": ["clerk"]})
    (text,) = reasons.audit(odd_model(), data).table["unseen"].to_pylist()[0]
    assert len(text) < 300


def test_what_hangs_on_unseen_or_missing_values_alone_is_said() -> None:
    """A clerk is refused unless the sex is unseen or missing; a nurse never is."""
    data = pa.table(
        {"sex": ["f", "m", "f"], "a = b": ["x"] * 3, "job": ["clerk", "clerk", "nurse"]}
    )
    summary = reasons.audit(odd_model(), data, protected="sex", favourable="yes").summary
    decisions = summary.as_dict()["treatment"]["sets"][0]["decisions"]
    assert (decisions["biased"], decisions["only_unseen"]) == (2, 2)
    wanted = "All of these change only for a value of sex that the model has not seen (<other>)"
    assert any(line.startswith(wanted) for line in summary.findings)


def test_a_row_may_keep_an_unseen_value_of_its_own() -> None:
    """With an unseen sex a clerk is taken, with a seen one refused: no unseen value is needed."""
    data = pa.table({"sex": ["X", None], "a = b": ["x"] * 2, "job": ["clerk"] * 2})
    found = reasons.audit(odd_model(), data, protected="sex")
    assert found.table["witness"].to_pylist() == [["sex = m"], ["sex = m"]]
    assert found.summary.as_dict()["treatment"]["sets"][0]["decisions"]["only_unseen"] == 0


def test_without_witnesses_it_is_not_known() -> None:
    data = pa.table({"sex": ["f"], "a = b": ["x"], "job": ["clerk"]})
    found = reasons.audit(odd_model(), data, protected="sex", ask="bias").summary.as_dict()
    assert found["treatment"]["sets"][0]["decisions"]["only_unseen"] is None


def audited(kind: str, seed: int) -> tuple[Subject, list[Any], list[dict[str, Any]]]:
    rng = Random(f"{kind} {seed}")
    subject = Subject(*random_case(kind, seed))
    names = [feature.name for feature in subject.features]
    protected = rng.sample(names, rng.randint(1, len(names)))
    table = rng.choices(subject.instances, k=40)
    found = reasons.audit(subject.classifier, frame_of(subject, table), protected)
    return subject, table, found.table.to_pylist()


def require_witness(subject: Subject, instance: Any, row: dict[str, Any]) -> None:
    if row["label"] is not None:
        own = [f for f, x in enumerate(subject.features) if f"group_{x.name}" in row]
        require_unbiased_or_witness(subject, instance, row, own)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_sweeps_find_the_same_as_trying(
    kind: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(witnesses, "FEW", 0)
    subject, table, found = audited(kind, seed)
    for instance, row in zip(table, found, strict=True):
        require_witness(subject, instance, row)


@pytest.mark.parametrize("broken", ["left out", "of any value"])
def test_the_comparison_sees_witnesses_that_are_needlessly_unseen(
    broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if broken == "left out":
        monkeypatch.setattr(worker, "prefer_seen_values", lambda schema, answers, own, bias: bias)
    else:
        monkeypatch.setattr(witnesses, "_seen", lambda feature: range(len(feature.values)))
    wrong = 0
    for seed in range(12):
        for kind in KINDS:
            subject, table, found = audited(kind, seed)
            for instance, row in zip(table, found, strict=True):
                try:
                    require_witness(subject, instance, row)
                except Mismatch:
                    wrong += 1
    assert wrong


@pytest.mark.parametrize("name", ["forest", "histograms"])
def test_a_searched_model_hangs_on_unseen_values_as_its_circuit_does(name: str) -> None:
    counts = [
        reasons.audit(
            classifier(name, method), log(name), PROTECTED, ("bias", "witness")
        ).summary.as_dict()["treatment"]["sets"][0]["decisions"]["only_unseen"]
        for method in ("compiled", "search")
    ]
    assert counts[0] == counts[1]
    assert counts[0] is not None


def test_a_search_that_does_not_try_all_says_that_it_does_not_know(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(searched, "MOST_COMBINATIONS", 2)
    found = reasons.audit(classifier("forest", "search"), log("forest").head(3), "job", "witness")
    decisions = found.summary.as_dict()["treatment"]["sets"][0]["decisions"]
    assert decisions["only_unseen"] is None
