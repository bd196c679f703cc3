"""A function built clause by clause, by PySDD or OxiDD, in a process of its own.

Run as `python -m benches.cnf.clause_by_clause PEER`; standard input holds the number of
variables and the clauses as JSON. The conjunction grows one clause at a time, as such
packages are used without a compiler in front of them.
"""

import json
import sys
import time
from typing import Any

from benches.harness.subprocess_runner import report


def by_oxidd(variables: int, clauses: list[list[int]]) -> int:
    from oxidd.bdd import BDDManager

    manager = BDDManager(1 << 24, 1 << 22, 1)
    manager.add_vars(variables)
    found: Any = manager.true()
    for clause in clauses:
        some: Any = manager.false()
        for literal in clause:
            name = abs(literal) - 1
            some |= manager.var(name) if literal > 0 else manager.not_var(name)
        found &= some
    return int(found.node_count())


def by_pysdd(variables: int, clauses: list[list[int]]) -> int:
    from pysdd.sdd import SddManager

    manager = SddManager(var_count=variables, auto_gc_and_minimize=True)
    found: Any = manager.true()
    found.ref()
    for clause in clauses:
        some: Any = manager.false()
        for literal in clause:
            some = some | manager.literal(literal)
        grown = found & some
        grown.ref()
        found.deref()
        found = grown
    return int(found.count())


PEERS = {"OxiDD": by_oxidd, "PySDD": by_pysdd}


def main(peer: str) -> None:
    """Build what standard input says, and tell how long that took."""
    task = json.load(sys.stdin)
    started = time.process_time()
    nodes = PEERS[peer](task["variables"], task["clauses"])
    report({"seconds": time.process_time() - started, "nodes": nodes})


if __name__ == "__main__":
    main(sys.argv[1])
