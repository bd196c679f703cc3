"""Letters: every stated reason is true of its decision, by brute force; nothing is hidden."""

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import reasons
from reasons.formats.rows.source import PART
from tests.support import oracle
from tests.support.comparison import Mismatch, Subject
from tests.support.generators import KINDS, random_case

Row = Mapping[str, Any]


def read(path: Path) -> list[dict[str, Any]]:
    """The rows of a file of letters; of a CSV file, all texts, and None for what is empty."""
    if path.suffix == ".parquet":
        return list(pq.read_table(path).to_pylist())
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in text.splitlines()]
    lines = csv.DictReader(text.splitlines())
    return [{name: value or None for name, value in line.items()} for line in lines]


class Case:
    """A random classifier, rows of it, and a random table of codes."""

    def __init__(self, kind: str, seed: int) -> None:
        rng = Random(f"{kind} {seed} letters")
        self.subject = subject = Subject(*random_case(kind, seed))
        self.instances = rng.choices(subject.instances, k=60)
        self.favourable = rng.choice(subject.classifier.labels)
        names = [feature.name for feature in subject.features]
        self.never = rng.sample(names, rng.choice([0, 1, 2]) if len(names) > 2 else 0)
        self.order = rng.sample(names, len(names))
        codes = {name: (f"C{rng.randrange(8)}", "") for name in self.order}
        self.codes = {
            name: None if name in self.never else (code, f"text of {code}")
            for name, (code, _) in codes.items()
        }
        self.protected = rng.sample(names, 1)
        self.texts = {
            feature.says((cell,)): (f, cell)
            for f, feature in enumerate(subject.features)
            for cell in range(len(feature.values))
        }

    def letters(self, path: Path) -> list[dict[str, Any]]:
        rows = pa.Table.from_pylist([self.subject.user_instance(x) for x in self.instances])
        found = reasons.audit(
            self.subject.classifier, rows, self.protected, favourable=self.favourable
        )
        found.letters(path, self.codes)
        return read(path)

    def term(self, text: str | None) -> oracle.Term:
        return frozenset(self.texts[each] for each in (text or "").split("; ") if each)


def require(case: Case, letters: list[dict[str, Any]]) -> None:
    """Raise `Mismatch` unless there is a true letter for each refusal, and no other."""
    subject, table = case.subject, case.subject.function.table
    refused = [
        i
        for i, x in enumerate(case.instances)
        if table[x] is not oracle.IMPOSSIBLE and table[x] != case.favourable
    ]
    subject.expect("rows", [letter["row"] for letter in letters], refused)
    for letter in letters:
        require_true(case, case.instances[letter["row"]], letter)


def require_true(case: Case, instance: oracle.Instance, letter: Row) -> None:
    subject, function = case.subject, case.subject.function
    every = oracle.sufficient_reasons(function, instance)
    never = {subject.index[name] for name in case.never}
    avoiding = [each for each in every if not any(f in never for f, _ in each)]
    named = [letter[f"characteristic_{i}"] for i in range(1, 5)]
    subject.expect("label", letter["label"], function.table[instance])
    if not avoiding:
        subject.expect("nothing cited", (named, letter["whole"]), ([None] * 4, None))
        subject.expect("note", "never cited; one has" in letter["note"], True)
        return
    if every == {frozenset()}:
        subject.expect("note", "whatever the values are" in letter["note"], True)
        return
    whole = case.term(letter["whole"])
    subject.expect("note", letter["note"], None)
    subject.expect("a sufficient reason that may be cited", whole in avoiding, True)
    subject.expect(
        "sentence", all(x in letter["statement"] for x in letter["whole"].split("; ")), 1
    )
    require_order(case, instance, letter, whole, named)
    guarded = {subject.index[name] for name in case.protected}
    listed = {f for f, _ in case.term(letter["protected"])}
    subject.expect("protected", listed, guarded & {f for f, _ in whole})


def require_order(
    case: Case, instance: oracle.Instance, letter: Row, whole: oracle.Term, named: list[Any]
) -> None:
    """Necessary ones first, then in the order of the table; by code, at most four."""
    subject = case.subject
    needed = oracle.necessary_property(subject.function, instance)
    name = {f: feature.name for f, feature in enumerate(subject.features)}
    order = sorted(whole, key=lambda x: (x not in needed, case.order.index(name[x[0]])))
    cited: dict[Any, set[Any]] = {}
    for x in order:
        cited.setdefault(case.codes[name[x[0]]], set()).add(x)
    subject.expect("number", letter["reasons"], len(cited))
    got = [
        ((letter[f"code_{i}"], letter[f"text_{i}"]), set(case.term(text)))
        for i, text in enumerate(named, 1)
        if text is not None
    ]
    subject.expect("principal reasons", got, list(cited.items())[:4])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(4))
def test_every_letter_is_true_by_brute_force(kind: str, seed: int, tmp_path: Path) -> None:
    case = Case(kind, seed)
    require(case, case.letters(tmp_path / "letters.parquet"))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda x: {**x, "whole": x["whole"].rpartition("; ")[0]},
        lambda x: {**x, "characteristic_1": None},
        lambda x: {**x, "reasons": x["reasons"] + 1},
        lambda x: {**x, "code_1": "another"},
        lambda x: {**x, "protected": "; ".join(set(x["whole"].split("; "))) * (not x["protected"])},
        lambda x: {**x, "note": "never cited; one has"},
    ],
)
def test_the_comparison_sees_a_letter_that_is_not_true(spoil: Any, tmp_path: Path) -> None:
    seen = 0
    for seed in range(12):
        case = Case("graph", seed)
        case.protected = [feature.name for feature in case.subject.features]
        letters = case.letters(tmp_path / "letters.parquet")
        for i, letter in enumerate(letters):
            if letter["whole"] is not None:
                with pytest.raises(Mismatch):
                    require(case, [*letters[:i], spoil(letter), *letters[i + 1 :]])
                seen += 1
                break
    assert seen > 3


NAMES = ["a", "b", "c", "d", "e", "f"]
CODES = {name: (f"0{i}", f"No {name}") for i, name in enumerate(NAMES)}


def nothing_of(names: list[str], **options: Any) -> reasons.Audit:
    """An audit of one row that is refused because all of the features are false."""
    rows = [dict.fromkeys(names, False)]
    return reasons.audit(reasons.compile(" | ".join(names)), rows, **options)


def test_more_than_four_reasons_are_counted_and_all_of_them_are_in_the_statement(
    tmp_path: Path,
) -> None:
    nothing_of(NAMES, protected="f").letters(tmp_path / "x.jsonl", CODES)
    (letter,) = read(tmp_path / "x.jsonl")
    assert letter["reasons"] == 6
    assert [letter[f"code_{i}"] for i in range(1, 5)] == ["00", "01", "02", "03"]
    assert letter["whole"] == "~a; ~b; ~c; ~d; ~e; ~f"
    assert letter["protected"] == "~f"
    assert letter["statement"].endswith("because ~a, ~b, ~c, ~d, ~e and ~f.")


def test_features_that_share_a_code_are_one_reason(tmp_path: Path) -> None:
    codes = {**CODES, "b": ("00", "No a"), "f": ("00", "No a")}
    nothing_of(NAMES).letters(tmp_path / "x.jsonl", codes)
    (letter,) = read(tmp_path / "x.jsonl")
    assert (letter["reasons"], letter["characteristic_1"]) == (4, "~a; ~b; ~f")
    assert (letter["code_4"], letter["characteristic_4"]) == ("04", "~e")


def test_a_reason_without_what_is_never_cited_is_looked_for(tmp_path: Path) -> None:
    """Either of a and b refuses; without the rule, a would be cited."""
    found = reasons.audit(reasons.compile("a & b"), [{"a": False, "b": False}])
    for codes, whole in (
        ({"a": ("1", "A"), "b": ("2", "B")}, "~a"),
        ({"a": None, "b": ("2", "B")}, "~b"),
    ):
        posted = found.letters(tmp_path / "x.jsonl", codes)
        assert read(tmp_path / "x.jsonl")[0]["whole"] == whole
        assert (posted.rows, posted.without, posted.undecided) == (1, 0, 0)


def test_the_rows_without_codes_are_those_whose_decision_is_biased(tmp_path: Path) -> None:
    classifier = reasons.compile("(E & (G | R)) | (G & R)")
    rows = [{"E": e, "G": g, "R": r} for e in (0, 1) for g in (0, 1) for r in (0, 1)]
    found = reasons.audit(classifier, rows, protected="R")
    codes = {"E": ("1", "Exam"), "G": ("2", "Grades"), "R": None}
    posted = found.letters(tmp_path / "x.jsonl", codes)
    noted = {x["row"] for x in read(tmp_path / "x.jsonl") if x["note"]}
    table = found.table.to_pylist()
    assert noted == {x["row"] for x in table if x["biased"] and not x["label"]}
    assert posted.without == len(noted) > 0
    why = "every reason includes a feature that is never cited"
    assert posted.notes == {why: len(noted)}
    assert str(posted).splitlines() == [
        f"{tmp_path / 'x.jsonl'}: 4 letters",
        f"  {4 - len(noted)} give the reasons of a refusal",
        f"  {len(noted)} give no reason: {why}",
        "  no letter: 4 rows that got True",
    ]


def test_all_kinds_of_files_say_the_same(tmp_path: Path) -> None:
    rows = [dict.fromkeys(NAMES, False) | {"id": f'é,"{i}"\n', "x": float("nan")} for i in range(3)]
    found = reasons.audit(reasons.compile(" | ".join(NAMES)), rows, keep=["id", "x"])
    kinds = {suffix: tmp_path / f"x{suffix}" for suffix in (".csv", ".jsonl", ".parquet")}
    for path in kinds.values():
        found.letters(path, CODES)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.csv", "x.jsonl", "x.parquet"]
    wanted = read(kinds[".parquet"])
    assert read(kinds[".jsonl"]) == wanted
    assert [x["id"] for x in wanted] == [row["id"] for row in rows]
    with open(kinds[".csv"], newline="", encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    for line, row in zip(lines, wanted, strict=True):
        assert line == {k: "" if v is None else str(v) for k, v in row.items()}


def test_codes_are_read_from_a_file_as_from_a_mapping(tmp_path: Path) -> None:
    lines = [f" {name} , {code} ,{text}" for name, (code, text) in CODES.items()]
    lines[0] = "a,NEVER,"
    (tmp_path / "codes.csv").write_text("\ufeff" + "\n".join(["Feature,code,text", *lines]).lower())
    found = nothing_of(NAMES)
    found.letters(tmp_path / "file.jsonl", tmp_path / "codes.csv")
    lower = {name: (code, text.lower()) for name, (code, text) in CODES.items()}
    found.letters(tmp_path / "mapping.jsonl", lower | {"a": None})
    assert read(tmp_path / "file.jsonl") == read(tmp_path / "mapping.jsonl")
    assert read(tmp_path / "file.jsonl")[0]["note"].endswith("one has ~a")


@pytest.mark.parametrize(
    ("codes", "what"),
    [
        ({"a": ("1", "A")}, "lacks the features: b"),
        ({"a": ("1", "A"), "b": ("1", "B")}, "two different texts"),
        (
            {"a": ("1", "A"), "b": ("", "B")},
            "no text for 'b'; the code 'never' is for features that must not",
        ),
        ({"a": ("1", "A"), "b": ("2",)}, "must be"),
        ({"a": ("1", "A"), "b": None, "z": None}, "'z'"),
        (3, "must be a CSV file or a mapping"),
        ("feature,code\na,1\n", "codes.csv lacks the columns: text"),
        ("feature,code,text\na,1,A\na,2,B\n", "the feature 'a' twice"),
        ("feature,code,text\na,1,A, and more\n", "codes.csv:2: 4 cells, where the header has 3"),
        ("feature,code,text\na,1\nb,2,B\n", "no code or no text for 'a'"),
        (b"feature,code,text\na,1,\xff\n", "not UTF-8"),
    ],
)
def test_codes_that_cannot_be_used_are_refused_before_anything_is_written(
    codes: Any, what: str, tmp_path: Path
) -> None:
    found = nothing_of(["a", "b"])
    if isinstance(codes, str | bytes):
        path = tmp_path / "codes.csv"
        path.write_bytes(codes.encode() if isinstance(codes, str) else codes)
        codes = path
    with pytest.raises(reasons.InputError, match=what):
        found.letters(tmp_path / "x.jsonl", codes)
    assert not (tmp_path / "x.jsonl").exists()


def test_letters_that_cannot_be_written_are_refused(tmp_path: Path) -> None:
    codes = {"a": ("1", "A"), "b": ("2", "B")}
    with pytest.raises(reasons.InputError, match=r"letters go to \.csv"):
        nothing_of(["a", "b"]).letters(tmp_path / "x.pdf", codes)
    with pytest.raises(reasons.InputError, match="cannot write"):
        nothing_of(["a", "b"]).letters(tmp_path / "nowhere" / "x.csv", codes)
    labels = reasons.Builder(["a"], labels=("no", "yes"))
    two = labels.build(labels.decide("a", {False: labels.leaf("no"), True: labels.leaf("yes")}))
    with pytest.raises(reasons.InputError, match="favourable="):
        reasons.audit(two, [{"a": True}]).letters(tmp_path / "x.csv", {"a": ("1", "A")})
    kept = reasons.audit(two, [{"a": True, "note": 1}], keep="note", favourable="yes")
    with pytest.raises(reasons.InputError, match="'note'"):
        kept.letters(tmp_path / "x.csv", {"a": ("1", "A")})
    assert list(tmp_path.iterdir()) == []


def test_rows_that_are_not_decided_get_no_letter_and_are_counted(tmp_path: Path) -> None:
    rows = [{"a": 0, "b": 0}, {"a": 7, "b": 0}, {"a": 1, "b": 0}]
    found = reasons.audit(reasons.compile("a | b"), rows)
    posted = found.letters(tmp_path / "x.csv", {"a": ("1", "A"), "b": ("2", "B")})
    assert (posted.rows, posted.granted, posted.undecided) == (1, 1, 1)
    assert posted.problems == {1: found.table["problem"].to_pylist()[1]}
    assert str(posted).splitlines()[2:] == [
        "  no letter: 1 row that got True",
        "  no letter: 1 row that could not be decided",
        f"    row 1: {posted.problems[1]}",
    ]
    none = reasons.audit(reasons.compile("a | b"), pa.table({"a": [True], "b": [True]}))
    assert none.letters(tmp_path / "y.csv", {"a": ("1", "A"), "b": ("2", "B")}).rows == 0
    assert (tmp_path / "y.csv").read_text().startswith("row,label,reasons,code_1")


def test_letters_of_searched_models_are_true(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    import pandas
    from sklearn.ensemble import RandomForestClassifier

    rng = Random(2)
    frame = pandas.DataFrame({name: [rng.random() for _ in range(80)] for name in "abc"})
    wanted = (frame.a + frame.b * frame.c > 0.8).astype(int)
    model = RandomForestClassifier(5, max_depth=3, random_state=0).fit(frame, wanted)
    classifier = reasons.compile(model, budget=reasons.Budget(nodes=1, seconds=60))
    assert classifier.method == "search"
    found = reasons.audit(classifier, frame, favourable=1)
    codes = {"a": ("1", "A"), "b": ("2", "B"), "c": None}
    found.letters(tmp_path / "x.jsonl", codes)
    letters = read(tmp_path / "x.jsonl")
    assert len(letters) == int((model.predict(frame) == 0).sum()) > 0
    for letter in letters:
        decision = found.decision(letter["row"])
        if letter["note"] is None:
            assert decision.is_sufficient(letter["whole"].replace("; ", ", "))
        else:
            assert decision.bias("c")


def test_of_many_rows_without_a_label_the_first_are_named(tmp_path: Path) -> None:
    rows = [{"a": i % 3, "b": 0} for i in range(30)]
    found = reasons.audit(reasons.compile("a | b"), rows)
    posted = found.letters(tmp_path / "x.csv", {"a": ("1", "A"), "b": ("2", "B")})
    assert list(posted.problems) == [2, 5, 8]
    assert str(posted).splitlines()[-1] == "    ... and 7 more, see the audit's problems"
    assert (posted.rows, posted.granted, posted.undecided) == (10, 10, 10)


def test_impossible_rows_are_told_as_such(tmp_path: Path) -> None:
    clf = reasons.compile("a | b", constraint="~(a & b)")
    found = reasons.audit(clf, [{"a": 1, "b": 1}, {"a": 0, "b": 0}])
    posted = found.letters(tmp_path / "x.csv", {"a": ("1", "A"), "b": ("2", "B")})
    assert (posted.rows, posted.undecided) == (1, 1)
    assert "impossible" in posted.problems[0]


def test_letters_report_how_far_they_are(tmp_path: Path) -> None:
    told: list[tuple[str, int, int | None]] = []
    rows = pa.table({"a": [False] * (2 * PART + 5), "b": [False] * (2 * PART + 5)})
    found = reasons.audit(reasons.compile("a | b"), rows, ask="reason")
    budget = reasons.Budget(progress=lambda *each: told.append(each))
    found.letters(tmp_path / "x.parquet", {"a": ("1", "A"), "b": ("2", "B")}, budget=budget)
    assert told == [("letters", n, 2 * PART + 5) for n in (PART, 2 * PART, 2 * PART + 5)]


def test_letters_end_with_their_budget_and_leave_no_file(tmp_path: Path) -> None:
    found = reasons.audit(reasons.compile("a"), [{"a": False}])
    budget = reasons.Budget(seconds=1e-9)
    with pytest.raises(reasons.BudgetExceeded):
        found.letters(tmp_path / "x.csv", {"a": ("1", "A")}, budget=budget)
    assert list(tmp_path.iterdir()) == []
