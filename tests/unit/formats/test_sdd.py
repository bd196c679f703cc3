"""SDD files against an evaluator of their text, and reasons of SDD classifiers."""

import warnings
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest

import reasons
from reasons.formats.variable_names import read_feature_map
from tests.support.compare import compare, compare_classifier
from tests.support.folders import SHARED
from tests.support.formats import sdd_text

SDD = SHARED / "sdd"
FILES = sorted(SDD.glob("**/*.sdd"))
MODELS = {
    **{f"xor-{n}": 1 << (n - 1) for n in (4, 8, 16, 32)},
    "ranking-3": 6,
    "c432": 1 << 36,
    "true": 8,
    "false": 0,
    "literal": 4,
    "example": 8,
    "alarm": 13721878589865984,
    "big-swap": 120,
    "opt-swap": 120,
    "test": 4,
}
"""Over the variables of the vtree. alarm and big-swap are not what the CNFs beside them say."""
SMALL = [p for p in FILES if 0 < len(sdd_text.variables_of(p.read_text())) <= 17]
CLASSIFIERS = ("adult", "german", "spect")

EXAMPLE = "c\nsdd 7\nL 1 0 -2\nL 3 2 1\nF 2\nL 4 0 2\nT 6\nD 5 1 2 4 3 1 2\nD 0 3 2 5 6 5 2\n"
TEXT = "sdd 5\nL 1 0 1\nL 2 0 -1\nL 3 2 2\nF 4\nD 0 1 2 1 3 2 4\n"
TREE = "vtree 3\nL 0 1\nL 2 2\nI 1 0 2\n"

needs_data = pytest.mark.skipif(not FILES, reason=f"{SDD} is not there")


def loaded(path: Path) -> reasons.Classifier:
    """A file, whose vtree may not be its own."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return reasons.load(path)


def classifier_of(name: str) -> reasons.Classifier:
    """A published classifier with its features' names."""
    with pytest.warns(UserWarning, match="is not its own"):
        return reasons.load(
            SDD / "classifiers" / name / "sdd" / f"{name}.sdd",
            names=SDD / "classifiers" / name / f"{name}.map",
        )


def text_of(name: str) -> str:
    return (SDD / "classifiers" / name / "sdd" / f"{name}.sdd").read_text()


def rows_of(name: str, count: int) -> list[dict[int, bool]]:
    """Instances of a classifier, as a value for each variable of its map."""
    literals: dict[tuple[int, str], int] = {}
    order: list[str] = []
    for line in (SDD / "classifiers" / name / f"{name}.map").read_text().splitlines():
        if ":=" in line:
            feature, _, rest = line.partition(":=")
            value, _, literal = rest.rpartition(":")
            order += [] if feature in order else [feature]
            literals[order.index(feature), value] = int(literal)
    rows = []
    for line in (SDD / "classifiers" / name / f"{name}_inst.csv").read_text().splitlines()[:count]:
        row = {abs(literal): literal < 0 for literal in literals.values()}
        for place, value in enumerate(line.split(",")):
            if (place, value) in literals:
                number = literals[place, value]
                row[abs(number)] = number > 0
        rows.append(row)
    return rows


def written(tmp_path: Path, text: str, tree: str | None = None) -> Path:
    path = tmp_path / "x.sdd"
    path.write_text(text)
    if tree is not None:
        (tmp_path / "x.vtree").write_text(tree)
    return path


@needs_data
def test_there_are_as_many_files_as_we_know() -> None:
    assert len(FILES) == 17
    assert len(SMALL) == 10
    assert {path.stem for path in FILES} == set(MODELS) | set(CLASSIFIERS)


@needs_data
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_file_is_what_its_text_says(path: Path) -> None:
    classifier, rng = loaded(path), np.random.default_rng(len(path.name))
    if path.stem in MODELS:
        assert classifier.count(True) == MODELS[path.stem]
    variables = [int(feature.name) for feature in classifier.features]
    rows = rng.random((1000, len(variables))) < rng.random((1000, 1))
    columns = {v: rows[:, i] for i, v in enumerate(variables)}
    wanted = sdd_text.evaluated(path.read_text(), columns)
    assert list(classifier.predict(rows.tolist())) == wanted.tolist()


@needs_data
@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_small_ones_are_so_on_every_instance(path: Path) -> None:
    text = path.read_text()
    variables, table = sdd_text.variables_of(text), sdd_text.truth_table(text)
    classifier = loaded(path)
    free = len(classifier.features) - len(variables)
    assert classifier.count(True) == int(table.sum()) << free
    rows = (np.arange(table.size)[:, None] >> np.arange(len(variables)) & 1).astype(bool)
    every = np.zeros((table.size, len(classifier.features)), dtype=bool)
    names = [int(feature.name) for feature in classifier.features]
    every[:, [names.index(v) for v in variables]] = rows
    assert list(classifier.predict(every.tolist())) == table.tolist()


@needs_data
@pytest.mark.parametrize("name", ["example", "test", "xor-4", "literal"])
def test_every_query_of_a_tiny_one_agrees_with_the_oracle(name: str) -> None:
    (path,) = [path for path in FILES if path.stem == name]
    classifier = loaded(path)
    domains = [2] * len(classifier.features)
    numbers = [int(feature.name) for feature in classifier.features]
    instances = list(product((0, 1), repeat=len(domains)))
    columns = {v: np.array([x[i] for x in instances], bool) for i, v in enumerate(numbers)}
    labels = sdd_text.evaluated(path.read_text(), columns).tolist()
    table = dict(zip(instances, labels, strict=True))
    compare_classifier(classifier, domains, table)
    for instance in instances[:: max(1, len(instances) // 4)]:
        compare(classifier, domains, table, instance)


@needs_data
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_classifiers_decide_their_instances_as_their_text_does(name: str) -> None:
    classifier, rows = classifier_of(name), rows_of(name, 2000)
    assert len(rows) == {"adult": 2000, "german": 1000, "spect": 267}[name]
    columns = {v: np.array([row[v] for row in rows]) for v in rows[0]}
    wanted = sdd_text.evaluated(text_of(name), columns)
    named = dict(read_feature_map(SDD / "classifiers" / name / f"{name}.map"))
    given = [{named[v]: value for v, value in row.items()} for row in rows]
    assert list(classifier.predict(given)) == wanted.tolist()
    assert 0 < wanted.sum() < len(rows)


@needs_data
def test_all_reasons_of_spect_are_those_of_brute_force() -> None:
    """22 features, of which the function reads 17: all 2^17 sets of them, for some instances."""
    text, classifier = text_of("spect"), classifier_of("spect")
    variables, table = sdd_text.variables_of(text), sdd_text.truth_table(text)
    rng = Random(0)
    labels = set()
    for row in rng.sample(rows_of("spect", 267), 8):
        decision = classifier.decide({f"F{v}": value for v, value in row.items()})
        instance = sum(row[v] << i for i, v in enumerate(variables))
        sufficient = sdd_text.sufficient_sets(table, instance)
        assert decision.label == table[instance]
        labels.add(decision.label)

        def term(mask: int, row: dict[int, bool] = row) -> frozenset[tuple[str, bool]]:
            return frozenset((f"F{v}", row[v]) for i, v in enumerate(variables) if mask >> i & 1)

        wanted = {term(mask) for mask in sdd_text.minimal_sets(sufficient)}
        assert {frozenset(t.items()) for t in decision.sufficient_reasons()} == wanted
        assert decision.sufficient_reasons().count() == len(wanted)
        assert frozenset(decision.necessary_property.items()) == frozenset.intersection(*wanted)
        assert frozenset(decision.sufficient_reason().items()) in wanted
        full = len(sufficient) - 1
        for i, v in enumerate(variables):
            assert bool(decision.bias({f"F{v}"})) == (not sufficient[full ^ 1 << i])
        for mask in rng.sample(range(full + 1), 300):
            kept = term(mask)
            assert decision.is_sufficient(dict(kept)) == sufficient[mask]
            other = {f"F{v}": row[v] == ((f"F{v}", row[v]) in kept) for v in row}
            assert decision.reason.evaluate(other) == sufficient[mask]
    assert labels == {False, True}
    for i, v in enumerate(variables):
        flipped = table[np.arange(table.size) ^ 1 << i]
        assert bool(classifier.bias({f"F{v}"})) == bool((flipped != table).any())


@needs_data
@pytest.mark.parametrize("name", ["adult", "german"])
def test_reasons_of_larger_classifiers_hold_on_their_text(name: str) -> None:
    """Necessary characteristics exactly, by changing each; sufficiency by random instances."""
    text, classifier = text_of(name), classifier_of(name)
    named = dict(read_feature_map(SDD / "classifiers" / name / f"{name}.map"))
    rng = np.random.default_rng(1)
    for row in rows_of(name, 40)[::5]:
        decision = classifier.decide({named[v]: value for v, value in row.items()})
        changed = {v: np.full(len(row) + 1, value) for v, value in row.items()}
        for place, v in enumerate(row, 1):
            changed[v][place] ^= True
        labels = sdd_text.evaluated(text, changed)
        necessary = {named[v] for place, v in enumerate(row, 1) if labels[place] != labels[0]}
        assert decision.label == labels[0]
        assert set(decision.necessary_property) == necessary
        reason = decision.sufficient_reason()
        drawn = {v: rng.random(5000) < 0.5 for v in row}
        kept = {v: np.full(5000, row[v]) for v in row if named[v] in reason}
        assert (sdd_text.evaluated(text, drawn | kept) == labels[0]).all()
        assert reason in decision.sufficient_reasons()


def test_without_a_vtree_the_variables_that_occur_are_features(tmp_path: Path) -> None:
    classifier = reasons.load(written(tmp_path, EXAMPLE))
    assert [feature.name for feature in classifier.features] == ["1", "2"]
    assert classifier.count(True) == 1


def test_a_vtree_beside_the_file_declares_features_and_is_checked(tmp_path: Path) -> None:
    path = written(tmp_path, TEXT, "vtree 5\nL 0 1\nL 2 2\nI 1 0 2\nL 4 7\nI 3 1 4\n")
    classifier = reasons.load(path, names={1: "sunny", 7: "late"})
    assert [feature.name for feature in classifier.features] == ["sunny", "2", "late"]
    assert classifier.count(True) == 2


def test_a_vtree_that_is_given_must_fit_and_one_that_is_found_may_not(tmp_path: Path) -> None:
    path = written(tmp_path, TEXT, "vtree 3\nL 0 2\nL 2 1\nI 1 0 2\n")
    with pytest.warns(UserWarning, match=r"x.sdd:2: .*not its own"):
        assert reasons.load(path).count(True) == 1
    with pytest.raises(reasons.ParseError, match="not the leaf of variable 1"):
        reasons.load(path, vtree=tmp_path / "x.vtree")
    with pytest.raises(reasons.InputError, match="cannot read"):
        reasons.load(path, vtree=tmp_path / "y.vtree")


def test_names_that_are_no_names_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, TEXT, TREE)
    with pytest.raises(reasons.InputError, match="variable numbers"):
        reasons.load(path, names={"1": "a"})
    with pytest.raises(reasons.InputError, match="a"):
        reasons.load(path, names={1: "a", 2: "a"})
    (tmp_path / "x.map").write_text("sun:=1:1\nsun:=0:-1\nsky:=blue:2\n")
    classifier = reasons.load(path, names=tmp_path / "x.map")
    assert [feature.name for feature in classifier.features] == ["sun", "sky=blue"]
    (tmp_path / "x.map").write_text("# a map\nsun:=1\n")
    with pytest.raises(reasons.ParseError, match=r"x\.map:2"):
        reasons.load(path, names=tmp_path / "x.map")


def test_files_cut_anywhere_are_refused_with_a_line(tmp_path: Path) -> None:
    for size in range(len(TEXT) - 2):
        with pytest.raises(reasons.ParseError) as caught:
            reasons.load(written(tmp_path, TEXT[:size], TREE), format="sdd")
        assert caught.value.line
    for size in range(len(TREE) - 2):
        with pytest.raises(reasons.ParseError, match=r"x\.vtree:\d"):
            reasons.load(written(tmp_path, TEXT, TREE[:size]))


@pytest.mark.parametrize("seed", range(5))
def test_changed_numbers_are_read_or_refused(tmp_path: Path, seed: int) -> None:
    rng = Random(seed)
    numbers = ["0", "1", "2", "3", "5", "-1", "99", "4294967296", "9" * 30, "x", ""]
    for _ in range(200):
        words = TEXT.split(" ")
        words[rng.randrange(1, len(words))] = rng.choice(numbers)
        path = written(tmp_path, " ".join(words))
        error = None
        try:
            assert reasons.load(path, format="sdd").count(True) >= 0
        except reasons.ParseError as refused:
            error = refused
        assert error is None or error.line


def test_a_probabilistic_sdd_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(reasons.ParseError, match="PSDD"):
        reasons.load(written(tmp_path, "c\npsdd 1\nT 0 0 1 -0.5\n"))


@pytest.mark.slow
def test_a_chain_of_300_000_is_no_problem(tmp_path: Path) -> None:
    depth = 300_000
    lines = [f"sdd {3 * depth + 2}", "F 0", "T 1"]
    last = 1
    for i in range(depth):
        own, place = 3 * i + 2, depth - i
        lines += [f"L {own} {2 * place} {place}", f"L {own + 1} {2 * place} -{place}"]
        lines += [f"D {own + 2} {2 * place + 1} 2 {own} {last} {own + 1} 0"]
        last = own + 2
    classifier = reasons.load(written(tmp_path, "\n".join(lines)))
    assert classifier.count(True) == 1
    assert len(classifier.circuit) == depth + 2


def test_an_explosion_stops_at_the_budget(tmp_path: Path) -> None:
    """Pairs x_i, y_i that must agree, all x before all y: the graph has 2^20 nodes and more."""
    lines, pairs = ["F 0", "T 1"], []
    for i in range(1, 21):
        one, other = len(lines), len(lines) + 1
        lines += [f"L {one} {2 * i} {i}", f"L {other} {2 * i + 60} {i + 20}"]
        lines += [f"D {one + 2} 1 2 {one} 1 {other} 1"]
        pairs.append(one + 2)
    last = 1
    for pair in pairs:
        lines.append(f"D {len(lines)} 1 1 {pair} {last}")
        last = len(lines) - 1
    path = written(tmp_path, "\n".join([f"sdd {len(lines)}", *lines]))
    with pytest.raises(reasons.BudgetExceeded, match="ordered decision graph"):
        reasons.load(path, budget=reasons.Budget(nodes=10_000))
