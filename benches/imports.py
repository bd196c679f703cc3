"""What `import reasons` costs in a fresh process, and that it leaves heavy packages alone.

The time that passes is what a user waits for; the processor's is beside it, since only
that one means something on a busy machine.
"""

import resource
import subprocess
import sys
import time
from statistics import median

from benches.harness.timing import format_seconds, print_table

AIM = 0.15
RUNS = 10
HEAVY = ("numpy", "oxidd", "rich", "typer", "pandas")


def run() -> None:
    """Print the time over that of a bare interpreter, and the heavy packages it brings in."""
    pairs = [(_cost("pass"), _cost("import reasons")) for _ in range(RUNS)]
    bare = [median(pair[0][i] for pair in pairs) for i in range(2)]
    ours = [median(pair[1][i] - pair[0][i] for pair in pairs) for i in range(2)]
    found = _output(f"import sys, reasons; print(*(set({HEAVY}) & set(sys.modules)))").split()
    print_table(
        f"imports: median of {RUNS} fresh processes; aim: under {AIM} s",
        ["", "passed", "processor", "aim"],
        [
            ["bare interpreter", *map(format_seconds, bare), "-"],
            ["import reasons, on top", *map(format_seconds, ours), _verdict(ours[0] < AIM)],
            [
                "heavy packages imported",
                ", ".join(sorted(found)) or "none",
                "",
                _verdict(not found),
            ],
        ],
    )


def _verdict(met: bool) -> str:
    return "met" if met else "missed"


def _cost(code: str) -> tuple[float, float]:
    """Seconds that pass, and seconds of processor, until a fresh process has run the code."""
    started, before = time.perf_counter(), _processor()
    _output(code)
    return time.perf_counter() - started, _processor() - before


def _processor() -> float:
    """Seconds of processor that all children have used."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _output(code: str) -> str:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
