"""`.reasons` files whose checksums are right and whose content is not."""

from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import reasons
from reasons import ParseError
from tests.support.formats.reasons_files import forge, parts


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "small.reasons"
    reasons.compile("E & (~F | G)").save(path)
    return path


def test_an_honest_forgery_is_loaded(saved: Path) -> None:
    """So that the refusals below are about what was changed."""
    forge(saved, *parts(saved))
    assert list(reasons.load(saved).circuit) == list(reasons.compile("E & (~F | G)").circuit)


Damage = Callable[[dict[str, Any], dict[str, "array[int]"]], object]
HOSTILE: dict[str, Damage] = {
    "weights that are no pairs": lambda h, a: h.__setitem__("weights", {"E": 1}),
    "a weight of absurd size": lambda h, a: h.__setitem__("weights", {"E": ["1", "1e999999999"]}),
    "a weight of no feature": lambda h, a: h.__setitem__("weights", {"Z": ["1", "1"]}),
    "weights that are a list": lambda h, a: h.__setitem__("weights", [1]),
    "an edge out of range": lambda h, a: a["edges"].__setitem__(0, 10**9),
    "a node that is its own input": lambda h, a: a["edges"].__setitem__(-1, len(a["heads"]) - 1),
    "edges that do not rise": lambda h, a: a["first"].__setitem__(1, 2**32 - 1),
    "a label out of range": lambda h, a: a["heads"].__setitem__(0, 1 << 30 | 9),
    "a split out of range": lambda h, a: a["heads"].__setitem__(-1, 5000),
    "an unknown kind": lambda h, a: a["heads"].__setitem__(-1, 3 << 30),
    "a feature out of range": lambda h, a: a["split_of"].__setitem__(0, 77),
    "an arm out of range": lambda h, a: a["arm_of"].__setitem__(0, 2),
    "a value in no arm": lambda h, a: a["arm_of"].__setitem__(0, 65535),
    "a huge number of arms": lambda h, a: a["split_arms"].__setitem__(0, 2**32 - 1),
    "a huge domain": lambda h, a: a["domains"].__setitem__(0, 2**32 - 1),
    "another domain": lambda h, a: a["domains"].__setitem__(0, 3),
    "no nodes": lambda h, a: a["heads"].__delitem__(slice(None)),
    "one array less": lambda h, a: a.pop("edges"),
    "a kind of feature that is none": lambda h, a: h["features"][0].update(kind="magic"),
    "a feature without a name": lambda h, a: h["features"][0].pop("name"),
    "a name that is a number": lambda h, a: h["features"][0].update(name=5),
    "a name twice": lambda h, a: h["features"][0].update(name="F"),
    "a feature too few": lambda h, a: h["features"].pop(),
    "features that are a number": lambda h, a: h.update(features=7),
    "features that are texts": lambda h, a: h.update(features=["E", "F", "G"]),
    "phrases of an unknown cell": lambda h, a: h["features"][0].update(phrases=[[9, "x"]]),
    "phrases that are a number": lambda h, a: h["features"][0].update(phrases=3),
    "one label": lambda h, a: h.update(labels=[True]),
    "a label twice": lambda h, a: h.update(labels=[True, True]),
    "no labels": lambda h, a: h.update(labels=[]),
    "labels that are lists": lambda h, a: h.update(labels=[[1], [2]]),
    "wording that is a list": lambda h, a: h.update(wording=[1]),
    "wording of an unknown label": lambda h, a: h["wording"].update(labels=[[7, "x"]]),
    "a subject that is a number": lambda h, a: h["wording"].update(subject=5),
    "a constraint that is a number": lambda h, a: h.update(constraint=5),
    "an older release's constraint that is a number": lambda h, a: h.update(given=5),
    "sections that are a list": lambda h, a: h.update(forged=[1, 2]),
    "sections behind the end": lambda h, a: h.update(forged={name: [10**12, 8] for name in a}),
    "sections before the start": lambda h, a: h.update(forged={name: [-64, 8] for name in a}),
    "sections of odd lengths": lambda h, a: h.update(forged={name: [8192, 7] for name in a}),
    "sections with texts": lambda h, a: h.update(forged={name: ["a", "b"] for name in a}),
    "sections with fractions": lambda h, a: h.update(forged={name: [8192.5, 8] for name in a}),
}


@pytest.mark.parametrize("damage", HOSTILE)
def test_a_hostile_file_is_refused(saved: Path, damage: str) -> None:
    header, arrays = parts(saved)
    HOSTILE[damage](header, arrays)
    forge(saved, header, arrays)
    with pytest.raises(ParseError, match="damaged"):
        reasons.load(saved)


def test_a_conjunction_whose_inputs_share_a_feature_is_refused(saved: Path) -> None:
    build = reasons.Builder(["a", "b"])
    no, yes = build.leaf(False), build.leaf(True)
    tests = [build.decide(name, {True: yes, False: no}) for name in "ab"]
    build.build(build.all_of(tests)).save(saved)
    header, arrays = parts(saved)
    arrays["split_of"][1] = arrays["split_of"][0]  # b becomes ~a
    arrays["arm_of"][2:] = array("H", [1, 0])
    forge(saved, header, arrays)
    with pytest.raises(ParseError, match="share a feature"):
        reasons.load(saved)


def test_a_second_test_of_values_that_are_gone_is_refused(saved: Path) -> None:
    reasons.compile("a & b", features=["a", "b"]).save(saved)
    header, arrays = parts(saved)
    arrays["split_of"][0] = arrays["split_of"][1]
    forge(saved, header, arrays)
    with pytest.raises(ParseError, match="damaged"):
        reasons.load(saved)


def test_arrays_that_are_not_aligned_are_refused(saved: Path) -> None:
    forge(saved, *parts(saved), shift=1)
    with pytest.raises(ParseError):
        reasons.load(saved)


def test_a_deeply_nested_label_is_refused(saved: Path) -> None:
    header, arrays = parts(saved)
    nested: Any = 1
    for _ in range(400):
        nested = {"tuple": [nested]}
    header["labels"] = [False, nested]
    forge(saved, header, arrays)
    assert reasons.load(saved).labels[0] is False  # deep, but no stack overflow
