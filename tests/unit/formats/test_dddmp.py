"""Decision diagrams in DDDMP files: those of CUDD and dd, what OxiDD writes, what we write."""

from collections.abc import Mapping
from itertools import product
from pathlib import Path
from random import Random

import pytest

import reasons
from reasons.formats.write_dddmp import write_dddmp
from tests.support.folders import SHARED

FILES = sorted(path for path in (SHARED / "bdd").glob("*/*") if path.suffix not in (".txt", ".cnf"))
MODELS = {
    "0": 2,
    "0or1": 338580861878272,
    "1": 1108,
    "2": 1108,
    "2and3": 8521215115264,
    "3": 11584,
    "4": 47450798686208,
    "4bis": 1381,
    "4xor5": 464913029922816,
    "5": 26,
    "one": 1,
    "zero": 0,
    "s27RP1": 3,
    "sample0": 2,
    "sample2": 1,
    "sample3": 1,
}
"""How often each Boolean file with one root is true, over the features it has."""

SMALL = """\
.ver DDDMP-2.0
.mode A
.varinfo 0
.nnodes 3
.nvars 2
.nsuppvars 2
.ids 0 1
.permids 0 1
.nroots 1
.rootids 3
.nodes
1 T 1 0 0
2 1 1 1 -1
3 0 0 2 -1
.end
"""

needs_data = pytest.mark.skipif(not FILES, reason=f"{SHARED}/bdd is not there")


def evaluated(path: Path, root: int, values: Mapping[str, bool]) -> float:
    """The value of a root, by walking the file's own lines; shares nothing with the package."""
    lines = [line.split() for line in path.read_text().splitlines() if line[:1] not in ("", "#")]
    header = {words[0]: words[1:] for words in lines if words[0].startswith(".")}
    names = header.get(".suppvarnames") or header.get(".varnames") or header[".ids"]
    levels = sorted(zip(map(int, header[".permids"]), names, strict=True))
    start = lines.index([".nodes"]) + 1
    nodes = {int(words[0]): words[-3:] for words in lines[start : lines.index([".end"])]}
    edge, flips = int(header[".rootids"][root]), 0
    while True:
        flips += edge < 0
        test, high, low = nodes[abs(edge)]
        if high == "0":
            value = {"T": 1.0, "F": 0.0}.get(test) if test in "TF" else float(test)
            assert value is not None
            return 1 - value if flips % 2 else value
        edge = int(high if values[levels[int(test)][1]] else low)


def written(tmp_path: Path, text: str, name: str = "x.dddmp") -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


def refused(path: Path, **options: object) -> reasons.ParseError:
    with pytest.raises(reasons.ParseError) as caught:
        reasons.load(path, **options)  # type: ignore[arg-type]
    assert caught.value.source == str(path)
    assert caught.value.line
    return caught.value


def table(classifier: reasons.Classifier) -> dict[tuple[bool, ...], object]:
    rows = list(product((False, True), repeat=len(classifier.features)))
    return {row: classifier.decide(list(row)).label for row in rows}


@needs_data
def test_there_are_as_many_files_as_we_know() -> None:
    assert len(FILES) == 21
    roots_or_values = {"s27deltaDddmp1", "s27deltaDddmp2", "sample1", "0", "1"}
    assert {path.stem for path in FILES} == set(MODELS) | roots_or_values


@needs_data
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_root_of_every_file_is_what_its_lines_say(path: Path) -> None:
    roots = 3 if path.stem in ("s27deltaDddmp1", "s27deltaDddmp2", "sample1") else 1
    rng = Random(path.name)
    for root in range(roots):
        classifier = reasons.load(path, root=root)
        classifier.circuit.check()
        for _ in range(200):
            values = {feature.name: rng.random() < 0.5 for feature in classifier.features}
            assert classifier.decide(values).label == evaluated(path, root, values)
    if path.suffix != ".add" and roots == 1:
        assert reasons.load(path).count(True) == MODELS[path.stem]


@needs_data
def test_the_counts_agree_with_the_clauses_beside_the_diagram() -> None:
    """4.cnf has 50 variables of the diagram, 49 that no clause has, and gates."""
    rows = (SHARED / "cnf" / "model_counts.tsv").read_text().splitlines()
    (count,) = [row.split("\t")[3] for row in rows if row.startswith("bdd/cudd_dddmp/4.cnf\t")]
    assert MODELS["4"] << 49 == int(count)
    assert MODELS["4bis"] << 35 == MODELS["4"]


@needs_data
def test_terminals_of_an_add_are_labels() -> None:
    classifier = reasons.load(SHARED / "bdd" / "cudd_dddmp" / "0.add")
    assert classifier.labels == (0, 1, 2)
    assert [feature.name for feature in classifier.features] == ["DUMMY0", "DUMMY1", "DUMMY2"]
    assert [classifier.count(label) for label in classifier.labels] == [2, 4, 2]


@needs_data
def test_one_of_several_roots_must_be_chosen(tmp_path: Path) -> None:
    path = SHARED / "bdd" / "dd_dddmp" / "sample1.dddmp"
    with pytest.raises(reasons.InputError, match=r"choose one of its roots.*0 to 2"):
        reasons.load(path)
    with pytest.raises(reasons.InputError, match="no root 3"):
        reasons.load(path, root=3)
    named = path.read_text().replace(".rootids", ".rootnames f g h\n.rootids")
    copy = written(tmp_path, named)
    assert table(reasons.load(copy, root="g")) == table(reasons.load(path, root=1))
    with pytest.raises(reasons.InputError, match=r"no root 'z'.*f, g, h"):
        reasons.load(copy, root="z")
    with pytest.raises(reasons.InputError, match="takes no root="):
        reasons.load(written(tmp_path, "a & b", "f.txt"), root=0)


@pytest.mark.parametrize("kind", ["bdd", "bcdd"])
def test_what_oxidd_writes_is_read_in_any_order(tmp_path: Path, kind: str) -> None:
    oxidd = pytest.importorskip(f"oxidd.{kind}")
    manager = getattr(oxidd, f"{kind.upper()}Manager")(1000, 1000, 1)
    manager.add_named_vars(["w", "x", "y", "z"])
    w, x, y, z = map(manager.var, range(4))
    function = (w & ~x) ^ (y | w & z)
    for order in ([3, 0, 1, 2], [1, 3, 2, 0], [2, 1, 0, 3]):
        manager.set_var_order(order)
        path = tmp_path / "x.dddmp"
        manager.export_dddmp(str(path), [function], ascii=True)
        classifier = reasons.load(path)
        assert [feature.name for feature in classifier.features] == ["w", "x", "y", "z"]
        assert table(classifier) == table(reasons.compile("(w & ~x) ^ (y | w & z)"))


FORMULAS = [
    *("a & b | c", "a ^ b ^ c ^ d", "~a", "(a -> b) & (c | ~d)", "a & ~b & c"),
    "a & b | c & d | e & f",
]


@pytest.mark.parametrize("text", FORMULAS)
def test_what_we_write_is_read_back_as_it_was(tmp_path: Path, text: str) -> None:
    classifier = reasons.compile(text, features=["unused", *"fedcba", "spare"])
    write_dddmp(classifier.circuit, tmp_path / "x")
    again = reasons.load(tmp_path / "x")
    assert [f.name for f in again.features] == [f.name for f in classifier.features]
    assert again.circuit.order == classifier.circuit.order
    assert len(again.circuit) == len(classifier.circuit)
    assert table(again) == table(classifier)


@pytest.mark.parametrize("text", ["true", "false"])
def test_constants_are_written_and_read(tmp_path: Path, text: str) -> None:
    for features in ((), ("a", "b")):
        classifier = reasons.compile(text, features=features)
        write_dddmp(classifier.circuit, tmp_path / "x")
        again = reasons.load(tmp_path / "x")
        assert again.count(True) == classifier.count(True)
        assert len(again.features) == len(features)


@pytest.mark.parametrize("text", FORMULAS)
def test_what_we_write_is_read_by_dd(tmp_path: Path, text: str) -> None:
    dddmp = pytest.importorskip("dd.dddmp")
    classifier = reasons.compile(text)
    write_dddmp(classifier.circuit, tmp_path / "x")
    bdd = dddmp.load(str(tmp_path / "x"))
    (root,) = bdd.roots
    names = [feature.name for feature in classifier.features]
    for row, label in table(classifier).items():
        assert (bdd.let(dict(zip(names, row, strict=True)), root) == bdd.true) == label


def test_the_file_follows_the_rules_of_cudds_loader(tmp_path: Path) -> None:
    """One terminal, numbers in turn, children first, complements on `else` edges only."""
    write_dddmp(reasons.compile("a ^ b ^ c | d & ~e").circuit, tmp_path / "x")
    text = (tmp_path / "x").read_text()
    nodes = [line.split() for line in text.partition(".nodes\n")[2].splitlines()[:-1]]
    assert nodes[0] == ["1", "T", "1", "0", "0"]
    for number, (own, _, _, high, low) in enumerate(nodes[1:], 2):
        assert int(own) == number
        assert 0 < int(high) < number
        assert 0 < abs(int(low)) < number


def test_circuits_that_are_no_ordered_diagrams_are_not_written(tmp_path: Path) -> None:
    builder = reasons.Builder(["a", "b"])
    one = builder.decide("a", {True: builder.leaf(True), False: builder.leaf(False)})
    other = builder.decide("b", {True: builder.leaf(True), False: builder.leaf(False)})
    conjunction = builder.build(builder.all_of([one, other]))
    labelled = reasons.from_table([{"a": 0, "label": "x"}, {"a": 1, "label": "y"}])
    given = reasons.compile("a | b", constraint="a -> b")
    spaced = reasons.compile('"a b" | c')
    for classifier in (conjunction, labelled, given, spaced):
        with pytest.raises(reasons.PropertyError):
            write_dddmp(classifier.circuit, tmp_path / "x")
    assert not list(tmp_path.iterdir())


def test_a_file_cut_anywhere_is_refused_with_a_line(tmp_path: Path) -> None:
    for size in range(len(SMALL) - 1):
        path = written(tmp_path, SMALL[:size])
        with pytest.raises(reasons.ParseError) as caught:
            reasons.load(path, format="dddmp")
        assert caught.value.line


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        (".mode A", ".mode B", 2),
        (".nnodes 3", ".nnodes 2000000000", 15),
        (".nvars 2", ".nvars x", None),
        (".nsuppvars 2", ".nsuppvars 4000000000000000000", 6),
        (".ids 0 1", ".ids 0 0", 7),
        ("2 1 1 1 -1", "2 1 1 1 2", 13),
        ("2 1 1 1 -1", "2 1 1 1 -3", 13),
        ("2 1 1 1 -1", "2 1 7 1 -1", 13),
        ("2 1 1 1 -1", "2 0 1 1 -1", 13),
        ("3 0 0 2 -1", "3 1 1 2 -1", 14),
        ("1 T 1 0 0", "1 T nan 0 0", 12),
        ("1 T 1 0 0", "1 T 1 0 0 0 0", 12),
        (".rootids 3", ".rootids 4", 10),
        (".rootids 3", ".rootids 3 3", 10),
        (".nroots 1", ".nroots 1\n.surprise", 10),
    ],
)
def test_what_breaks_a_rule_is_refused(
    tmp_path: Path, old: str, new: str, line: int | None
) -> None:
    path = written(tmp_path, SMALL.replace(old, new))
    if line is None:  # nobody needs .nvars where there are no names
        assert reasons.load(path).count(True) == 1
    else:
        assert refused(path).line == line


@pytest.mark.slow
def test_a_chain_of_a_million_is_no_problem(tmp_path: Path) -> None:
    depth = 1_000_000
    places = " ".join(map(str, range(depth)))
    lines = [".ver DDDMP-2.0", ".mode A", ".varinfo 4", f".nnodes {depth + 1}", f".nvars {depth}"]
    lines += [f".nsuppvars {depth}", f".ids {places}", f".permids {places}", ".nroots 1"]
    lines += [f".rootids {depth + 1}", ".nodes", "1 1 0 0"]
    lines += [f"{n} {depth + 1 - n} {n - 1} -1" for n in range(2, depth + 2)]
    path = written(tmp_path, "\n".join([*lines, ".end\n"]))
    assert len(reasons.load(path).circuit) == depth + 2


def test_names_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(
        SMALL.replace(".ids", ".suppvarnames a \udcff\n.ids").encode("utf-8", "surrogateescape")
    )
    with pytest.raises(reasons.ParseError, match="not UTF-8"):
        reasons.load(path)
