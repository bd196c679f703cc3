"""Run the benches named on the command line, or all of them."""

import sys
import time

from benches import (
    audit,
    audit_memory,
    clauses,
    cnf,
    compare,
    ensembles,
    files,
    first,
    forests,
    formulas,
    imports,
    kinds,
    models,
    page,
    queries,
    server,
    soft_votes,
    transversals,
    trees,
)

BENCHES = {
    "imports": imports.run,
    "queries": queries.run,
    "files": files.run,
    "formulas": formulas.run,
    "first": first.run,
    "transversals": transversals.run,
    "trees": trees.run,
    "forests": forests.run,
    "soft_votes": soft_votes.run,
    "ensembles": ensembles.run,
    "kinds": kinds.run,
    "models": models.run,
    "clauses": clauses.run,
    "cnf": cnf.run,
    "audit": audit.run,
    "audit_memory": audit_memory.run,
    "compare": compare.run,
    "server": server.run,
    "page": page.run,
}


def main(names: list[str]) -> int:
    """Run them in order; 2 if a name is not known."""
    unknown = [name for name in names if name not in BENCHES]
    if unknown:
        print(f"no bench is named {', '.join(unknown)}; there are: {', '.join(BENCHES)}")
        return 2
    started = time.perf_counter()
    for name in names or BENCHES:
        BENCHES[name]()
    print(f"\n{time.perf_counter() - started:.0f} s in all")
    return 0


sys.exit(main(sys.argv[1:]))
