"""The arrays of the core's ensemble, read back from the bytes it writes as its content."""

from typing import Any

import numpy
from numpy.typing import NDArray

Arrays = dict[str, NDArray[Any]]

RULES = ("cut", "largest", "softmax")

_TYPES = (  # of each array in its order: its name, its type, and how many numbers an element has
    *(("domains", "u4", 1), ("test_feature", "u4", 1), ("test_first", "u4", 1)),
    *(("test_left", "u4", 2), ("node_test", "i4", 1), ("node_left", "u4", 1)),
    *(("node_right", "u4", 1), ("tree_first", "u4", 1), ("tree_score", "u4", 1)),
    *(("tree_width", "u4", 1), ("values", "f8", 1), ("row_first", "u8", 1), ("start", "f8", 1)),
    *(("numbers", "f8", 1), ("settings", "u4", 1), ("guard_first", "u4", 1)),
)


def arrays_of(content: bytes) -> Arrays:
    """The arrays by name, those of pairs flat; names are those of core/forest/ensemble.hpp."""
    arrays: Arrays = {}
    at = 0
    for name, kind, numbers in _TYPES:
        elements = int.from_bytes(content[at : at + 8], "little")
        arrays[name] = numpy.frombuffer(content, f"<{kind}", elements * numbers, at + 8)
        at += 8 + arrays[name].nbytes
    assert at == len(content)
    return arrays
