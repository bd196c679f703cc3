"""What `import reasons` costs in a fresh process, and that it leaves heavy packages alone."""

import subprocess
import sys
import time
from statistics import median

from benches.timing import show, spelled

AIM = 0.15
RUNS = 10
HEAVY = ("numpy", "oxidd", "rich", "typer", "pandas")


def run() -> None:
    """Print the time over that of a bare interpreter, and the heavy packages it brings in."""
    pairs = [(_seconds("pass"), _seconds("import reasons")) for _ in range(RUNS)]
    bare = median(bare for bare, _ in pairs)
    cost = median(whole - bare for bare, whole in pairs)
    found = _output(f"import sys, reasons; print(*(set({HEAVY}) & set(sys.modules)))").split()
    show(
        f"imports: median of {RUNS} fresh processes; aim: under {AIM} s",
        ["", "seconds", "aim"],
        [
            ["bare interpreter", spelled(bare), "-"],
            ["import reasons, on top", spelled(cost), "met" if cost < AIM else "missed"],
            ["heavy packages imported", ", ".join(sorted(found)) or "none", _verdict(found)],
        ],
    )


def _verdict(found: list[str]) -> str:
    return "missed" if found else "met"


def _seconds(code: str) -> float:
    started = time.perf_counter()
    _output(code)
    return time.perf_counter() - started


def _output(code: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout
