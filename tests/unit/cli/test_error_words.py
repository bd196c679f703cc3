"""Errors of the program speak of the shell's options, not of the arguments of functions."""

import pickle
import re
import shlex
from pathlib import Path
from typing import Any

import numpy
import pandas
import pytest

import reasons
from reasons.cli.arguments import python_value
from reasons.cli.errors import AUDIT as AUDIT_OPTIONS
from reasons.cli.errors import CONVERT, EXPLAIN, SERVE, shell_spelling
from reasons.errors import InputError, Option
from tests.support.audit.loans import ROWS, loans
from tests.support.folders import ROOT

DOCS = ROOT / "docs"
PYTHON = re.compile(r"(?<!--with )(?<!--with \")(?<![\w'])(\w+)=")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a model, its rows, and models of scikit-learn."""
    monkeypatch.chdir(tmp_path)
    loans().save(tmp_path / "loans.reasons")
    pandas.DataFrame(ROWS).to_csv("rows.csv", index=False)
    Path("codes.csv").write_text("feature,code,text\nincome,1,x\njob,2,y\nsex,3,z\n")
    Path("c.cnf").write_text("p cnf 2 1\n1 -2 0\n")
    return tmp_path


def trained(kind: str) -> Path:
    joblib, linear = pytest.importorskip("joblib"), pytest.importorskip("sklearn.linear_model")
    tree = pytest.importorskip("sklearn.tree")
    numbers = numpy.arange(120.0)
    frame = pandas.DataFrame(
        {"age": 18 + numbers % 37, "rooms": 1 + numbers % 2, "income": numbers}
    )
    model = tree.DecisionTreeClassifier() if kind == "tree" else linear.LogisticRegression()
    columns = frame if kind == "tree" else frame[["age", "rooms"]]
    joblib.dump(model.fit(columns, frame.age + 5 * frame.rooms > 40), f"{kind}.joblib")
    return Path(f"{kind}.joblib")


C1 = "E & (~F | G | W)"
AUDIT = ("audit", "loans.reasons", "rows.csv")
TREE = ("explain", "tree.joblib", "-i", "age = 20, rooms = 1, income = 3", "--with")
TRUST = ("allow_pickle=true", "--with")
SAID: list[tuple[tuple[str, ...], str]] = [
    ((*AUDIT, "--seconds", "-1"), "--seconds -1.0 must be a positive number"),
    ((*AUDIT, "--nodes", "-1"), "--nodes -1 must be a positive number"),
    (
        ("explain", C1, "-i", "E, ~F, ~G, W", "--logged", "x"),
        "--logged names a column of --data FILE, which is missing",
    ),
    ((*AUDIT, "--ask", "bias"), "to ask for bias: --protected"),
    ((*AUDIT, "--ask", "all"), "to ask for bias: --protected"),
    ((*AUDIT, "--ask", "foo"), "--ask foo is not known"),
    ((*AUDIT, "--logged-as", "a=granted"), "--logged-as goes with --logged, the column"),
    ((*AUDIT, "--keep", "row"), "leave it out of --keep, or"),
    ((*AUDIT, "--keep", "id,id"), "--keep ('id', 'id') must be names, each once"),
    ((*AUDIT, "--groups", "id,id"), "--groups ('id', 'id') must be names, each once"),
    ((*AUDIT, "--scheduler", "x"), '--scheduler goes with --engine "dask" or "spark"'),
    ((*AUDIT, "--engine", "x"), "--engine 'x' is not known"),
    ((*AUDIT, "--row-seconds", "-1"), "--row-seconds -1.0 is the time for a row"),
    ((*AUDIT, "--letters", "l.csv", "--codes", "codes.csv"), "refusals are known: --favourable"),
    ((*AUDIT, "--ask", "True"), "--ask True is not known"),
    ((*AUDIT, "--protected", "sex,sex"), "--protected ('sex', 'sex') must be names, each once"),
    (
        (*AUDIT, "--protected", "body=sex,sex"),
        "protected set 'body'=('sex', 'sex') must be names, each once",
    ),
    (
        ("convert", "tree.joblib", "-o", "x.nnf", "--nodes", "2", "--with", TRUST[0]),
        "with a larger budget, as in --nodes 20000000 --seconds 600, or",
    ),
    ((*TREE[:-1],), "say --with allow_pickle=True"),
    ((*TREE, *TRUST, "classes=3"), "--with classes= is a list, not 3"),
    ((*TREE, *TRUST, "threshold=x"), "--with threshold='x' must be a finite number"),
    ((*TREE, *TRUST, "method=x"), "--with method='x' must be"),
    ((*TREE, *TRUST, "foo=1"), "takes no --with foo=, but --seconds, --nodes, --with threshold="),
    (("explain", "c.cnf", "-i", "1, 2", "--with", "root=1"), "takes no --with root=, but"),
    ((*TREE, *TRUST, "treshold=1"), "takes no --with treshold= (did you mean 'threshold'?), but"),
    (("convert", "loans.reasons", "-o", "x.foo"), "say the format, --to"),
    (
        ("explain", "linear.joblib", "-i", "age = 1", "--with", "allow_pickle=true"),
        "--with \"domain={'age': range(0, 100)}\" for whole numbers, "
        "--with \"domain={'age': {0, 1}}\" for a few",
    ),
    (
        ("convert", "tree.joblib", "-o", "x.nnf", "--with", *TRUST, "method=search"),
        "with a larger budget, as in --nodes 20000000 --seconds 600, or",
    ),
]


@pytest.mark.parametrize(("arguments", "said"), SAID)
def test_an_error_names_the_option_as_it_is_typed(
    run: Any, arguments: tuple[str, ...], said: str
) -> None:
    for kind in ("tree", "linear"):
        if f"{kind}.joblib" in arguments:
            trained(kind)
    done = run(*arguments)
    assert done.code == 2
    assert said in done.err
    advice = done.err.replace("handle_unknown=", "")
    assert not PYTHON.search(advice), advice


def test_parts_of_another_audit_are_forgotten_by_an_option(run: Any) -> None:
    assert run(*AUDIT, "-o", "out", "--ask", "reason").code == 0
    done = run(*AUDIT, "-o", "out", "--ask", "necessary")
    assert done.code == 2
    assert done.err.endswith("or start over with --restart\n")


def test_a_summary_spells_no_arguments(run: Any) -> None:
    """Neither of what was not named, nor of rows with problems."""
    for more in ((), ("--favourable", "granted"), ("--logged", "decision")):
        out = run(*AUDIT, *more).out
        assert "selection rates are not given" in out
        assert not PYTHON.search(out.replace(" = ", " ")), out


def test_a_budget_that_is_exceeded_still_ends_with_3(run: Any) -> None:
    assert run("show", " ^ ".join(f"v{i}" for i in range(40)), "--nodes", "10").code == 3


@pytest.mark.parametrize(
    ("option", "wanted"),
    [
        (Option("groups"), "--with groups="),
        (Option("features", text="[...]"), '--with "features=[...]"'),
        (Option("groups", {"job": ["a", "b"]}), "--with \"groups={'job': ['a', 'b']}\""),
        (Option("domain", text="{'age': int}"), "--with \"domain={'age': int}\""),
        (Option("threshold", "x"), "--with threshold='x'"),
        (Option("allow_pickle", True), "--with allow_pickle=True"),
        (Option("compile", False), "--no-compile"),
        (Option("logged", "a"), "--logged 'a'"),
        (Option("keep"), "--keep"),
        (Option("budget"), "--seconds, --nodes"),
        (Option("budget seconds", -1), "--seconds -1"),
        (Option("budget", text="Budget(nodes=1)"), "--nodes 20000000 --seconds 600"),
    ],
)
def test_an_option_is_spelled_as_it_is_typed(option: Option, wanted: str) -> None:
    assert shell_spelling(EXPLAIN)(option) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "fit it with alpha=1, train with base_score=0.5",
        "x.txt:3: missing=7 is neither yes=1 nor no=2",
        "a == b, x['names=']",
        "say --with names=FILE",
        "use method='yeo-johnson'",
        "there is no file a/names=3/groups=1/x.csv",
        "'see groups= here' is no name, nor \"names=\"",
        "x.csv lacks the columns: names=, b; it has: groups=, format=1",
    ],
)
def test_what_is_no_option_stays(text: str) -> None:
    """A message is never searched for options: only those that it names as data are spelled."""
    spelling = shell_spelling(AUDIT_OPTIONS)
    assert InputError(text).worded(spelling) == text
    message = InputError("{text}; see {option}", text=text, option="names").worded(spelling)
    assert message == f"{text}; see --with names="


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("audit", "a & c", "seconds=3/keep=1/no.csv"), "no file seconds=3/keep=1/no.csv"),
        (("audit", "a & c", "seconds=3.csv"), "there is no file seconds=3.csv"),
        (("show", "names=3.cnf"), "there is no file names=3.cnf"),
        ((*AUDIT, "--keep", "id,groups=1"), "lacks the columns: groups=1; it has: "),
        ((*AUDIT, "--ask", "keep=1"), "--ask keep=1 is not known"),
        ((*AUDIT, "--groups", "restart=True"), "lacks the columns: restart=True; it has: "),
        (("show", "names= & keep=1 )"), "\n  names= & keep=1 )\n"),
    ],
)
def test_what_was_typed_is_said_as_it_was_typed(
    run: Any, arguments: tuple[str, ...], said: str
) -> None:
    done = run(*arguments)
    assert done.code == 2
    assert said in done.err


def test_only_options_of_the_command_are_named(run: Any) -> None:
    for command in ("serve", "show", "compile", "explain"):
        more = ("-o", "x.reasons") if command == "compile" else ()
        more = ("-i", "1, 2") if command == "explain" else more
        err = run(command, "c.cnf", *more, "--with", "seconds=2").err
        assert "takes no --with seconds=, but" in err
        assert ("--no-compile" in err) == (command == "explain")
        assert ("but --nodes" in err) == (command == "serve")


def test_groups_are_those_of_the_audit_there() -> None:
    error = InputError("{groups} and {names}", groups=Option("groups"), names=Option("names"))
    assert error.worded(shell_spelling(AUDIT_OPTIONS)) == "--groups and --with names="
    assert str(error) == "groups= and names="


def test_an_error_of_a_worker_is_worded_as_one_of_this_process() -> None:
    error = InputError("{keep} or {logged}", keep=Option("keep"), logged=Option("logged", "a"))
    there = pickle.loads(pickle.dumps(error))
    assert str(there) == str(error) == "keep= or logged='a'"
    spelling = shell_spelling(AUDIT_OPTIONS)
    assert there.worded(spelling) == error.worded(spelling) == "--keep or --logged 'a'"


def test_each_command_has_its_own_words() -> None:
    assert shell_spelling(SERVE)(Option("budget")) == "--nodes"
    assert shell_spelling(CONVERT)(Option("to")) == "--to"
    assert shell_spelling(AUDIT_OPTIONS)(Option("seconds", -1.0)) == "--row-seconds -1.0"


def test_the_declared_domain_of_the_docs_works(run: Any) -> None:
    """The line of the docs, with a model and a row that are there."""
    trained("tree")
    text = (DOCS / "command-line.md").read_text().replace("\\\n", " ")  # one line a command
    (line,) = (each.strip() for each in text.splitlines() if '--with "domain=' in each)
    pandas.DataFrame({"age": [20.0], "rooms": [1], "income": [3.5]}).to_csv("rows.csv", index=False)
    words = shlex.split(line)[1:]
    words[words.index("model.skops")] = "tree.joblib"
    words[words.index("17")] = "0"
    done = run(*words, "--with", "allow_pickle=true", "--json")
    assert done.code == 0, done.err
    wanted = reasons.load(
        "tree.joblib",
        allow_pickle=True,
        domain={"age": range(18, 100), "rooms": {1, 2}, "income": (0, None)},
    )
    assert f'"constraint": "{wanted.constraint}"' in done.out
    assert "age whole from 18 to 99; rooms in {1, 2}" in done.out
    for json in ('{"age": "int"}', '{"income": [0, null]}'):
        assert (
            run(
                *words[:2], *words[4:], "--with", "allow_pickle=true", "--with", f"domain={json}"
            ).code
            == 0
        )


@pytest.mark.parametrize(
    "text",
    [
        "(age > 18)",
        "[open('x')]",
        "{**a}",
        "[x for x in y]",
        "{[]}",
        "(1",
        "[range('a')]",
        "(" * 99,
    ],
)
def test_what_is_no_plain_value_of_python_stays_a_text(text: str) -> None:
    assert python_value(text) == text


def test_the_help_says_how_a_domain_is_written(run: Any) -> None:
    out = " ".join(run("explain", "E & (~F | G | W)", "--help").out.replace("│", " ").split())
    assert "domain={'age': range(18, 100)" in out
