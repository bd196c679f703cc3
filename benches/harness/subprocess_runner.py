"""Child processes of Python: stopped at a time limit, with a peak memory of their own.

A child answers in lines of JSON. Libraries print too, so other lines are left out.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]

Line = dict[str, Any]


class Outcome(NamedTuple):
    """A child's lines, whether it was stopped at the limit, and its peak memory in MB."""

    lines: list[Line]
    stopped: bool
    peak: float


def run_python(
    arguments: Sequence[str], *, seconds: float, python: str = sys.executable, stdin: str = ""
) -> Outcome:
    """Run Python with these arguments; raises `CalledProcessError` if it fails."""
    process = subprocess.Popen(
        [python, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    stopped, peak = False, 0.0
    try:
        output, errors = process.communicate(stdin, timeout=seconds)
    except subprocess.TimeoutExpired:
        stopped, peak = True, peak_of(str(process.pid))
        process.kill()
        output, errors = process.communicate()
    if process.returncode and not stopped:
        sys.stderr.write(errors)
        raise subprocess.CalledProcessError(process.returncode, process.args)
    lines = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    return Outcome(lines, stopped, max([peak, *(line.get("peak", 0.0) for line in lines)]))


def report(line: Line) -> None:
    """What a child calls to answer; its peak memory goes along."""
    print("\n" + json.dumps({**line, "peak": peak_of("self")}), flush=True)


def peak_of(process: str) -> float:
    """Peak memory in MB. Not `ru_maxrss`: that one starts with the parent's."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return 0.0
