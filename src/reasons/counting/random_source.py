"""Where random numbers come from."""

import random
from typing import Any

from reasons.errors import InputError
from reasons.text import short_repr


def random_source(rng: Any) -> random.Random:
    """The source a user gave: a `random.Random`, a seed, a numpy Generator, or None for a new one.

    >>> random_source(7).random() == random.Random(7).random()
    True
    """
    if rng is None:
        return random.Random()
    if isinstance(rng, random.Random):
        return rng
    if isinstance(rng, int) and not isinstance(rng, bool):
        return random.Random(rng)
    if hasattr(rng, "integers"):
        return random.Random(int(rng.integers(1 << 62)))
    raise InputError(f"rng= is a random.Random, a seed or a numpy Generator, not {short_repr(rng)}")
