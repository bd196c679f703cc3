"""Formulas to compile, each with what is hard about it."""

import random
from collections.abc import Iterator
from functools import cache
from itertools import combinations


def cases() -> Iterator[tuple[str, str]]:
    """Names and texts."""
    yield "adder carry, 16 bit, operands in blocks", adder_carry(16, in_blocks=True)
    yield "adder carry, 16 bit, interleaved", adder_carry(16, in_blocks=False)
    yield "majority of 25", majority(25)
    yield "random 3-CNF, 30 variables, 90 clauses", random_cnf(30, 90)
    yield "6 queens", queens(6)
    yield "chain of 1,000, and and or in turns", chain(1000)
    yield "conjunction of 2,000 literals", " & ".join(f"x{i}" for i in range(2000))


def adder_carry(bits: int, *, in_blocks: bool) -> str:
    """The last carry of a + b; in blocks, all of a is named before all of b."""
    carry = "0"
    for i in range(bits):
        carry = f"(a{i} & b{i} | (a{i} | b{i}) & {carry})"
    if not in_blocks:
        return carry
    names = " & ".join(f"{operand}{i}" for operand in "ab" for i in range(bits))
    return f"(0 & {names}) | {carry}"


def majority(count: int) -> str:
    """More than half are true, by halves: at least j on the left, the rest on the right."""

    @cache
    def at_least(wanted: int, start: int, end: int) -> str:
        if wanted <= 0 or wanted > end - start:
            return "1" if wanted <= 0 else "0"
        if end - start == 1:
            return f"x{start}"
        middle = (start + end) // 2
        ways = [
            f"({at_least(left, start, middle)} & {at_least(wanted - left, middle, end)})"
            for left in range(wanted + 1)
            if left <= middle - start and wanted - left <= end - middle
        ]
        return "(" + " | ".join(ways) + ")"

    return at_least(count // 2 + 1, 0, count)


def random_cnf(variables: int, clauses: int) -> str:
    """Clauses of three different variables, each negated or not."""
    rng = random.Random(variables)
    return " & ".join(
        "(" + " | ".join(f"{rng.choice(('', '~'))}x{v}" for v in picked) + ")"
        for picked in (rng.sample(range(variables), 3) for _ in range(clauses))
    )


def queens(side: int) -> str:
    """One queen in every row, no two that attack each other."""
    squares = [(row, column) for row in range(side) for column in range(side)]
    parts = [
        "(" + " | ".join(f"q{row}.{column}" for column in range(side)) + ")" for row in range(side)
    ]
    parts += [
        f"~(q{r}.{c} & q{s}.{d})"
        for (r, c), (s, d) in combinations(squares, 2)
        if r == s or c == d or abs(r - s) == abs(c - d)
    ]
    return " & ".join(parts)


def chain(length: int) -> str:
    """x0 & (x1 | (x2 & (x3 | ...)))."""
    opened = "".join(f"x{i} {'&|'[i % 2]} (" for i in range(length - 1))
    return f"{opened}x{length - 1}{')' * (length - 1)}"
