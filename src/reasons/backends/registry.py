"""The registry of backends: which there are, for the documentation and for tests.

A class registers itself when its module is imported. A classifier takes any backend, registered
or not.
"""

from typing import TypeVar

from reasons.backends.protocol import Backend

B = TypeVar("B", bound=type[Backend])

_REGISTERED: dict[str, type[Backend]] = {}


def register(backend: B) -> B:
    """Add a class of backends to the registry, by its title. A class decorator."""
    _REGISTERED[backend.title] = backend
    return backend


def registered() -> dict[str, type[Backend]]:
    """The classes of backends by their titles, in the order in which they were imported."""
    return dict(_REGISTERED)
