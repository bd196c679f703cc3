"""`.reasons` files: what is written is read again; what is damaged is refused."""

import json
import os
import shutil
import struct
import zlib
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import reasons
from generators import KINDS, random_case
from reasons import InputError, ParseError
from reasons.storage import MAGIC, VERSION

INF = float("inf")


def every_kind() -> reasons.Classifier:
    """All kinds of features, tests of one feature twice, an impossible leaf, phrases."""
    age = reasons.Feature.numeric("age", [25, 40.5], missing=True)
    score = reasons.Feature.numeric("score", [0], closed="left")
    job = reasons.Feature.categorical(
        "job", ["clerk", 7, ("a", 1)], other=True, missing=True, phrases={7: "does seven"}
    )
    told = {True: ("is old", "were old"), False: "is not old"}
    build = reasons.Builder(
        [age, score, job, reasons.Feature.boolean("old", phrases=told)],
        ["no", 3, ("x", True)],
        wording=reasons.Wording("the case", "it", {3: ("gets three", "would get three")}),
    )
    no, three, pair = (build.leaf(label) for label in build.labels)
    again = build.decide("age", {age.values[1]: no, age.values[2]: three, reasons.MISSING: pair})
    by_age = build.decide("age", {age.values[0]: three, age.values[1:]: again})
    by_score = build.decide("score", {score.values[0]: build.impossible(), score.values[1]: by_age})
    jobs = {("clerk", 7): by_score, (("a", 1), reasons.OTHER, reasons.MISSING): pair}
    return build.build(
        build.decide("old", {True: by_score, False: build.decide("job", list(jobs.items()))})
    )


def conjunctive() -> reasons.Classifier:
    build = reasons.Builder(["a", "b", "c"])
    no, yes = build.leaf(False), build.leaf(True)
    a, b, c = (build.decide(name, {True: yes, False: no}) for name in "abc")
    return build.build(build.decide("c", {True: build.all_of([a, b]), False: no}) if c else no)


def alike(one: reasons.Classifier, other: reasons.Classifier) -> None:
    assert other.labels == one.labels
    assert [type(label) for label in other.labels] == [type(label) for label in one.labels]
    assert other.features == one.features
    assert [f.phrases for f in other.features] == [f.phrases for f in one.features]
    assert [(f.cuts, f.closed) for f in other.features] == [
        (f.cuts, f.closed) for f in one.features
    ]
    assert (other.wording, other.given) == (one.wording, one.given)
    assert list(other.circuit) == list(one.circuit)
    other.circuit.check()


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "small.reasons"
    reasons.compile("E & (~F | G)").save(path)
    return path


@pytest.mark.parametrize("make", [every_kind, conjunctive])
def test_what_is_saved_is_loaded_again(make: Callable[[], reasons.Classifier], tmp_path: Path):
    path = tmp_path / "it.reasons"
    make().save(path)
    alike(make(), reasons.load(path))
    reasons.load(str(path)).save(path)  # over itself, while it is mapped
    alike(make(), reasons.load(path, format="reasons"))


@pytest.mark.parametrize("labels", [(False, True), ("no", "yes"), (3, 1, 2), (None, 0.5), ((1,), ())])
def test_labels_keep_their_types(labels: tuple[Any, ...], tmp_path: Path):
    build = reasons.Builder(["a"], labels)
    clf = build.build(build.decide("a", {0: build.leaf(labels[0]), 1: build.leaf(labels[1])}))
    clf.save(tmp_path / "it.reasons")
    alike(clf, reasons.load(tmp_path / "it.reasons"))


@pytest.mark.parametrize("kind", KINDS)
def test_random_classifiers_come_back(kind: str, tmp_path: Path):
    for seed in range(20):
        clf = random_case(kind, seed).classifier
        clf.save(tmp_path / "it.reasons")
        alike(clf, reasons.load(tmp_path / "it.reasons"))


def test_declared_knowledge_comes_back(tmp_path: Path):
    clf = reasons.compile("a | b", given="a -> b")
    clf.save(tmp_path / "it.reasons")
    alike(clf, reasons.load(tmp_path / "it.reasons"))


def test_a_label_that_json_cannot_hold_is_refused_and_nothing_written(tmp_path: Path):
    build = reasons.Builder(["a"], [frozenset({1}), "b"])
    clf = build.build(build.leaf("b"))
    with pytest.raises(InputError, match="label .*frozenset"):
        clf.save(tmp_path / "it.reasons")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("pattern", [0x01, 0x80, 0xFF])
def test_a_change_of_any_byte_is_refused(saved: Path, pattern: int):
    whole = saved.read_bytes()
    for at in range(len(whole)):
        saved.write_bytes(whole[:at] + bytes([whole[at] ^ pattern]) + whole[at + 1 :])
        with pytest.raises(InputError):
            reasons.load(saved)
        with pytest.raises(ParseError):
            reasons.load(saved, format="reasons")


def test_a_file_cut_short_at_any_length_is_refused(saved: Path):
    whole = saved.read_bytes()
    for length in range(len(whole)):
        saved.write_bytes(whole[:length])
        with pytest.raises(ParseError):
            reasons.load(saved, format="reasons")


def test_a_file_cut_short_is_not_taken_for_a_formula(saved: Path):
    """The first bytes of a file are the word "reasons", which is a formula, too."""
    whole = saved.read_bytes()
    for length in range(9):
        saved.write_bytes(whole[:length])
        with pytest.raises(InputError):
            reasons.load(saved)


@pytest.mark.parametrize("junk", [b"\0", b"\n", b"junk", bytes(64)])
def test_a_file_with_something_behind_it_is_refused(saved: Path, junk: bytes):
    saved.write_bytes(saved.read_bytes() + junk)
    with pytest.raises(ParseError, match="bytes"):
        reasons.load(saved)


def test_another_version_is_named(saved: Path):
    data = bytearray(saved.read_bytes())
    data[8:12] = struct.pack("<I", VERSION + 1)
    saved.write_bytes(data)
    with pytest.raises(ParseError, match=f"version {VERSION + 1}"):
        reasons.load(saved)


def test_what_is_no_file_is_refused(tmp_path: Path):
    (tmp_path / "empty.reasons").touch()
    for path, format in [
        (tmp_path / "empty.reasons", None),
        (tmp_path / "empty.reasons", "reasons"),
        (tmp_path, None),
        (tmp_path, "reasons"),
        (tmp_path / "missing.reasons", None),
        (tmp_path / "missing.reasons", "reasons"),
        (tmp_path / "no" / "such" / "folder", None),
    ]:
        with pytest.raises(InputError):
            reasons.load(path, format=format)
    with pytest.raises(InputError, match="there is no format 'pickle'"):
        reasons.load(tmp_path, format="pickle")


# A file whose checksums are right and whose content is not.


def parts(path: Path) -> tuple[dict[str, Any], dict[str, array]]:
    data = path.read_bytes()
    room = struct.unpack("<I", data[12:16])[0]
    header = json.loads(data[24 : 24 + room])
    arrays = {}
    for name, (offset, size) in header["sections"].items():
        arrays[name] = array("H" if name == "arm_of" else "I", data[offset : offset + size])
    return header, arrays


def forge(path: Path, header: dict[str, Any], arrays: dict[str, array], shift: int = 0) -> None:
    """Write a file as the package would, whatever it says."""
    room = 8192 - 24
    sections, body = {}, bytearray(shift)
    for name, values in arrays.items():
        sections[name] = [24 + room + len(body), len(values) * values.itemsize]
        body += values.tobytes() + bytes(-(len(values) * values.itemsize) % 64)
    made = {**header, "sections": header.get("forged", sections), "length": 24 + room + len(body)}
    encoded = json.dumps(made).encode().ljust(room)
    prefix = struct.pack("<8sIII", MAGIC, VERSION, room, zlib.crc32(body))
    seal = struct.pack("<I", zlib.crc32(encoded, zlib.crc32(prefix)))
    path.write_bytes(prefix + seal + encoded + body)


def test_an_honest_forgery_is_loaded(saved: Path):
    """So that the refusals below are about what was changed."""
    before = reasons.load(saved)
    forge(saved, *parts(saved))
    alike(before, reasons.load(saved))


Damage = Callable[[dict[str, Any], dict[str, array]], object]
HOSTILE: dict[str, Damage] = {
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
    "no nodes": lambda h, a: [a["heads"].__delitem__(slice(None)), a["first"].__init__],
    "one array less": lambda h, a: a.pop("edges"),
    "conjunctions that share features": lambda h, a: [
        a["heads"].__setitem__(i, 2 << 30) for i in range(2, len(a["heads"]))
    ],
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
    "what is given as a number": lambda h, a: h.update(given=5),
    "sections that are a list": lambda h, a: h.update(forged=[1, 2]),
    "sections behind the end": lambda h, a: h.update(
        forged={name: [10**12, 8] for name in a}
    ),
    "sections before the start": lambda h, a: h.update(forged={name: [-64, 8] for name in a}),
    "sections of odd lengths": lambda h, a: h.update(forged={name: [8192, 7] for name in a}),
    "sections with texts": lambda h, a: h.update(forged={name: ["a", "b"] for name in a}),
    "sections with fractions": lambda h, a: h.update(forged={name: [8192.5, 8] for name in a}),
}


@pytest.mark.parametrize("damage", HOSTILE)
def test_a_hostile_file_is_refused(saved: Path, damage: str):
    header, arrays = parts(saved)
    HOSTILE[damage](header, arrays)
    forge(saved, header, arrays)
    with pytest.raises(ParseError, match="damaged"):
        reasons.load(saved)


def test_arrays_that_are_not_aligned_are_refused(saved: Path):
    forge(saved, *parts(saved), shift=1)
    with pytest.raises(ParseError):
        reasons.load(saved)


def test_a_deeply_nested_label_is_refused(saved: Path):
    header, arrays = parts(saved)
    nested: Any = 1
    for _ in range(400):
        nested = {"tuple": [nested]}
    header["labels"] = [False, nested]
    forge(saved, header, arrays)
    assert reasons.load(saved).labels[0] is False  # deep, but no stack overflow


@pytest.mark.parametrize("call", ["replace", "fsync", "chmod"])
def test_a_failed_write_leaves_the_old_file_and_nothing_else(
    saved: Path, call: str, monkeypatch: pytest.MonkeyPatch
):
    before = saved.read_bytes()

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, call, fail)
    with pytest.raises(InputError, match="No space left"):
        reasons.compile("x | y").save(saved)
    assert saved.read_bytes() == before
    assert [path.name for path in saved.parent.iterdir()] == [saved.name]


def test_an_interrupted_write_leaves_the_old_file_and_nothing_else(
    saved: Path, monkeypatch: pytest.MonkeyPatch
):
    before = saved.read_bytes()

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        reasons.compile("x | y").save(saved)
    assert saved.read_bytes() == before
    assert [path.name for path in saved.parent.iterdir()] == [saved.name]


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path):
    clf = reasons.compile("x")
    with pytest.raises(InputError, match="missing"):
        clf.save(tmp_path / "missing" / "it.reasons")
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match="folder"):
        clf.save(tmp_path / "folder")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
    if os.geteuid() != 0:
        os.chmod(tmp_path / "folder", 0o500)
        with pytest.raises(InputError, match="Permission"):
            clf.save(tmp_path / "folder" / "it.reasons")
        os.chmod(tmp_path / "folder", 0o700)
    shutil.rmtree(tmp_path / "folder")
