"""The report of an audit: what it shows is true, and nothing that users wrote becomes markup."""

import json
import os
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from typing import Any

import pandas
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import reasons
from reasons.audit.report import report
from reasons.cli import main
from reasons.datasets.applications import PROTECTED, applications, points_card

WORDS = re.compile(r"\S+")
TAGS = WORDS.findall(
    "html head meta title style body main header h1 h2 h3 p section div b span ul li em bdi svg "
    "rect line table caption thead tbody tr th td i br article dl dt dd code"
)
ATTRIBUTES = WORDS.findall(
    "lang charset name content http-equiv class viewbox preserveaspectratio role aria-label width "
    "height rx x1 x2 y1 y2 colspan"
)
HOSTILE = (
    "<script>alert(1)</script>",
    "\"'><img src=x onerror=alert(2)>",
    "</style><script>alert(3)</script>",
    "{{ 7919 * 7907 }}{% raw %}",
    "naïve 漢字 \U0001f600 \u202eright to left",
    "javascript:alert(4)",
)


class Page(HTMLParser):
    """What a page is made of."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.parts: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        self.parts.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.parts).replace("\u00a0", " ").split())


def require_harmless(page: Page) -> None:
    """Raise unless the page has our own elements only, and asks for nothing from elsewhere."""
    assert set(page.tags) <= set(TAGS)
    assert {name for name, _ in page.attributes} <= set(ATTRIBUTES)
    assert (page.tags.count("style"), page.tags.count("html")) == (1, 1)


def hostile() -> tuple[reasons.Classifier, pandas.DataFrame]:
    """A classifier whose features, values and labels are hostile, and rows of it."""
    script, image, style, braces, letters, link = HOSTILE
    one = reasons.Feature.categorical(script, [image, letters])
    two = reasons.Feature.categorical(image, [style, braces], other=True)
    long = reasons.Feature.numeric("long " + "x" * 5_000, [0])
    build = reasons.Builder([one, two, long], labels=(link, style))
    no, yes = build.leaf(link), build.leaf(style)
    inner = build.decide(image, {style: no, braces: yes, reasons.OTHER: no})
    by = build.decide(script, {image: inner, letters: yes})
    below, above = reasons.Interval(float("-inf"), 0), reasons.Interval(0, float("inf"))
    classifier = build.build(build.decide(long.name, {below: no, above: by}))
    rng = Random(1)
    rows = range(300)
    frame = {
        script: [rng.choice([image, letters]) for _ in rows],
        image: [rng.choice([style, braces, script, "\x00\x07"]) for _ in rows],
        long.name: [rng.choice([-1, 1]) for _ in rows],
        link: [rng.choice(HOSTILE) for _ in rows],
        "logged <b>": [rng.choice([link, style, script]) for _ in rows],
    }
    return classifier, pandas.DataFrame(frame)


def test_hostile_texts_stay_texts(tmp_path: Path) -> None:
    classifier, frame = hostile()
    script, image, style, _, _, link = HOSTILE
    found = reasons.audit(
        classifier,
        frame,
        protected={script: [script], "<i>set</i>": [script, image]},
        logged="logged <b>",
        groups=link,
        favourable=style,
    )
    page, _ = found.report(tmp_path / "audit.html")
    read = Page(page.read_text(encoding="utf-8"))
    require_harmless(read)
    for text in (*HOSTILE, "<i>set</i>", "logged <b>"):
        assert text.replace("\u202e", "\ufffd") in read.text, text
    assert "\u202e" not in read.text + str(found.summary)
    assert "(cut)" in read.text
    assert "x" * 2_000 not in read.text
    assert str(7919 * 7907) not in read.text
    assert "<script" not in found.summary._repr_html_()
    assert script in json.loads((tmp_path / "audit.json").read_text())["about"]["protected"]


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", "<a href='x'>y</a>", "<b onclick=x>"]
)
def test_the_comparison_sees_markup_of_a_user(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if texts were not escaped."""
    jinja2 = pytest.importorskip("jinja2")
    rows = [{"E": True, "R": True}]
    found = reasons.audit(reasons.compile("E & R"), rows, protected="R")
    told = report.report_of(found)
    told["findings"] = [jinja2.utils.markupsafe.Markup(text)]
    with pytest.raises(AssertionError):
        require_harmless(Page(report.page_of(told)))


@pytest.fixture(scope="module")
def demo() -> reasons.Audit:
    return reasons.audit(
        points_card(),
        applications(4_000),
        PROTECTED,
        logged="decision",
        groups="region",
        favourable="admitted",
    )


def test_the_page_and_the_json_say_the_summary(demo: reasons.Audit, tmp_path: Path) -> None:
    written = demo.report(tmp_path / "audit.html")
    assert [path.name for path in written] == ["audit.html", "audit.json"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["audit.html", "audit.json"]
    told = json.loads(written[1].read_text())
    assert {name: told[name] for name in demo.summary.as_dict()} == demo.summary.as_dict()
    page = Page(written[0].read_text(encoding="utf-8"))
    require_harmless(page)
    for line in demo.summary.findings:
        assert line in page.text
    for each in told["treatment"]["sets"]:
        for line in each["decisions"]["by_group"]:
            assert f"{line['biased']:,} of {line['known']:,}" in page.text
    for column in told["impact"]["columns"]:
        for line in column["groups"]:
            assert f"{line['favourable']:,} {line['rows']:,}" in page.text
    again = tmp_path / "again.html"
    demo.report(again)
    assert again.read_bytes() == written[0].read_bytes()


@pytest.mark.parametrize("kind", ["frame", "csv", "parquet"])
def test_cases_have_the_kept_columns_of_their_rows(kind: str, tmp_path: Path) -> None:
    table, path = applications(4_000), tmp_path / f"rows.{kind}"
    if kind == "csv":
        pandas.DataFrame(table.to_pylist()).to_csv(path, index=False)
    elif kind == "parquet":
        pq.write_table(table, path)
    found = reasons.audit(
        points_card(),
        table if kind == "frame" else path,
        PROTECTED,
        logged="decision",
        keep=["application", "region"],
        favourable="admitted",
    )
    page, beside = found.report(tmp_path / "audit.html")
    cases, rows = json.loads(beside.read_text())["cases"], found.table.to_pylist()
    assert len(cases) == 4
    text = Page(page.read_text(encoding="utf-8")).text
    for case in cases:
        row = rows[case["row"]]
        assert case["kept"] == {name: row[name] for name in ("application", "region")}
        said = f"Row {case['row']} , application: {row['application']} , region: {row['region']}"
        assert said in text


def test_kept_columns_of_any_type_are_in_the_cases(tmp_path: Path) -> None:
    odd = {
        "when": pa.array([1], pa.timestamp("ns")).take([0, 0]),
        "far": pa.array([2**62], pa.int64()).cast(pa.timestamp("s")).take([0, 0]),
        "raw": pa.array([b"\xff", None]),
        "list": pa.array([[1, None], []]),
        "nan": pa.array([float("nan"), float("inf")]),
        "<b>": pa.array(["<script>", "\u202e"]),
    }
    rows = pa.table({"E": [True, False], "R": [True, True], **odd})
    found = reasons.audit(reasons.compile("E & R"), rows, protected="R", keep=list(odd))
    page, beside = found.report(tmp_path / "audit.html")
    require_harmless(Page(page.read_text(encoding="utf-8")))
    kept = json.loads(beside.read_text())["cases"][0]["kept"]
    assert list(kept) == list(odd)
    assert (kept["nan"], kept["<b>"]) == (None, "<script>")


def test_the_cases_are_true_of_their_rows(demo: reasons.Audit) -> None:
    cases = report.report_of(demo)["cases"]
    verdicts, data = demo.table.to_pylist(), applications(4_000).to_pylist()
    assert [case["kind"] for case in cases] == ["biased"] * 3 + ["logged"]
    for case in cases:
        row, clf = verdicts[case["row"]], points_card()
        assert case["instance"] == {name: data[case["row"]][name] for name in clf.schema.names}
        assert case["label"] == row["label"] == clf.decide(case["instance"]).label
        assert case["sentences"]
        if case["kind"] == "logged":
            assert case["logged"] == row["logged"] != row["label"]
            continue
        assert case["witness_label"] == clf.decide(case["witness"]).label != case["label"]
        changed = {x["feature"]: x["to"] for x in case["changed"]}
        assert set(changed) <= set(PROTECTED)
        assert case["witness"] == {**case["instance"], **changed}
        alike = [
            x
            for x in verdicts
            if x["biased"]
            and (x["label"], x["witness"]) == (row["label"], row["witness"])
            and all(x[f"group_{name}"] == row[f"group_{name}"] for name in changed)
        ]
        assert case["alike"] == len(alike)
        assert case["row"] == alike[0]["row"]
    assert [case["label"] for case in cases[:2]] == ["refused", "refused"]


def test_the_generated_log_is_the_same_every_time_and_has_what_it_promises() -> None:
    one, other = applications(500), applications(500)
    assert one.equals(other)
    assert one.num_rows == 500
    assert not points_card().bias("sex")
    assert points_card().bias("hometown")


def test_an_audit_of_nothing_has_a_report(tmp_path: Path) -> None:
    rows = pandas.DataFrame({"E": [True], "R": [False]})[:0]
    for protected in ((), ("R",)):
        found = reasons.audit(reasons.compile("E & R"), rows, protected=protected)
        page, _ = found.report(tmp_path / "none.html")
        require_harmless(Page(page.read_text()))


def test_a_report_whose_data_is_gone_says_so(tmp_path: Path) -> None:
    data = tmp_path / "rows.csv"
    pandas.DataFrame({"E": [True, False], "R": [False, True]}).to_csv(data, index=False)
    found = reasons.audit(reasons.compile("E & R"), data, protected="R")
    data.unlink()
    page, _ = found.report(tmp_path / "gone.html")
    text = Page(page.read_text()).text
    assert "Weighted by your data, it does for 50.0%" in text, "counted while it was read"
    assert "the rows cannot be read again" in text


@pytest.mark.parametrize(
    ("later", "what"),
    [
        ("E,R\nTrue,False\n", "changed while it was read; audit it again"),
        ("E,R\nTrue,0   \n", "row 0 is not decided as it was; the data has changed"),
    ],
)
def test_cases_are_not_told_of_data_that_has_changed(tmp_path: Path, later: str, what: str) -> None:
    data = tmp_path / "rows.csv"
    data.write_text("E,R\nTrue,True\n")
    before = data.stat()
    found = reasons.audit(reasons.compile("E & R"), data, protected="R")
    data.write_text(later)
    os.utime(data, ns=(before.st_atime_ns, before.st_mtime_ns))
    page, _ = found.report(tmp_path / "changed.html")
    assert what in Page(page.read_text()).text


def test_a_report_is_a_page_in_a_folder_that_exists(tmp_path: Path) -> None:
    found = reasons.audit(reasons.compile("E & R"), [{"E": True, "R": True}])
    with pytest.raises(reasons.InputError, match=r"name it \.html"):
        found.report(tmp_path / "audit.pdf")
    with pytest.raises(reasons.InputError, match="cannot write"):
        found.report(tmp_path / "nowhere" / "audit.html")
    assert list(tmp_path.iterdir()) == []


def run(capsys: Any, monkeypatch: Any, *arguments: object) -> tuple[int, str, str]:
    """The program in this process: how it ended, and what it printed."""
    monkeypatch.setattr(sys, "argv", ["reasons", *map(str, arguments)])
    with pytest.raises(SystemExit) as ended:
        main()
    out, err = capsys.readouterr()
    return int(ended.value.code or 0), out, err


def files(folder: Path) -> list[object]:
    """A model, data and codes as files, and the command that audits them."""
    points_card().save(folder / "model.reasons")
    applications(2_000).to_pandas().to_csv(folder / "log.csv", index=False)
    lines = [f"{name},{i:02},About {name}" for i, name in enumerate(points_card().schema.names)]
    (folder / "codes.csv").write_text("\n".join(["feature,code,text", *lines]))
    audit = ["audit", folder / "model.reasons", folder / "log.csv", "--protected", "hometown,sex"]
    audit += ["--favourable", "admitted", "--logged", "decision", "--groups", "region"]
    audit += ["--report", folder / "audit.html", "--letters", folder / "letters.csv"]
    return [*audit, "--codes", folder / "codes.csv", "-o", folder / "verdicts.parquet"]


def test_the_command_line_writes_the_report_and_letters(
    tmp_path: Path, capsys: Any, monkeypatch: Any
) -> None:
    command = files(tmp_path)
    code, out, _ = run(capsys, monkeypatch, *command, "--json")
    told = json.loads(out)
    assert code == 0
    names = ["verdicts.parquet", "audit.html", "audit.json", "letters.csv"]
    assert told["written"] == [str(tmp_path / name) for name in names]
    refused = next(x["rows"] for x in told["labels"] if x["label"] == "refused")
    granted = next(x["rows"] for x in told["labels"] if x["label"] == "admitted")
    counts = {"rows": refused, "without": 0, "undecided": 40, "granted": granted, "notes": {}}
    assert told["letters"] == counts
    assert len(pandas.read_csv(tmp_path / "letters.csv")) == refused
    kept = json.loads((tmp_path / "audit.json").read_text())
    assert {name: kept[name] for name in ("rows", "treatment", "impact")} == {
        name: told[name] for name in ("rows", "treatment", "impact")
    }
    code, out, _ = run(capsys, monkeypatch, *command)
    assert code == 0
    assert "TREATMENT (exact" in out
    assert f"written: {tmp_path / 'audit.html'}" in out
    assert f"{tmp_path / 'letters.csv'}: {refused:,} letters\n" in out
    assert f"  no letter: {granted:,} rows that got admitted\n" in out
    assert "  no letter: 40 rows that could not be decided\n" in out


def test_letters_show_on_a_terminal_how_far_they_are(
    tmp_path: Path, capsys: Any, monkeypatch: Any
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    code, _, err = run(capsys, monkeypatch, *files(tmp_path))
    assert code == 0
    assert "rows for letters" in err


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"--codes": None}, "--letters needs --codes FILE, a CSV of feature,code,text"),
        ({"--codes": "no.csv"}, "cannot read no.csv"),
        ({"--letters": "letters.xlsx"}, "letters go to"),
        ({"--report": "audit.pdf"}, "name it .html"),
        ({"--favourable": "maybe"}, "there is no label 'maybe'"),
    ],
)
def test_the_command_line_refuses_what_cannot_be(
    change: dict[str, str | None], what: str, tmp_path: Path, capsys: Any, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    command = files(tmp_path)
    for option, value in change.items():
        at = command.index(option)
        command[at : at + 2] = [] if value is None else [option, value]
    code, _, err = run(capsys, monkeypatch, *command)
    assert code == 2
    assert what in " ".join(err.split())
