"""Clauses compiled by this package, or a circuit of another read back, in a process of its own.

Run as `python -m benches.cnf_reasons compile FILE` or `read FILE VARIABLES`. Prints lines of
JSON: first what compiling or reading took and how large the circuit is, then its models.
"""

import signal
import sys
import time
from pathlib import Path
from typing import Any

import numpy

from benches.apart import say
from reasons import Classifier, _core
from reasons.circuits.circuit import Circuit
from reasons.features.schema import Schema


def main(what: str, path: str, *numbers: str) -> None:
    """Make the circuit and say what it is."""
    unlimited = _core.Budget(None, None, None)
    data = Path(path).read_bytes()
    started = time.process_time()
    try:
        if what == "compile":
            cnf = _core.read_dimacs(data).cnf
            variables = cnf.variables
            native = _core.compile_cnf(cnf, variables, unlimited)
        else:
            variables = int(numbers[0])
            found = _core.read_nnf(data)
            found.widen(variables)
            native = found.decision_circuit(unlimited)
    except MemoryError:
        say({"failed": "memory"})
        return
    seconds = time.process_time() - started
    size = {"nodes": len(native), "edges": native.edges, "arcs": arcs(native)}
    say({"seconds": seconds, "variables": variables, **size})
    # The soft limit is for what is measured; up to the hard one there is time to count.
    signal.signal(signal.SIGXCPU, signal.SIG_IGN)
    names = [str(number) for number in range(1, variables + 1)]
    classifier = Classifier(Circuit(native, Schema(names), (False, True)))
    sys.set_int_max_str_digits(0)
    say({"models": str(classifier.count(True))})


def arcs(native: Any) -> int:
    """Arcs in the sense of d4's files: literals stand on arcs and cost nothing.

    A decision has an arc for each arm that is not False, unless it is a literal; a conjunction
    one for each input that is no literal, if there are several of them.
    """
    arrays = native.to_arrays()
    heads, first, edges = (
        numpy.frombuffer(arrays[name], numpy.uint32) for name in ("heads", "first", "edges")
    )
    kinds, false = heads >> 30, heads == 1 << 30

    def counted(flags: Any) -> Any:
        """For each node, how many of its inputs have the flag."""
        before = numpy.concatenate([[0], numpy.cumsum(flags[edges])])
        return before[first[1:]] - before[first[:-1]]

    inputs = first[1:].astype(numpy.int64) - first[:-1]
    literal = (kinds == 0) & (counted(kinds == 1) == inputs)
    decisions = (inputs - counted(false))[(kinds == 0) & ~literal]
    parts = (inputs - counted(literal))[kinds == 2]
    return int(decisions.sum() + parts[parts > 1].sum())


if __name__ == "__main__":
    main(*sys.argv[1:])
