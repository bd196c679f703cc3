"""Random CNFs of many shapes, and their models by definition. Imports nothing from the package.

A truth table is one integer: bit i is the value where variable v has bit v - 1 of i.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from random import Random

Clauses = list[list[int]]


@cache
def column(variable: int, variables: int) -> int:
    """The truth table of a variable."""
    half = 1 << (variable - 1)
    pattern, width = ((1 << half) - 1) << half, 2 * half
    while width < 1 << variables:
        pattern |= pattern << width
        width *= 2
    return pattern


def table(clauses: Sequence[Sequence[int]], variables: int) -> int:
    """The truth table of a conjunction of clauses."""
    every = (1 << (1 << variables)) - 1
    result = every
    for clause in clauses:
        some = 0
        for literal in clause:
            own = column(abs(literal), variables)
            some |= own if literal > 0 else every ^ own
        result &= some
    return result


def random_clauses(rng: Random, variables: int) -> Clauses:
    """Clauses of one of the shapes, some of them without any model, or without clauses."""
    if not variables:
        return rng.choice([[], [], [[]]])

    def literals(count: int) -> list[int]:
        return [rng.choice([-1, 1]) * rng.randint(1, variables) for _ in range(count)]

    def plain(each: float, lengths: Sequence[int]) -> Clauses:
        return [literals(rng.choice(lengths)) for _ in range(round(each * variables))]

    def equivalences() -> Clauses:
        pairs = [literals(2) for _ in range(variables * 2 // 3)]
        ties = [[-a, b] for a, b in pairs] + [[a, -b] for a, b in pairs if rng.random() < 0.6]
        return [*ties, *plain(0.7, [2, 3])]

    def groups() -> Clauses:
        found = plain(0.5, [2, 3])
        for _ in range(variables // 4 + 1):
            group = literals(rng.randint(2, 5))
            found += [[-a, -b] for a, b in combinations(group, 2)]
            found += [group] * rng.randint(0, 1)
        return found

    def parities() -> Clauses:
        found = []
        for _ in range(variables // 2):
            a, b, c = literals(3)
            found += [[a, b, c], [a, -b, -c], [-a, b, -c], [-a, -b, c]]
        return found

    shape = rng.choice(
        [
            lambda: plain(rng.uniform(2.5, 4.5), [3]),
            lambda: plain(rng.uniform(0.5, 2), [2, 3, 4]),
            lambda: plain(1, range(variables // 2 + 1, variables + 1)),
            lambda: [*plain(0.4, [1]), *plain(1, [2, 3])],
            lambda: [*plain(1, [2, 3]), *[literals(2) * 2, [1, -1]]],
            equivalences,
            groups,
            parities,
        ]
    )
    clauses = shape()
    if rng.random() < 0.03:
        clauses.append([])
    rng.shuffle(clauses)
    return clauses


def dimacs(clauses: Sequence[Sequence[int]], variables: int) -> str:
    lines = [f"p cnf {variables} {len(clauses)}"]
    return "\n".join([*lines, *(" ".join(map(str, [*clause, 0])) for clause in clauses), ""])


def three_cnf(seed: int, variables: int, count: int) -> Clauses:
    rng = Random(seed)
    return [
        [rng.choice([-1, 1]) * v for v in rng.sample(range(1, variables + 1), 3)]
        for _ in range(count)
    ]
