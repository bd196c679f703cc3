"""The first reasons of sets of about 10^20, a random one, and every feature's share.

None of these lists the set. "From the decision" includes building it.
"""

import random
from collections.abc import Callable
from itertools import islice
from math import comb

import reasons
from benches.harness.timing import best, format_seconds, print_table
from reasons import Builder, Classifier

AIM = 0.01
CHOICES = 42
VOTERS = 71
_MANY = "first thousand reasons"


def run() -> None:
    """Print a column a set."""
    sets = {
        f"{CHOICES} three-way choices": (_choices(), 3**CHOICES),
        f"majority of {VOTERS}": (_majority(), comb(VOTERS, VOTERS // 2 + 1)),
    }
    measured = {name: _measured(*made) for name, made in sets.items()}
    titles = [f"{name}: {made[1]:.2g}" for name, made in sets.items()]
    rows = []
    for query in next(iter(measured.values())):
        times = [figures[query] for figures in measured.values()]
        rows.append([query, *map(format_seconds, times), _verdict(query, max(times))])
    print_table(
        f"first: reasons of sets that none could list; aim: under {format_seconds(AIM)}",
        ["", *titles, "aim"],
        rows,
    )


def _verdict(query: str, seconds: float) -> str:
    if query == _MANY:
        return "-"
    return "met" if seconds < AIM else "missed"


def _choices() -> Classifier:
    """True where one of each three is."""
    return reasons.compile(" & ".join(f"(a{i} | b{i} | c{i})" for i in range(CHOICES)))


def _majority() -> Classifier:
    """True where more than half are."""
    needed = VOTERS // 2 + 1
    build = Builder(f"x{i}" for i in range(VOTERS))
    below = [build.leaf(yes >= needed) for yes in range(VOTERS + 1)]
    for voter in range(VOTERS - 1, -1, -1):
        below = [
            build.decide(f"x{voter}", {True: below[yes + 1], False: below[yes]})
            for yes in range(voter + 1)
        ]
    return build.build(below[0])


def _measured(classifier: Classifier, expected: int) -> dict[str, float]:
    """Seconds of each query where all features are true."""
    instance = dict.fromkeys(classifier.circuit.schema.names, True)
    found = classifier.decide(instance).sufficient_reasons()
    assert found.count() == expected
    rng = random.Random(0)
    calls: dict[str, Callable[[], object]] = {
        "the set and its count, from the decision": lambda: (
            classifier.decide(instance).sufficient_reasons().count()
        ),
        "first reason, from the decision": lambda: next(
            iter(classifier.decide(instance).sufficient_reasons())
        ),
        "first reason": lambda: next(iter(found)),
        "first ten reasons": lambda: list(islice(found, 10)),
        _MANY: lambda: list(islice(found, 1_000)),
        "one of the shortest": found.shortest,
        "a random one": lambda: found.sample(rng),
        "shares of all features": found.share,
        "sizes": found.sizes,
    }
    return {name: best(call) for name, call in calls.items()}
