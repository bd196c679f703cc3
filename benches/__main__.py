"""Run the benches named on the command line, or all of them."""

import sys
import time
from importlib import import_module
from typing import Any

BENCHES = {
    "imports": "imports",
    "footprint": "footprint",
    "queries": "queries.bench",
    "files": "queries.files",
    "counting": "queries.counting",
    "first_reasons": "queries.first_reasons",
    "formulas": "formulas.bench",
    "transversals": "transversals.bench",
    "trees": "trees.bench",
    "forests": "forests.bench",
    "boxes": "forests.boxes",
    "soft_votes": "models.soft_votes",
    "ensembles": "models.xgboost_dumps",
    "kinds": "models.kinds",
    "default_models": "models.default_models",
    "growth": "models.growth",
    "clauses": "cnf.uncompiled",
    "cnf": "cnf.bench",
    "audit": "audit.bench",
    "audit_memory": "audit.memory",
    "compare": "compare.bench",
    "server": "server.load",
    "page": "server.page",
}
WITH_OPTIONS = ("cnf", "default_models", "growth", "server")


def main(arguments: list[str]) -> int:
    """Run them in order; 2 if a name is not known.

    Whatever follows the name of a bench with options goes to that bench.
    """
    if arguments and arguments[0] in WITH_OPTIONS and set(arguments[1:]) - set(BENCHES):
        _module(arguments[0]).run(arguments[1:])
        return 0
    unknown = [name for name in arguments if name not in BENCHES]
    if unknown:
        print(f"no bench is named {', '.join(unknown)}; there are: {', '.join(BENCHES)}")
        return 2
    started = time.perf_counter()
    for name in arguments or BENCHES:
        _module(name).run()
    print(f"\n{time.perf_counter() - started:.0f} s in all")
    return 0


def _module(name: str) -> Any:
    """A bench's module, imported when it runs: some import slow libraries."""
    return import_module(f"benches.{BENCHES[name]}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
