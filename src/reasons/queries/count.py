"""How many instances get a label, exactly, however many there are.

The core counts modulo primes of 61 bits, one pass each; as many primes as the size
of the domain needs are put together (Chinese remainders). Numbers of a thousand bits
at every node would cost more memory than the circuit.
"""

from math import prod

from reasons import _core
from reasons.circuit import Circuit

_LARGEST_PRIME = (1 << 61) - 1


def count(circuit: Circuit, label: int) -> int:
    """The number of allowed instances with the label. Cost: O(circuit) for each 60 bits."""
    total = prod(len(feature.values) for feature in circuit.schema)
    if circuit.native.has_conjunctions and label == 0:
        return total - count(circuit, 1)
    leaves = [int(i == label) for i in range(len(circuit.labels))]
    result, modulus = 0, 1
    prime = _LARGEST_PRIME
    while modulus <= total:
        share = _share(circuit, leaves, prime) * total % prime
        result += modulus * ((share - result) * pow(modulus, -1, prime) % prime)
        modulus *= prime
        prime = _prime_below(prime)
    return result


def _share(circuit: Circuit, leaves: list[int], prime: int) -> int:
    """The label's share of the domain, in the field of the prime."""
    weights = []
    for feature in circuit.schema:
        weights += [pow(len(feature.values), -1, prime)] * len(feature.values)
    return _core.weighted_sum(circuit.native, weights, leaves, 0, prime)


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
