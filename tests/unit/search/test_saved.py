"""Searched models in `.reasons` files: equal answers without the library; damage is refused."""

import copy
import json
import pickle
import random
import subprocess
import sys
from array import array
from pathlib import Path
from typing import Any

import numpy
import pytest

import reasons
from reasons.ensembles.ir import Column, Test, Tree, TreeModel
from reasons.ensembles.native import ensemble
from tests.support.formats.reasons_files import forge

sklearn = pytest.importorskip("sklearn.ensemble")


def data(seed: int, labels: int = 2) -> tuple[Any, Any]:
    rng = numpy.random.default_rng(seed)
    rows = rng.integers(0, 12, (120, 4)) + rng.random((120, 4)).round(1)
    return rows, (rows.sum(axis=1) + rng.integers(0, 6, 120)).astype(int) % labels


def models(seed: int) -> list[Any]:
    labels = 2 + seed % 2
    rows, classes = data(seed, labels)
    return [
        sklearn.RandomForestClassifier(7, max_depth=None, random_state=seed).fit(rows, classes),
        sklearn.HistGradientBoostingClassifier(max_iter=5, random_state=seed).fit(rows, classes),
        sklearn.GradientBoostingClassifier(n_estimators=4, random_state=seed).fit(rows, classes),
    ]


def answers(classifier: reasons.Classifier, row: Any) -> list[Any]:
    decision = classifier.decide(row)
    change = decision.counterfactual()
    return [
        decision.label,
        str(decision.sufficient_reason()),
        str(decision.sufficient_reason(general=True)),
        str(decision.necessary_property),
        None if change is None else (str(change.instance), change.label),
        str(decision.bias(classifier.features[0].name)),
        decision.statements(),
    ]


def predicted(path: Path, rows: Any) -> list[Any]:
    return list(reasons.load(path).predict(rows).tolist())


@pytest.mark.parametrize("seed", range(3))
def test_a_loaded_model_gives_the_answers_of_the_saved_one_and_of_the_library(
    seed: int, tmp_path: Path
) -> None:
    rows, _ = data(seed)
    for model in models(seed):
        clf = reasons.compile(model, method="search", constraint="x0 <= 5 | x1 <= 9")
        possible = [row for row in rows if row[0] <= 5 or row[1] <= 9]
        clf.save(tmp_path / "it.reasons")
        loaded = reasons.load(tmp_path / "it.reasons")
        assert loaded.backend.content() == clf.backend.content()
        assert (loaded.schema, loaded.labels) == (clf.schema, clf.labels)
        assert (loaded.constraint, loaded.notes) == (clf.constraint, clf.notes)
        assert loaded.predict(possible).tolist() == model.predict(possible).tolist()
        for row in possible[:2]:
            assert answers(loaded, list(row)) == answers(clf, list(row))
        with pytest.raises(reasons.InputError, match="impossible"):
            loaded.decide([11, 11, 0, 0])


def test_it_is_pickled_and_copied_as_its_file() -> None:
    rows, _ = data(1)
    clf = reasons.compile(models(1)[0], method="search")
    for other in (pickle.loads(pickle.dumps(clf)), copy.deepcopy(clf)):
        assert other.to_bytes() == clf.to_bytes()
        assert other.predict(rows).tolist() == clf.predict(rows).tolist()


def test_an_audit_of_a_loaded_model_is_the_same(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    rows, _ = data(2)
    clf = reasons.compile(models(2)[1], method="search")
    clf.save(tmp_path / "it.reasons")
    frame = pandas.DataFrame(rows[:20], columns=list(clf.schema.names))
    one, two = (
        reasons.audit(each, frame, protected=["x0"]).to_pandas()
        for each in (clf, reasons.load(tmp_path / "it.reasons"))
    )
    assert one.equals(two)


def test_loading_needs_no_library(tmp_path: Path) -> None:
    rows, _ = data(0)
    clf = reasons.compile(models(0)[0], method="search")
    clf.save(tmp_path / "it.reasons")
    program = """
import json, sys
for name in ("sklearn", "xgboost", "lightgbm", "scipy", "pandas", "joblib"):
    sys.modules[name] = None
import reasons
clf = reasons.load(sys.argv[1])
d = clf.decide(json.loads(sys.argv[2]))
print(json.dumps([d.label, str(d.sufficient_reason()), str(d.counterfactual().instance)]))
"""
    row = rows[5].tolist()
    command = [sys.executable, "-c", program, str(tmp_path / "it.reasons"), json.dumps(row)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    decision = clf.decide(row)
    change = decision.counterfactual()
    assert change is not None
    expected = [decision.label, str(decision.sufficient_reason()), str(change.instance)]
    assert json.loads(done.stdout) == expected


def test_a_close_call_that_the_library_settles_is_refused_not_guessed(tmp_path: Path) -> None:
    """Two labels lead by nothing where a and b differ: there the library decides."""
    schema = reasons.compile("a & b").schema
    leaves = numpy.array([[0.0], [-0.1], [0.1]])
    test, left, right = numpy.array([[0, -1, -1], [1, 0, 0], [2, 0, 0]], numpy.int32)
    both = [Tree(test + at * (test >= 0), left, right, leaves) for at in range(2)]
    model = TreeModel(
        (Column("a"), Column("b")), (Test(0, 0.5), Test(1, 0.5)), tuple(both), (False, True),
        (0.0,), "cut", "it", added=False, slack=1e-9,
    )  # fmt: skip
    from reasons.ensembles.cell_sets import LeftCells
    from reasons.search.backend import EnsembleBackend

    tests = LeftCells.of_masks([0, 1], [numpy.array([True, False])] * 2)
    native = ensemble(model, schema, tests, lambda cells: int(cells[0]))
    backend = EnsembleBackend(native, schema, (False, True), has_impossible=False, why="x")
    clf = reasons.Classifier(backend)
    assert [clf.decide(row).label for row in ("a, ~b", "~a, b")] == [True, False]
    clf.save(tmp_path / "it.reasons")
    loaded = reasons.load(tmp_path / "it.reasons")
    assert [loaded.decide(row).label for row in ("a, b", "~a, ~b")] == [True, False]
    for row in ("a, ~b", "~a, b"):
        with pytest.raises(reasons.PropertyError, match="close call"):
            loaded.decide(row)
    with pytest.raises(reasons.PropertyError, match="close call"):
        loaded.decide("a, b").sufficient_reason()


def taken_apart(path: Path) -> tuple[dict[str, Any], dict[str, "array[int]"]]:
    whole = path.read_bytes()
    header = json.loads(whole[24 : 24 + int.from_bytes(whole[12:16], "little")])
    sections = header["sections"].items()
    return header, {name: array("B", whole[at : at + size]) for name, (at, size) in sections}


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    clf = reasons.compile(models(0)[1], method="search", constraint="x0 <= 5 | x1 <= 9")
    clf.save(tmp_path / "it.reasons")
    return tmp_path / "it.reasons"


def test_damage_that_the_checksum_finds_is_refused(saved: Path) -> None:
    whole = saved.read_bytes()
    rng = random.Random(0)
    for at in rng.sample(range(len(whole)), 60):
        saved.write_bytes(whole[:at] + bytes([whole[at] ^ 0x81]) + whole[at + 1 :])
        with pytest.raises(reasons.InputError):
            reasons.load(saved)
        saved.write_bytes(whole[:at])
        with pytest.raises(reasons.InputError):
            reasons.load(saved)


def test_forged_arrays_are_refused_or_make_a_sound_model(saved: Path) -> None:
    """With checksums that are right. In a process of its own, so that a crash is seen."""
    program = """
import random, sys
sys.path.insert(0, sys.argv[2])
import reasons
from tests.unit.search.test_saved import forge, taken_apart
from pathlib import Path
path = Path(sys.argv[1])
header, arrays = taken_apart(path)
rng, refused = random.Random(7), 0
for _ in range(400):
    name = rng.choice(sorted(arrays))
    changed = {key: values[:] for key, values in arrays.items()}
    kind = rng.randrange(3)
    if kind == 0 and len(changed[name]):
        for _ in range(rng.choice([1, 1, 4])):
            changed[name][rng.randrange(len(changed[name]))] = rng.choice([0, 1, 127, 128, 255])
    elif kind == 1:
        changed[name] = changed[name][: rng.randrange(len(changed[name]) + 1)]
    else:
        changed[name] += changed[name][: rng.choice([1, 2, 4, 8])]
    forge(path, header, changed)
    try:
        clf = reasons.load(path)
        clf.predict([[1, 2, 3, 4], [5, 6, 7, 8]])
        clf.decide([1, 2, 3, 4]).is_sufficient({})
    except (reasons.InputError, reasons.PropertyError):
        refused += 1
print(refused)
"""
    root = str(Path(__file__).parents[3])
    command = [sys.executable, "-c", program, str(saved), root]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-800:]
    assert int(done.stdout) > 100


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("trees", 10**12),
        ("trees", -1),
        ("trees", True),
        ("trees", None),
        ("rule", "dice"),
        ("rule", "largest"),
        ("single", 1),
        ("types", {}),
        ("types", {"node_test": "O"}),
        ("is_settled", "no"),
        ("has_impossible", None),
        ("seconds", -1),
        ("seconds", "9"),
        ("why", 7),
    ],
)
def test_forged_fields_are_refused(saved: Path, name: str, value: Any) -> None:
    header, arrays = taken_apart(saved)
    forge(saved, {**header, "fields": {**header["fields"], name: value}}, arrays)
    with pytest.raises(reasons.ParseError, match="damaged"):
        reasons.load(saved)


@pytest.mark.parametrize("kind", ["tensor", "circuit", 3, None, ["ensemble"]])
def test_another_kind_is_refused(saved: Path, kind: Any) -> None:
    header, arrays = taken_apart(saved)
    forge(saved, {**header, "kind": kind}, arrays)
    with pytest.raises(reasons.ParseError, match="damaged"):
        reasons.load(saved)


def test_cyclic_and_distant_children_and_features_that_do_not_exist_are_refused(
    saved: Path,
) -> None:
    header, arrays = taken_apart(saved)
    for name in ("left", "right", "node_test", "test_feature", "tree_score", "sizes"):
        for byte in (0, 255):
            changed = {key: values[:] for key, values in arrays.items()}
            changed[name] = array("B", [byte]) * len(changed[name])
            if changed[name] == arrays[name]:
                continue
            if (name, byte) == ("test_feature", 0):
                continue  # all tests of one feature: another model, if its cells suffice
            forge(saved, header, changed)
            with pytest.raises(reasons.ParseError, match="damaged"):
                reasons.load(saved)


def test_planted_a_changed_value_of_a_leaf_is_seen(saved: Path) -> None:
    """The comparison of answers can fail: larger leaves make another model."""
    rows = [row for row in data(0)[0] if row[0] <= 5 or row[1] <= 9]
    expected = models(0)[1].predict(rows).tolist()
    assert predicted(saved, rows) == expected
    header, arrays = taken_apart(saved)
    kind = header["fields"]["types"]["values"]
    values = numpy.frombuffer(arrays["values"].tobytes(), kind)
    arrays["values"] = array("B", (values - 1).astype(kind).tobytes())
    forge(saved, header, arrays)
    assert predicted(saved, rows) != expected
