"""An interval for a share of which only a sample is known."""

import math

CONFIDENCE = 0.99
_HALVINGS = 60


def clopper_pearson(found: int, drawn: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The exact interval for the share of which `found` of `drawn` independent draws were.

    It misses the share with probability `1 - confidence` at most, whatever the share is.
    Cost: some thousand additions.

    >>> [round(end, 4) for end in clopper_pearson(0, 100)], clopper_pearson(7, 7)[1]
    ([0.0, 0.0516], 1.0)
    """
    tail = (1 - confidence) / 2
    return _least(found, drawn, tail), 1 - _least(drawn - found, drawn, tail)


def _least(found: int, drawn: int, tail: float) -> float:
    """The largest share with which so many or more are found with probability `tail` at most."""
    if found == 0:
        return 0.0
    low, high = 0.0, found / drawn
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _at_least(found, drawn, middle) <= tail:
            low = middle
        else:
            high = middle
    return low


def _at_least(found: int, drawn: int, share: float) -> float:
    """The probability of `found` or more: the terms fall from there on, as the share is less."""
    if share <= 0:
        return 0.0
    ways = math.lgamma(drawn + 1) - math.lgamma(found + 1) - math.lgamma(drawn - found + 1)
    term = math.exp(ways + found * math.log(share) + (drawn - found) * math.log1p(-share))
    total, odds = 0.0, share / (1 - share)
    for number in range(found, drawn + 1):
        total += term
        term *= odds * (drawn - number) / (number + 1)
        if term <= total * 1e-17:
            break
    return total
