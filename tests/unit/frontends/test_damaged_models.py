"""Model files that are cut, changed or made up give an error with their name, and never hang."""

import json
import os
import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy
import pytest

from reasons.ensembles.discretize import over_cells
from reasons.errors import InputError, ParseError
from reasons.frontends.lightgbm import read as lightgbm_models
from reasons.frontends.options import Options
from reasons.frontends.xgboost import read as xgboost_models
from reasons.frontends.xgboost import text_dump

os.environ.setdefault("OMP_NUM_THREADS", "1")
xgboost = pytest.importorskip("xgboost")
lightgbm = pytest.importorskip("lightgbm")

rng = numpy.random.default_rng(3)
X = rng.integers(0, 5, (90, 3)).astype(float)
X[::8, 0] = numpy.nan
Y = ((X[:, 1] % 2 > 0) ^ (X[:, 2] > 2)).astype(int)


def xgboost_file(form: str) -> bytes:
    model = xgboost.XGBClassifier(
        n_estimators=3,
        max_depth=3,
        enable_categorical=True,
        feature_types=["q", "c", "q"],
        max_cat_to_onehot=1,
        booster="dart",
        n_jobs=1,
    )
    return bytes(model.fit(X, Y).get_booster().save_raw(form))


def lightgbm_file() -> bytes:
    model = lightgbm.LGBMClassifier(
        n_estimators=3, verbose=-1, min_data_per_group=2, cat_smooth=1, n_jobs=1
    )
    text = model.fit(X, Y, categorical_feature=[1]).booster_.model_to_string()
    return str(text).encode()


def dump() -> bytes:
    model = xgboost.train({"nthread": 1}, xgboost.DMatrix(X, Y), 3)
    return "".join(f"booster[{i}]:\n{t}" for i, t in enumerate(model.get_dump())).encode()


def read_dump(data: bytes) -> Any:
    return text_dump.read_text(data, Options(classes=[0, 1]), 0.5)


KINDS: dict[str, tuple[Callable[[], bytes], Callable[[bytes], Any]]] = {
    "json": (lambda: xgboost_file("json"), xgboost_models.read_file),
    "ubj": (lambda: xgboost_file("ubj"), xgboost_models.read_file),
    "lightgbm": (lightgbm_file, lightgbm_models.read_file),
    "dump": (dump, read_dump),
}


def attempt(read: Callable[[bytes], Any], data: bytes) -> bool:
    """Whether the bytes are refused; if not, they must be a model that can be decided."""
    try:
        schema, native = over_cells(read(data))
    except InputError as error:
        refused = error
    else:
        native.decide_all(numpy.zeros(len(schema), numpy.uint16), 1)
        return False
    assert not isinstance(refused, ParseError) or refused.source == "<bytes>"
    return True


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_that_is_cut_is_refused(kind: str) -> None:
    make, read = KINDS[kind]
    data = make()
    assert not attempt(read, data)
    end = data.index(b"end of trees") if kind == "lightgbm" else len(data) - 1
    for length in sorted({Random(1).randrange(end) for _ in range(150)} | set(range(12))):
        if kind != "dump" or length < 10:
            assert attempt(read, data[:length]), length


@pytest.mark.parametrize("kind", KINDS)
def test_bytes_that_change_never_crash(kind: str) -> None:
    make, read = KINDS[kind]
    data, random, refused = make(), Random(5), 0
    for _ in range(250):
        changed = bytearray(data)
        for _ in range(random.choice([1, 1, 4])):
            changed[random.randrange(len(changed))] = random.choice([0, 45, 57, 255, 91, 123, 78])
        refused += attempt(read, bytes(changed))
    assert refused > 25


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every member of a JSON value, as its owner and its name or position."""
    for key in list(value) if isinstance(value, dict) else range(min(3, len(value))):
        yield value, key
        if isinstance(value[key], dict | list):
            yield from places(value[key])


ODD: list[Any] = [
    None,
    -1,
    0,
    2**31 - 1,
    2**70,
    1e39,
    float("nan"),
    float("inf"),
    "x",
    [],
    {},
    [[]],
    True,
]


@pytest.mark.slow
def test_members_of_json_that_change_never_crash() -> None:
    data, random, refused, tried = xgboost_file("json"), Random(6), 0, 0
    count = sum(1 for _ in places(json.loads(data)))
    for index in range(count):
        for value in random.sample(ODD, 3):
            changed = json.loads(data)
            owner, key = list(places(changed))[index]
            owner[key] = value
            refused += attempt(xgboost_models.read_file, json.dumps(changed).encode())
            tried += 1
    print(refused, "of", tried)
    assert refused > tried / 3


def test_numbers_of_lightgbm_files_that_change_never_crash() -> None:
    text, random, refused = lightgbm_file().decode(), Random(7), 0
    spots = list(re.finditer(r"(?<=[= ])-?\d[\d.e+-]*", text[: text.index("end of trees")]))
    for spot in spots:
        odd = random.choice(["-1", "0", "2147483647", "9" * 5000, "nan", "1e999", "x", "", "7"])
        changed = text[: spot.start()] + odd + text[spot.end() :]
        refused += attempt(lightgbm_models.read_file, changed.encode())
    assert refused > len(spots) / 5


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"{" * 100_000, "a number is expected"),
        (b'{"a":' * 100_000, "nested"),
        (b"[" * 100_000, "nested|object"),
        (b"{}", "'learner' is missing"),
        (b"", "ends too early"),
        (b"\x80\x04pickle", "no value begins"),
        (b"{L\x00\x00\x00\x00\x00\x00\x00\x01a[$d#L\x7f" + b"\xff" * 7, "ends too early"),
        (b'{"learner": ' + b"9" * 10_000 + b"}", "JSON"),
    ],
)
def test_files_made_up_for_xgboost_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(ParseError, match=message):
        xgboost_models.read_file(data)


def test_cycles_and_children_that_are_not_there_are_named() -> None:
    for child, message in [(0, "reached twice"), (10**6, "child that does not exist")]:
        changed = json.loads(xgboost_file("json"))
        booster = changed["learner"]["gradient_booster"]["gbtree"]
        booster["model"]["trees"][1]["left_children"][0] = child
        with pytest.raises(ParseError, match=rf"trees\[1\]: node 0.*{message}|{message}"):
            xgboost_models.read_file(json.dumps(changed).encode())
    text = lightgbm_file()
    for digits, message in [(b"0", "reached twice"), (b"-99", "child that does not exist")]:
        changed = re.sub(rb"left_child=\S+", b"left_child=" + digits, text, count=1)
        with pytest.raises(ParseError, match=message):
            lightgbm_models.read_file(changed)
