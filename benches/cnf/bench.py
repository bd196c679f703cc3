"""Clauses compiled, beside d4: CPU time and size of the circuits, instance by instance.

`python -m benches cnf` runs everything, for up to an hour; `python -m benches cnf --help` tells
how to run less of it. d4 is the program inside PyXAI, or `--d4`. Ratios are ours / d4's, so that
below 1 is ours; those of sizes, over what both solved.

- Time is that of the processor, at least 1 ms for both. Ours is reading and compiling; d4's is its
  whole process, some 20 ms at least, which is why there is a mean over those where it takes long.
- Arcs are what d4 counts, lines of its file; ours are counted as it would (see `compile_one.arcs`).
  Edges are those of our circuits: of ours, and of d4's file when we have read it, which
  merges what is equal there; "arcs, read" counts the arcs of that, as of ours.
- Both counts of models must agree, and with the known one. d4 is told of 256 variables where
  there are 128 to 255: otherwise its literals come out modulo 128.
"""

import argparse
import gzip
import json
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, TextIO

from benches.cnf.results import LEAST, TITLES, Result, aligned, print_summary, row
from benches.harness.peer_environment import PYXAI, pyxai_python
from benches.harness.subprocess_runner import ROOT
from benches.harness.timeouts import run_limited

FOLDERS = ("generated", "structured", "feature_models", "mc2022")
READING = 60.0
_HEADER = re.compile(rb"^(p[ \t]+cnf[ \t]+)(\d+)", re.MULTILINE)


def run(arguments: Sequence[str] = ()) -> None:
    """Print a line an instance and, in the end, a table of means."""
    options = _options(arguments)
    root = Path(options.data) / "cnf"
    if not root.is_dir():
        print(f"\ncnf: there are no clauses at {root}")
        return
    with tempfile.TemporaryDirectory(prefix="reasons-bench-") as temporary:
        bench = _Bench(Path(temporary), options.seconds, _d4(options.d4, Path(temporary)), root)
        paths = [
            path
            for folder in options.folders
            for path in sorted((root / folder).iterdir())
            if path.name.removesuffix(".gz").endswith((".cnf", ".dimacs"))
            and options.only in path.name
        ]
        if not paths:
            raise SystemExit(f"cnf: there are no such clauses at {root}")
        results = list(_results(bench, paths, options.tsv))
    print_summary(results, options.seconds)
    wrong = [f"{r.folder}/{r.name}: {r.note}" for r in results if r.note.startswith("WRONG")]
    if wrong:
        raise SystemExit("\n".join(["", "wrong counts:", *wrong]))


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benches cnf", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("folders", nargs="*", metavar="FOLDER", help=f"of {', '.join(FOLDERS)}")
    parser.add_argument("--seconds", type=float, default=60.0, help="CPU limit for each, 60")
    parser.add_argument("--only", default="", help="a part of the names of the instances wanted")
    parser.add_argument("--tsv", type=Path, help="write the figures there, too")
    parser.add_argument("--d4", help="the program to compare with")
    parser.add_argument("--data", default=ROOT.parent / "shared" / "data", help="has a folder cnf")
    found = parser.parse_args(arguments)
    odd = set(found.folders) - set(FOLDERS)
    if odd:
        parser.error(f"no folder is named {', '.join(odd)}")
    found.folders = found.folders or FOLDERS
    return found


def _d4(given: str | None, folder: Path) -> Path | None:
    """A copy of d4 that may be run: the one given, PyXAI's, or one on PATH."""
    found = given
    if found is None and pyxai_python() is not None:
        found = next(map(str, PYXAI.glob("lib/*/site-packages/pyxai/**/d4_static")), None)
    found = found or shutil.which("d4") or shutil.which("d4_static")
    if found is None:
        print("\ncnf: there is no d4 to compare with")
        return None
    copy = folder / "d4"
    shutil.copyfile(found, copy)
    copy.chmod(0o755)
    return copy


def _results(bench: "_Bench", paths: Sequence[Path], tsv: Path | None) -> Iterator[Result]:
    """The results, printed as they come."""
    print(f"\ncnf: CPU seconds up to {bench.limit:g}; ratios are ours / d4's; - is not solved")
    print(aligned(TITLES), flush=True)
    file = open(tsv, "w", encoding="utf-8") if tsv else None  # noqa: SIM115
    try:
        if file:
            print(*(field.name for field in fields(Result)), sep="\t", file=file)
        for path in paths:
            result = bench.result(path)
            print(aligned(row(result)), flush=True)
            _record(result, file)
            yield result
    finally:
        if file:
            file.close()


def _record(result: Result, file: TextIO | None) -> None:
    if file:
        values = ("" if value is None else str(value) for value in asdict(result).values())
        print(*values, sep="\t", file=file, flush=True)


class _Bench:
    """What is needed to run an instance."""

    def __init__(self, folder: Path, limit: float, d4: Path | None, root: Path) -> None:
        self.folder, self.limit, self.d4, self.root = folder, limit, d4, root
        self.known: dict[str, str] = {}
        counts = root / "model_counts.tsv"
        for line in counts.read_text().splitlines() if counts.exists() else ():
            path, _, _, models = line.split("\t")
            self.known[path] = models

    def result(self, path: Path) -> Result:
        folder, data = path.parent.name, path.read_bytes()
        data = gzip.decompress(data) if path.suffix == ".gz" else data
        plain = self.folder / "x.cnf"
        plain.write_bytes(data)
        result = Result(folder, path.name.removesuffix(".gz"))
        counts = [
            self.known.get(f"cnf/{folder}/{path.name}"),
            self._ours(result, plain),
            self._theirs(result, data),
        ]
        found = {count for count in counts if count is not None}
        if len(found) > 1:
            result.note = f"WRONG: known, ours and d4's counts are {counts}"
        return result

    def _ours(self, result: Result, path: Path) -> str | None:
        """Compile; the number of models, if it could be had."""
        lines, ending = _child("compile", path, seconds=self.limit + 1)
        made = lines.get("seconds")
        if made is None:
            result.note = f"ours: {lines.get('failed', ending)}"
        elif made <= self.limit:
            result.seconds = max(made, LEAST)
            result.variables, result.arcs = lines["variables"], lines["arcs"]
            result.edges = lines["edges"]
        return lines.get("models")

    def _theirs(self, result: Result, data: bytes) -> str | None:
        """Let d4 compile, and read its file; the number of models, if it could be had."""
        if self.d4 is None:
            return None
        header = _HEADER.search(data)
        variables = int(header[2]) if header else 0
        if header and 128 <= variables < 256:
            data = data[: header.start(2)] + b"256" + data[header.end(2) :]
        given, made = self.folder / "d4.cnf", self.folder / "d4.nnf"
        given.write_bytes(data)
        made.unlink(missing_ok=True)
        arguments = ["-i", str(given), "-m", "ddnnf-compiler", "--dump-ddnnf", str(made)]
        run = run_limited([str(self.d4), *arguments], self.limit)
        if run.code or run.seconds > self.limit or not made.exists():
            ending = run.ending or "out of time"
            result.note = "; ".join(filter(None, [result.note, f"d4: {ending}"]))
            return None
        result.peer_seconds = max(run.seconds, LEAST)
        with open(made, "rb") as file:
            result.peer_arcs = sum(line[:1].isdigit() for line in file)
        lines, ending = _child("read", made, str(variables), seconds=READING)
        if "edges" not in lines:
            result.note = f"d4's file could not be read: {lines.get('failed', ending)}"
        result.peer_edges, result.peer_arcs_read = lines.get("edges"), lines.get("arcs")
        return lines.get("models")


def _child(what: str, path: Path, *more: str, seconds: float) -> tuple[dict[str, Any], str]:
    """What `compile_one` says, all lines in one, and how it ended."""
    command = [sys.executable, "-m", "benches.cnf.compile_one", what, str(path), *more]
    run = run_limited(command, seconds)
    said: dict[str, Any] = {}
    for line in run.output.splitlines():
        if line.startswith("{") and line.endswith("}"):
            said |= json.loads(line)
    return said, run.ending
