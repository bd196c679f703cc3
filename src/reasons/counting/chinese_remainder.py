"""Large integers from their remainders modulo primes of 61 bits.

The core adds and multiplies modulo one prime, a pass each; as many primes as the answer can
need are put together (Chinese remainders). Numbers of a thousand bits at every node would
cost more memory than the circuit.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache

from reasons.budget import Budget

LARGEST_PRIME = (1 << 61) - 1

Remainders = Callable[[int], Sequence[int]]
"""The answers modulo a prime."""


def integers(remainders: Remainders, most: int, budget: Budget, stage: str) -> list[int]:
    """The integers with these remainders, none beyond `most` or below `-most`.

    Cost: a call for each 60 bits of `most`.
    """
    moduli: list[int] = []
    rows: list[Sequence[int]] = []
    modulus = 1
    for prime in primes():
        if rows and modulus > 2 * most:
            break
        budget.check(stage)
        rows.append(remainders(prime))
        moduli.append(prime)
        modulus *= prime
    parts = [modulus // prime * pow(modulus // prime, -1, prime) for prime in moduli]
    return [_balanced(column, parts, modulus) for column in zip(*rows, strict=True)]


def _balanced(remainders: Sequence[int], parts: Sequence[int], modulus: int) -> int:
    value = sum(r * part for r, part in zip(remainders, parts, strict=True)) % modulus
    return value if 2 * value < modulus else value - modulus


def primes() -> Iterator[int]:
    """Primes from 2^61 - 1 downwards."""
    prime = LARGEST_PRIME
    while True:
        yield prime
        prime = _prime_below(prime)


@cache
def _prime_below(number: int) -> int:
    number -= 2
    while not _is_prime(number):
        number -= 2
    return number


def _is_prime(number: int) -> bool:
    """Miller and Rabin's test with bases that are certain below 2^64."""
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37):
        power = pow(base, odd, number)
        if power in (1, number - 1):
            continue
        for _ in range(twos - 1):
            power = power * power % number
            if power == number - 1:
                break
        else:
            return False
    return True
