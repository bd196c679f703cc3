"""Fuzz every reader for a while, and say how much of each was reached.

    python core/fuzz/run.py --build build/sanitized --seconds 60 --seed 1

The programs are those of `make fuzz`. Seeds are the files in core/fuzz/seeds, and, where
they are there, small published ones in ../shared/data. Exit code 1: a reader broke; its
input, shrunk, is printed and kept in BUILD/fuzz/READER. Imports nothing but Python's own.
"""

import argparse
import gzip
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FORMATS = ROOT / "core" / "formats"
DATA = ROOT.parent / "shared" / "data"
MOST_BYTES = 8000
SUFFIXES = {
    "dimacs": {".cnf", ".dimacs"},
    "nnf": {".nnf", ".dnnf"},
    "vtree": {".vtree"},
    "sdd": {".sdd"},
    "dddmp": {".dddmp", ".bdd", ".add"},
}
SOURCES = {
    "dimacs": ["dimacs"],
    "nnf": [
        *("nnf/reader", "nnf/c2d", "nnf/d4", "nnf/gates", "nnf/circuit", "nnf/to_cnf"),
        "nnf/variable_sets",
    ],
    "vtree": ["vtree"],
    "sdd": ["sdd", "nnf/to_obdd"],
    "dddmp": ["dddmp/dddmp", "dddmp/fields", "dddmp/header"],
}
"""What of core/formats each program is for; scanner.cpp is for all."""


def seeds(reader: str, out: Path, *, published: bool = True) -> list[Path]:
    """Our own seeds, and copies of small published files."""
    found = sorted((ROOT / "core" / "fuzz" / "seeds" / reader).iterdir())
    if not (published and DATA.exists()):
        return found
    for number, text in enumerate(_published(reader)):
        path = out / f"published{number}"
        path.write_bytes(text)
        found.append(path)
    return found


def _published(reader: str) -> Iterator[bytes]:
    for path in sorted(DATA.rglob("*")):
        packed = path.suffix == ".gz"
        suffix = Path(path.stem).suffix if packed else path.suffix
        if suffix not in SUFFIXES[reader] or not path.is_file() or path.stat().st_size > MOST_BYTES:
            continue
        text = gzip.decompress(path.read_bytes()) if packed else path.read_bytes()
        tree = path.with_suffix(".vtree")
        if reader == "sdd" and tree.exists():
            text = tree.read_bytes() + b"%%\n" + text
        if len(text) <= MOST_BYTES:
            yield text


def fuzz(reader: str, build: Path, seconds: float, seed: int) -> tuple[bool, int, int]:
    """Whether a reader held, how many inputs it was given and how many it accepted."""
    out = build / "fuzz" / reader
    out.mkdir(parents=True, exist_ok=True)
    program = build / "core" / "fuzz" / f"fuzz_{reader}"
    words = ["--seconds", str(seconds), "--seed", str(seed), "--out", str(out)]
    done = subprocess.run(
        [program, *words, *seeds(reader, out)], capture_output=True, text=True, errors="replace"
    )
    first = done.stdout.split("\n")[0].split()
    if done.returncode or first[:1] != ["tried"]:
        print(f"fuzz_{reader} broke:\n{done.stdout}{done.stderr}")
    tried, accepted = (int(first[1]), int(first[3])) if first[:1] == ["tried"] else (0, 0)
    return done.returncode == 0 and tried > 0, tried, accepted


def forget_coverage(build: Path) -> None:
    """So that only what this run reaches is reported."""
    for path in (build / "core" / "fuzz").rglob("*.gcda"):
        path.unlink()


def source_name(path: Path) -> str:
    """A source's path in core/formats, without its suffix."""
    return str(path.relative_to(FORMATS).with_suffix(""))


def coverage(build: Path) -> dict[str, tuple[int, int]]:
    """Lines reached and lines there are, by the source's path in core/formats, without suffix."""
    found: dict[str, tuple[int, int]] = {}
    for data in sorted((build / "core" / "fuzz").rglob("*.gcda")):
        done = subprocess.run(
            ["gcov", "--json-format", "--stdout", data], capture_output=True, check=True
        )
        for file in json.loads(done.stdout)["files"]:
            path = Path(file["file"])
            if FORMATS in path.parents and path.name == data.name.removesuffix(".gcda"):
                reached: dict[int, bool] = {}
                for line in file["lines"]:
                    number = line["line_number"]
                    reached[number] = reached.get(number, False) or line["count"] > 0
                found[source_name(path)] = (sum(reached.values()), len(reached))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "sanitized")
    parser.add_argument("--seconds", type=float, default=60, help="for all readers together")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    forget_coverage(options.build)
    held = True
    for reader in SOURCES:
        share = options.seconds / len(SOURCES)
        good, tried, accepted = fuzz(reader, options.build, share, options.seed)
        held = held and good
        print(f"{reader:8} {tried:9,} inputs, {accepted:9,} accepted{'' if good else ', BROKEN'}")
    print(f"\n{'source':14} {'lines':>6} {'reached':>8}")
    for name, (reached, lines) in sorted(coverage(options.build).items()):
        print(f"{name:14} {lines:6} {100 * reached / lines:7.1f}%")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
