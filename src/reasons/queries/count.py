"""How many instances get a label, exactly, however many there are.

The core counts modulo primes of 61 bits, one pass each; as many primes as the size of the
domain needs are put together (Chinese remainders). Numbers of a thousand bits at every node
would cost more memory than the circuit. With thousands of Boolean features the shares of
the domain are kept as a mantissa and a power of two instead: there most are short.
"""

from math import prod

from reasons import _core
from reasons.budget import Budget
from reasons.circuit import Circuit

_LARGEST_PRIME = (1 << 61) - 1
_MANY_FEATURES = 1_000
_STAGE = "counting instances"

Share = tuple[int, int]  # mantissa, and how often it is halved


def count(circuit: Circuit, label: int, budget: Budget | None = None) -> int:
    """The number of allowed instances with the label. Cost: O(circuit) for each 60 bits."""
    budget = budget or Budget()
    domains = [len(feature.values) for feature in circuit.schema]
    if len(domains) > _MANY_FEATURES and set(domains) == {2}:
        mantissa, halved = _share_of_boolean(circuit, label, budget)
        return mantissa << (len(domains) - halved)
    total = prod(domains)
    if circuit.native.has_conjunctions and label == 0:
        return total - count(circuit, 1, budget)
    leaves = [int(i == label) for i in range(len(circuit.labels))]
    result, modulus = 0, 1
    prime = _LARGEST_PRIME
    while modulus <= total:
        budget.check(_STAGE)
        share = _share(circuit, domains, leaves, prime) * total % prime
        result += modulus * ((share - result) * pow(modulus, -1, prime) % prime)
        modulus *= prime
        prime = _prime_below(prime)
    return result


def _share(circuit: Circuit, domains: list[int], leaves: list[int], prime: int) -> int:
    """The label's share of the domain, in the field of the prime."""
    weight = {size: pow(size, -1, prime) for size in set(domains)}
    weights = [weight[size] for size in domains for _ in range(size)]
    return _core.weighted_sum(circuit.native, weights, leaves, 0, prime)


def _share_of_boolean(circuit: Circuit, label: int, budget: Budget) -> Share:
    """The label's share of a domain of Boolean features, exactly."""
    shares: list[Share] = []
    conjoined = circuit.native.has_conjunctions
    wanted = 1 if conjoined else label
    for number in range(len(circuit)):
        if number % 4096 == 0:
            budget.check(_STAGE)
        kind, payload, inputs = circuit.native.node(number)
        if kind == 1:
            shares.append((int(payload == wanted), 0))
        elif kind == 2:
            parts = [shares[i] for i in inputs]
            shares.append((prod(m for m, _ in parts), sum(h for _, h in parts)))
        else:
            shares.append(_mean(shares[inputs[0]], shares[inputs[1]]))
    mantissa, halved = shares[-1]
    return ((1 << halved) - mantissa, halved) if conjoined and label == 0 else (mantissa, halved)


def _mean(one: Share, other: Share) -> Share:
    """Half of the sum of two shares, with an odd mantissa kept short."""
    if not one[0] or not other[0]:
        mantissa, halved = one if one[0] else other
        return (mantissa, halved + 1) if mantissa else (0, 0)
    deep = max(one[1], other[1])
    mantissa = (one[0] << (deep - one[1])) + (other[0] << (deep - other[1]))
    zeros = (mantissa & -mantissa).bit_length() - 1
    return mantissa >> zeros, deep + 1 - zeros


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
