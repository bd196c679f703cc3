"""Files of every text format that are not what they claim to be: refused, in bounded memory."""

import gzip
import os
import random
import stat
import subprocess
import sys
import tracemalloc
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import reasons
from reasons import InputError, ParseError, ReasonsError
from reasons.formats import files
from tests.support.folders import ROOT

SEEDS = ROOT / "core" / "fuzz" / "seeds"
GOOD = {
    "x.cnf": (SEEDS / "dimacs" / "plain.cnf").read_bytes(),
    "c2d.nnf": (SEEDS / "nnf" / "three.nnf").read_bytes(),
    "d4.nnf": (SEEDS / "nnf" / "arms.nnf").read_bytes(),
    "x.sdd": (SEEDS / "sdd" / "alone.sdd").read_bytes(),
    "x.dddmp": (SEEDS / "dddmp" / "cudd.dddmp").read_bytes(),
}
BIG = b"99999999999999999999"


def load(path: Path, data: bytes) -> reasons.Classifier:
    path.write_bytes(data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return reasons.load(path)


@pytest.mark.parametrize("name", GOOD)
def test_the_files_that_are_damaged_below_are_read_as_they_are(tmp_path: Path, name: str) -> None:
    assert len(load(tmp_path / name, GOOD[name]).features) >= 2


Damage = Callable[[bytes], bytes]
DAMAGES: dict[str, Damage] = {
    "UTF-16": lambda data: data.decode().encode("utf-16"),
    "UTF-16 without a mark": lambda data: data.decode().encode("utf-16-le"),
    "UTF-16, other order": lambda data: data.decode().encode("utf-16-be"),
    "CR for line ends": lambda data: data.replace(b"\n", b"\r"),
    "NUL for blanks": lambda data: data.replace(b" ", b"\0"),
    "NUL within numbers": lambda data: data.replace(b"0\n", b"\x000\n").replace(b"1", b"1\x001"),
    "every number huge": lambda data: b" ".join(
        BIG if word.strip().isdigit() else word for word in data.split(b" ")
    ),
    "nothing but NUL": lambda data: bytes(1000),
    "nothing": lambda data: b"",
    "blanks": lambda data: b" \n" * 1000,
    "one word of a megabyte": lambda data: data.split(b"\n")[0] + b"\n" + b"x" * (1 << 20),
    "one number of a megabyte": lambda data: data.split(b"\n")[0] + b"\n" + b"9" * (1 << 20),
    "a packed file cut short": lambda data: gzip.compress(data * 20)[:-20],
    "a packed file with a changed byte": lambda data: gzip.compress(data)[:-6] + b"123456",
}


@pytest.mark.parametrize("name", GOOD)
@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_refused_with_a_line(tmp_path: Path, name: str, damage: str) -> None:
    with pytest.raises(ParseError) as caught:
        load(tmp_path / name, DAMAGES[damage](GOOD[name]))
    assert caught.value.source == str(tmp_path / name)
    assert caught.value.line is not None
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize("name", GOOD)
def test_padding_of_nul_behind_the_end_is_let_pass(tmp_path: Path, name: str) -> None:
    padded = load(tmp_path / name, GOOD[name] + bytes(100))
    assert padded.equivalent(load(tmp_path / name, GOOD[name]))


@pytest.mark.parametrize("name", GOOD)
def test_windows_line_ends_are_let_pass(tmp_path: Path, name: str) -> None:
    read = load(tmp_path / name, GOOD[name].replace(b"\n", b"\r\n"))
    plain = load(tmp_path / name, GOOD[name])
    assert read.equivalent(plain)


HUGE = 4_000_000_000
CLAIMS = {
    "x.cnf": b"p cnf 1000000000 %d\n1 0\n" % HUGE,
    "c2d.nnf": b"nnf %d %d 1000000000\nL 1\n" % (HUGE, HUGE),
    "gate.nnf": b"nnf 2 1 1\nL 1\nA %d 0\n" % HUGE,
    "d4.nnf": b"o 1 0\nt 2 0\n1 2 1073741823 0\n",
    "x.sdd": b"sdd %d\nT 0\n" % HUGE,
    "elements.sdd": b"sdd 2\nT 0\nD 1 0 %d 0 0\n" % HUGE,
    "x.dddmp": GOOD["x.dddmp"].replace(b".nnodes 5", b".nnodes 2147483647"),
    "vars.dddmp": GOOD["x.dddmp"].replace(b".nsuppvars 3", b".nsuppvars 2147483647"),
    "roots.dddmp": GOOD["x.dddmp"].replace(b".nroots 1", b".nroots 2147483647"),
}


@pytest.mark.parametrize("name", CLAIMS)
def test_what_a_file_claims_takes_no_memory(tmp_path: Path, name: str) -> None:
    """In a process that may not have much: native memory is seen by nothing else."""
    path = tmp_path / name
    path.write_bytes(CLAIMS[name])
    assert limited(path) in ("ParseError", "UnsupportedModel")


def limited(path: Path) -> str:
    program = (
        "import resource, sys, warnings, reasons\n"
        "resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))\n"
        "warnings.simplefilter('ignore')\n"
        "try:\n    reasons.load(sys.argv[1])\n"
        "except reasons.ReasonsError as error:\n    print(type(error).__name__)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, path], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.strip()


MILLION = 1_000_000


def deep_c2d(last: str) -> str:
    chain = "".join(f"A 1 {n}\n" for n in range(MILLION))
    return f"nnf {MILLION + 2} {MILLION} 1\nL 1\n{chain}{last}\n"


def deep_d4(last: str) -> str:
    nodes = "".join(f"o {n} 0\n" for n in range(1, MILLION + 1))
    return nodes + "".join(f"{n} {n + 1} 0\n" for n in range(1, MILLION)) + last + "\n"


def deep_sdd(last: str) -> str:
    chain = "".join(f"D {n} 1 1 {n - 1} {n - 1}\n" for n in range(1, MILLION))
    return f"sdd {MILLION + 1}\nT 0\n{chain}{last}\n"


def deep_dddmp(last: str) -> str:
    head = GOOD["x.dddmp"].decode().split(".nodes")[0].replace(".nnodes 5", f".nnodes {MILLION}")
    nodes = "".join(f"{n} 0 {n - 1} 1\n" for n in range(2, MILLION))
    return f"{head}.nodes\n1 T 0 0\n{nodes}{last}\n.end\n"


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("c2d.nnf", deep_c2d("A 1 5000000"), MILLION + 3),
        ("d4.nnf", deep_d4(f"{MILLION} 7 0"), 2 * MILLION),
        ("x.sdd", deep_sdd("D 1000000 1 1 5 9999999"), MILLION + 2),
        ("x.dddmp", deep_dddmp("1000000 0 7 1"), 16),
        ("x.cnf", f"p cnf 1 {MILLION}\n" + "1 0\n" * MILLION + "1 x 0\n", MILLION + 2),
        ("x.txt", "(\n" * MILLION + "a" + "\n)" * (MILLION - 1), 1),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 20 else "",
)
def test_a_mistake_a_million_deep_is_found(tmp_path: Path, name: str, text: str, line: int) -> None:
    """Cycles, forward references and open brackets."""
    with pytest.raises(ParseError) as caught:
        load(tmp_path / name, text.encode())
    assert caught.value.line == line


def test_a_chain_of_a_million_gates_is_read(tmp_path: Path) -> None:
    assert load(tmp_path / "x.nnf", deep_c2d("A 1 1000000").encode()).count(True) == 1


def test_a_bomb_takes_no_more_memory_than_its_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_MOST_BYTES", 4 << 20)
    path = tmp_path / "x.cnf"
    with gzip.open(path, "wb", compresslevel=9) as file:
        file.write(b"p cnf 1 1\n")
        for _ in range(100):
            file.write(bytes(1 << 20))
    assert path.stat().st_size < 200_000
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match="larger"):
            reasons.load(path)
        assert tracemalloc.get_traced_memory()[1] < 16 << 20
    finally:
        tracemalloc.stop()


def test_a_sparse_file_of_a_terabyte_is_not_read(tmp_path: Path) -> None:
    for name in ("x.cnf", "x.nnf", "x.sdd", "x.dddmp", "x.txt", "x.reasons"):
        path = tmp_path / name
        path.touch()
        os.truncate(path, 1 << 40)
        with pytest.raises(InputError):
            reasons.load(path)


FORMATS = ("reasons", "cnf", "nnf", "sdd", "dddmp", "formula", None)


@pytest.mark.parametrize("format", FORMATS)
def test_pipes_devices_and_folders_are_refused_at_once(tmp_path: Path, format: str | None) -> None:
    for name in ("pipe", "pipe.reasons", "pipe.cnf"):
        pipe = tmp_path / name
        os.mkfifo(pipe)
        assert stat.S_ISFIFO(pipe.stat().st_mode)
        with pytest.raises(InputError, match="not a file"):
            reasons.load(pipe, format=format)
    for place in (Path("/dev/zero"), Path("/dev/null"), tmp_path):
        if place.exists():
            with pytest.raises(InputError, match="not a file"):
                reasons.load(place, format=format)
    with pytest.raises(InputError, match="null"):
        reasons.load("a\0b", format=format)


def test_a_pipe_for_a_vtree_or_for_names_is_refused(tmp_path: Path) -> None:
    pipe, path = tmp_path / "x.vtree", tmp_path / "x.sdd"
    os.mkfifo(pipe)
    assert len(load(path, GOOD["x.sdd"]).features) == 4
    for option in ("vtree", "names"):
        options: dict[str, Any] = {option: pipe}
        with pytest.raises(InputError, match="not a file"):
            reasons.load(path, **options)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", GOOD)
def test_changed_words_are_read_or_refused(tmp_path: Path, name: str, seed: int) -> None:
    """What the C++ fuzzers do, through the whole of `load`, and so less of it."""
    rng = random.Random(seed)
    words = GOOD[name].split(b" ")
    odd = [b"0", b"-1", b"2", b"7", b"\n", BIG, b"1000001", b"\xff", b"1e5", b"c", b"", b"nan"]
    refused = 0
    for _ in range(150):
        changed = list(words)
        for _ in range(rng.randrange(1, 4)):
            changed[rng.randrange(len(changed))] = rng.choice([*odd, rng.choice(words)])
        try:
            load(tmp_path / name, b" ".join(changed))
        except ReasonsError:
            refused += 1
    assert 30 < refused <= 150, seed
