"""`.reasons` files: what is written is read again; what is damaged is refused."""

import os
import shutil
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import reasons
from reasons import InputError, ParseError
from reasons.backends.file_format import VERSION, packed
from reasons.features.feature import Phrase
from tests.support.generators import KINDS, random_case


def every_kind() -> reasons.Classifier:
    """All kinds of features, tests of one feature twice, an impossible leaf, phrases."""
    age = reasons.Feature.numeric("age", [25, 40.5], missing=True)
    score = reasons.Feature.numeric("score", [0], closed="left")
    job = reasons.Feature.categorical(
        "job", ["clerk", 7, ("a", 1)], other=True, missing=True, phrases={7: "does seven"}
    )
    told: dict[bool, Phrase] = {True: ("is old", "were old"), False: "is not old"}
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
    a, b = (build.decide(name, {True: yes, False: no}) for name in "ab")
    root = build.decide("c", {True: build.all_of([a, b]), False: no})
    return build.build(root)


def alike(one: reasons.Classifier, other: reasons.Classifier) -> None:
    assert other.labels == one.labels
    assert [type(label) for label in other.labels] == [type(label) for label in one.labels]
    assert other.features == one.features
    assert [f.phrases for f in other.features] == [f.phrases for f in one.features]
    assert [(f.cuts, f.closed) for f in other.features] == [
        (f.cuts, f.closed) for f in one.features
    ]
    assert (other.wording, other.constraint) == (one.wording, one.constraint)
    assert list(other.circuit) == list(one.circuit)
    other.circuit.check()


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "small.reasons"
    reasons.compile("E & (~F | G)").save(path)
    return path


@pytest.mark.parametrize("make", [every_kind, conjunctive])
def test_what_is_saved_is_loaded_again(
    make: Callable[[], reasons.Classifier], tmp_path: Path
) -> None:
    path = tmp_path / "it.reasons"
    make().save(path)
    alike(make(), reasons.load(path))
    reasons.load(str(path)).save(path)  # over itself, while it is mapped
    alike(make(), reasons.load(path, format="reasons"))


@pytest.mark.parametrize(
    "labels", [(False, True), ("no", "yes"), (3, 1, 2), (None, 0.5), ((1,), ())]
)
def test_labels_keep_their_types(labels: tuple[Any, ...], tmp_path: Path) -> None:
    build = reasons.Builder(["a"], labels)
    clf = build.build(build.decide("a", {0: build.leaf(labels[0]), 1: build.leaf(labels[1])}))
    clf.save(tmp_path / "it.reasons")
    alike(clf, reasons.load(tmp_path / "it.reasons"))


@pytest.mark.parametrize("kind", KINDS)
def test_random_classifiers_come_back(kind: str, tmp_path: Path) -> None:
    for seed in range(20):
        clf = random_case(kind, seed).classifier
        clf.save(tmp_path / "it.reasons")
        alike(clf, reasons.load(tmp_path / "it.reasons"))


def test_declared_knowledge_comes_back(tmp_path: Path) -> None:
    clf = reasons.compile("a | b", constraint="a -> b")
    clf.save(tmp_path / "it.reasons")
    alike(clf, reasons.load(tmp_path / "it.reasons"))


def test_a_file_of_an_older_release_which_called_a_constraint_given_is_read(tmp_path: Path) -> None:
    clf = reasons.compile("a | b", constraint="a -> b")
    about = clf._about()
    about["given"] = about.pop("constraint")
    path = tmp_path / "old.reasons"
    path.write_bytes(b"".join(packed(clf.circuit, about)))
    assert b'"given"' in path.read_bytes()
    assert b'"constraint"' not in path.read_bytes()
    alike(clf, reasons.load(path))


def test_a_label_that_json_cannot_hold_is_refused_and_nothing_written(tmp_path: Path) -> None:
    build = reasons.Builder(["a"], [frozenset({1}), "b"])
    clf = build.build(build.leaf("b"))
    with pytest.raises(InputError, match=r"label .*frozenset"):
        clf.save(tmp_path / "it.reasons")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("pattern", [0x01, 0x80, 0xFF])
def test_a_change_of_any_byte_is_refused(saved: Path, pattern: int) -> None:
    whole = saved.read_bytes()
    for at in range(len(whole)):
        saved.write_bytes(whole[:at] + bytes([whole[at] ^ pattern]) + whole[at + 1 :])
        with pytest.raises(InputError):
            reasons.load(saved)
        with pytest.raises(ParseError):
            reasons.load(saved, format="reasons")


def test_a_file_cut_short_at_any_length_is_refused(saved: Path) -> None:
    whole = saved.read_bytes()
    for length in range(len(whole)):
        saved.write_bytes(whole[:length])
        with pytest.raises(ParseError):
            reasons.load(saved, format="reasons")


def test_a_file_cut_short_is_not_taken_for_a_formula(saved: Path) -> None:
    """The first bytes of a file are the word "reasons", which is a formula, too."""
    whole = saved.read_bytes()
    for length in range(9):
        saved.write_bytes(whole[:length])
        with pytest.raises(InputError):
            reasons.load(saved)


@pytest.mark.parametrize("junk", [b"\0", b"\n", b"junk", bytes(64)])
def test_a_file_with_something_behind_it_is_refused(saved: Path, junk: bytes) -> None:
    saved.write_bytes(saved.read_bytes() + junk)
    with pytest.raises(ParseError, match="bytes"):
        reasons.load(saved)


def test_another_version_is_named(saved: Path) -> None:
    data = bytearray(saved.read_bytes())
    data[8:12] = struct.pack("<I", VERSION + 1)
    saved.write_bytes(data)
    with pytest.raises(ParseError, match=f"version {VERSION + 1}"):
        reasons.load(saved)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
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
    with pytest.raises(InputError, match="there is no format 'xlsx'"):
        reasons.load(tmp_path, format="xlsx")


@pytest.mark.parametrize("call", ["os.replace", "os.fsync", "builtins.open"])
def test_a_failed_write_leaves_the_old_file_and_nothing_else(
    saved: Path, call: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = saved.read_bytes()

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(call, fail)
    with pytest.raises(InputError, match="No space left"):
        reasons.compile("x | y").save(saved)
    monkeypatch.undo()
    assert saved.read_bytes() == before
    assert [path.name for path in saved.parent.iterdir()] == [saved.name]


def test_an_interrupted_write_leaves_the_old_file_and_nothing_else(
    saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = saved.read_bytes()

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        reasons.compile("x | y").save(saved)
    assert saved.read_bytes() == before
    assert [path.name for path in saved.parent.iterdir()] == [saved.name]


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
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


def test_a_file_that_changes_after_loading_changes_no_answer(saved: Path) -> None:
    """In a process of its own: what is read after the end of a mapped file kills it."""
    program = """
import os, sys, reasons
loaded = reasons.load(sys.argv[1])
with open(sys.argv[1], "r+b") as file:
    file.write(bytes([255]) * os.path.getsize(sys.argv[1]))
    file.truncate(1)
assert str(loaded.decide("E, ~F, G").reason) == "E & (~F | G)"
"""
    done = subprocess.run([sys.executable, "-c", program, str(saved)], capture_output=True)
    assert done.returncode == 0, done.stderr.decode()[-500:]
