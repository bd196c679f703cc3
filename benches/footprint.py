"""How much of the package a task touches, and how large what it makes is.

Four tables: modules and functions that three flows pass through (tools/flow_profile.py); modules
of ours that an import or a first compilation loads; characters of printed reasons and the time of
writing them; nodes of random formulas after sifting and the time of compiling them. To compare
two versions, run it with each; `tools/compare_speed.py` takes their times in turns.
"""

import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO

from tools import flow_profile
from tools.compare_speed import formula_texts, printed_decisions

import reasons
from benches.harness.timing import format_seconds, print_table

OURS = "print(sum(name.partition('.')[0] == 'reasons' for name in sys.modules))"
CODES = {
    "import reasons": "import reasons",
    "reasons.compile('a & b')": "import reasons; reasons.compile('a & b')",
}


def run() -> None:
    """Print the four tables."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _flows()
        _modules()
        _printed()
        _sifted()


def _flows() -> None:
    flows: dict[str, Callable[[], None]] = flow_profile.flows()
    with redirect_stdout(StringIO()):
        rows = [[name, *map(str, flow_profile.passed(flow))] for name, flow in flows.items()]
    print_table("footprint: passed by a flow", ["", "modules", "functions"], rows)


def _modules() -> None:
    rows = []
    for name, code in CODES.items():
        command = [sys.executable, "-c", f"import sys; {code}; {OURS}"]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        rows.append([name, done.stdout.strip()])
    print_table("footprint: modules of ours that are loaded", ["", "modules"], rows)


def _printed() -> None:
    decisions = printed_decisions()
    started = time.process_time()
    texts = [str(decision.reason) for decision in decisions]
    took = time.process_time() - started
    row = [f"{len(texts)} reasons", f"{sum(map(len, texts)):,}", format_seconds(took)]
    print_table("footprint: printed reasons", ["", "characters", "processor"], [row])


def _sifted() -> None:
    started = time.process_time()
    classifiers = [reasons.compile(text) for text in formula_texts()]
    took = time.process_time() - started
    nodes = sum(len(classifier.circuit) for classifier in classifiers)
    row = [f"{len(classifiers)} formulas", f"{nodes:,}", format_seconds(took)]
    print_table("footprint: formulas, sifted", ["", "nodes", "processor"], [row])
