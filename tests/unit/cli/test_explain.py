"""`reasons explain`: what it says of a row, as text and as JSON."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import reasons
from reasons.cli.explain import lines
from reasons.explain.overview import Unanswered, overview

C1 = "E & (~F | G | W)"
GREG = "E, ~F, ~G, W"


def test_explain_says_why(run: Any) -> None:
    done = run("explain", C1, "--instance", GREG, "--protected", "W")
    assert done.code == 0
    assert not done.err
    for part in ["True", "E & (~F | W)", "E, ~F", "E, W", "even if", "decision bias", "witness"]:
        assert part in done.out


def values(term: dict[str, Any]) -> dict[str, Any]:
    return {each["feature"]: each["values"] for each in term["characteristics"]}


def test_explain_as_json_is_one_object(run: Any) -> None:
    done = run("explain", C1, "-i", GREG, "--protected", "W,F", "--json")
    found = json.loads(done.out)
    assert (done.code, done.err) == (0, "")
    assert found["label"] is True
    assert found["instance"] == {"E": True, "F": False, "G": False, "W": True}
    assert found["complete_reason"]["text"] == "E & (~F | W)"
    assert found["sufficient_reasons"]["count"] == "2"
    assert [values(term) for term in found["sufficient_reasons"]["shown"]] == [
        {"E": [True], "F": [False]},
        {"E": [True], "W": [True]},
    ]
    assert values(found["necessary"]) == {"E": [True]}
    assert found["necessary_reason"] is None
    assert found["general_reason"] is None
    assert found["unanswered"] == found["exceeded"] == found["notes"] == []
    assert found["bias"]["protected"] == ["W", "F"]
    assert found["bias"]["decision"]["biased"] is True
    assert found["bias"]["decision"]["witness"] == {"E": True, "F": True, "G": False, "W": False}
    assert len(found["bias"]["classifier"]["pair"]) == 2


def test_rows_of_a_table_are_explained(run: Any, tmp_path: Path) -> None:
    data = tmp_path / "rows.csv"
    data.write_text("W,E,F,G,name\n1,1,0,0,Greg\ntrue,FALSE,0,0,Jackie\n,1,1,1,nobody\n")
    for row, label in [(0, True), (1, False)]:
        done = run("explain", C1, "--data", data, "--row", row, "--json")
        assert json.loads(done.out)["label"] is label
    for arguments, message in [
        (["--data", data, "--row", 2], "'W'"),
        (["--data", data, "--row", 3], "no row 3"),
        (["--data", data, "--row", -1], "--row"),
        (["--data", data], "--row"),
        (["--data", tmp_path / "none.csv", "--row", 0], "none.csv"),
        (["--data", tmp_path, "--row", 0], str(tmp_path)),
        ([], "--instance"),
        (["--data", data, "--row", 0, "-i", GREG], "--instance"),
    ]:
        done = run("explain", C1, *arguments)
        assert (done.code, done.out) == (2, ""), arguments
        assert message in done.err
    (tmp_path / "short.csv").write_text("E,F,G\n1,0,0\n")
    done = run("explain", C1, "--data", tmp_path / "short.csv", "--row", 0)
    assert (done.code, "W" in done.err) == (2, True)


def test_an_explanation_says_which_row_it_is_about(run: Any, tmp_path: Path) -> None:
    data = tmp_path / "rows.csv"
    data.write_text("id,E,F,G,W,log\n a7,1,0,0,1,true\nb8,0,0,0,1,TRUE\nc9,0,0,0,1,maybe\n")
    of = ("explain", C1, "--data", data, "--row")
    out = run(*of, 0).out.splitlines()
    assert out[1].split() == ["row:", "0", "of", f"{data},", "counted", "from", "0"]
    assert not any(line.strip().startswith(("logged:", "id:")) for line in out)
    for row, wanted in (
        (0, "true"),
        (1, "TRUE (the model disagrees)"),
        (2, "maybe (not a label of the model)"),
    ):
        done = run(*of, row, "--logged", "log", "--keep", "id")
        told = dict(line.strip().split(":", 1) for line in done.out.splitlines()[1:6])
        assert told["logged"].strip() == wanted
        assert told["id"].strip() == ["a7", "b8", "c9"][row]
        assert told["decision"].strip() == str(row == 0)
    found = json.loads(run(*of, 0, "--logged", "log", "--keep", "id", "--json").out)
    assert found["row"] == {
        "data": str(data),
        "number": 0,
        "kept": {"id": " a7"},
        "logged": "true",
    }
    assert json.loads(run("explain", C1, "-i", GREG, "--json").out)["row"] is None
    for more, message in (
        ((*of, 0, "--logged", "lok"), "did you mean 'log'?"),
        ((*of, 0, "--keep", "ID"), "did you mean 'id'?"),
        (("explain", C1, "-i", GREG, "--logged", "log"), "--logged names a column of --data"),
        (("explain", C1, "-i", GREG, "--keep", "id"), "--keep names a column of --data"),
    ):
        done = run(*more)
        assert (done.code, done.out) == (2, "")
        assert message in done.err


@pytest.mark.parametrize("row", ["A00002", "-1", "1.5", "", "9" * 30])
def test_a_row_is_a_number_from_0(run: Any, model: Path, row: str, tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("E,F,G,W,R\n1,0,0,1,0\n")
    done = run("explain", model, "--data", tmp_path / "rows.csv", f"--row={row}")
    assert done.code == 2
    assert "is not a row number; rows are counted from 0" in " ".join(done.err.split())


@pytest.mark.parametrize("sign", [";", "\t"])
def test_a_file_is_read_with_the_delimiter_of_its_header(
    run: Any, model: Path, sign: str, tmp_path: Path
) -> None:
    rows, plain = tmp_path / "rows.csv", tmp_path / "plain.csv"
    plain.write_text("E,F,G,W,R\n1,0,0,1,0\n")
    rows.write_text(plain.read_text().replace(",", sign))
    found = [run("explain", model, "--data", data, "--row", "0") for data in (rows, plain)]
    assert found[0].code == 0
    assert found[0].out == found[1].out.replace("plain.csv", "rows.csv")
    assert run("audit", model, rows).code == 0


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("E,F,G,W,R,E\n1,0,0,1,0,0\n", "has the column 'E' twice"),
        ("E,F,G,W,R\n1,0,0,1,0,1\n", "rows.csv:2: 6 cells, where the header has 5"),
        ('E,F,G,W,R\n1,0,0,1,"0\n', "rows.csv:2:9: this quote is never closed"),
        ("E,F,G,R\n1,0,0,1\n", "lacks the columns: W"),
    ],
)
def test_a_row_that_is_not_as_its_header_says_is_refused(
    run: Any, model: Path, text: str, why: str, tmp_path: Path
) -> None:
    """Found: of two columns of one name the last was taken, and cells too many were left out."""
    (tmp_path / "rows.csv").write_text(text)
    done = run("explain", model, "--data", tmp_path / "rows.csv", "--row", "0")
    assert done.code == 2
    assert why in done.err


def jobs() -> reasons.Classifier:
    """Pay decides; in the middle the job does, or any job that is not known."""
    pay = reasons.Feature.numeric("pay", [20, 40])
    job = reasons.Feature.categorical("job", ["clerk", "nurse"], other=True)
    build = reasons.Builder([pay, job], ["no", "yes"])
    no, yes = build.leaf("no"), build.leaf("yes")
    middle = build.decide("job", {"clerk": yes, "nurse": no, reasons.OTHER: no})
    low, between, high = pay.values
    return build.build(build.decide("pay", {low: no, between: middle, high: yes}))


def test_an_explanation_of_a_row_has_its_values_and_says_which_are_unseen(
    run: Any, tmp_path: Path
) -> None:
    jobs().save(tmp_path / "jobs.reasons")
    (tmp_path / "rows.csv").write_text(
        "id,job,pay\n1,pilot,30\n2,clerk,30\n3," + "x" * 90 + ",30\n"
    )
    of = ("explain", tmp_path / "jobs.reasons", "--data", tmp_path / "rows.csv", "--row")
    out = run(*of, 0).out
    assert re.search(r"values: +pay = 30, job = pilot\n", out)
    assert "job = pilot is unknown to the model; it counts as <other>\n" in out
    assert json.loads(run(*of, 0, "--json").out)["unseen"] == {"job": "pilot"}
    out = run(*of, 1).out
    assert re.search(r"values: +pay = 30, job = clerk\n", out)
    assert "unseen" not in out
    assert json.loads(run(*of, 1, "--json").out)["unseen"] == {}
    assert "x" * 50 not in run(*of, 2).out
    typed = ("explain", tmp_path / "jobs.reasons", "-i")
    assert "job = pilot is unknown to the model" in run(*typed, "pay = 30, job = pilot").out
    assert "unseen" not in run(*typed, "pay = 30, job = <other>").out


def named(out: str) -> list[str]:
    return re.findall(r"^  (\w[\w ]*):", out, re.MULTILINE)


def test_what_is_widened_follows_what_it_widens_and_the_general_reason_is_last(
    run: Any, tmp_path: Path
) -> None:
    jobs().save(tmp_path / "jobs.reasons")
    names = named(run("explain", tmp_path / "jobs.reasons", "-i", "pay = 30, job = clerk").out)
    assert names[names.index("one sufficient reason") + 1] == "widened"
    assert names[-1] == "general reason"
    assert "features in them" in names
    assert "widened" not in named(run("explain", C1, "-i", GREG).out)


def test_features_of_reasons_that_are_not_listed_are_not_said_to_be_none(
    run: Any, tmp_path: Path
) -> None:
    large = tmp_path / "large.reasons"
    reasons.compile(" & ".join(f"(a{i} | b{i})" for i in range(30))).save(large)
    text = ", ".join(f"a{i}, b{i}" for i in range(30))
    out = run("explain", large, "-i", text, "--nodes", "10").out
    assert "budget exceeded" in out
    assert "sufficient reasons" in named(out)
    assert "features in them" not in named(out)


def test_what_was_not_answered_is_not_said_to_be_none() -> None:
    """No time for the changes does not mean that there are none."""
    whole = overview(reasons.compile(C1).decide(GREG))
    for part, name in (
        ("necessary", "necessary property"),
        ("necessary_reason", "necessary reason"),
        ("changes", "smallest changes"),
    ):
        error = reasons.BudgetExceeded(part, seconds=1.0)
        empty: Any = () if part == "changes" else None
        field = {"changes": "counterfactuals"}.get(part, part)
        cut = replace(whole, unanswered=(Unanswered(part, error),), **{field: empty})
        assert dict(lines(cut))[name] == "not known"
        assert dict(lines(whole))[name] != "not known"


def test_background_says_which_values_there_are(run: Any, tmp_path: Path) -> None:
    import pickle

    import pandas
    from sklearn.tree import DecisionTreeClassifier

    frame = pandas.DataFrame({"age": range(18, 60), "rooms": [1, 2] * 21})
    model, rows = tmp_path / "tree.pkl", tmp_path / "rows.csv"
    fitted = DecisionTreeClassifier().fit(frame, frame["age"] > 40)
    model.write_bytes(pickle.dumps(fitted))
    frame.to_csv(rows, index=False)
    asked = ("explain", str(model), "--with", "allow_pickle=true", "--background", str(rows), "-i")
    assert "age > 40" in run(*asked, "age = 50, rooms = 1").out
    refused = run(*asked, "age = 70, rooms = 1")
    assert "it takes a whole number from 18 to 59" in refused.err
    done = run("explain", C1, "--background", str(rows), "-i", GREG)
    assert "--background is for the file of a trained model" in done.err
