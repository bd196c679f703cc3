"""The registry of backends: which there are, for the documentation, for tests and for files.

A class registers itself when its module is imported. A classifier takes any backend, registered
or not. The kinds of `.reasons` files have their classes by name, so that reading a file imports
only what the file holds.
"""

from importlib import import_module
from typing import Any, TypeVar

from reasons.backends.protocol import Backend
from reasons.errors import PropertyError
from reasons.text import short_repr

B = TypeVar("B", bound=type[Backend])

_REGISTERED: dict[str, type[Backend]] = {}
_KINDS = {
    "circuit": "circuits.circuit:Circuit",
    "ensemble": "search.backend:EnsembleBackend",
}


def register(backend: B) -> B:
    """Add a class of backends to the registry, by its title. A class decorator."""
    _REGISTERED[backend.title] = backend
    return backend


def registered() -> dict[str, type[Backend]]:
    """The classes of backends by their titles, in the order in which they were imported."""
    return dict(_REGISTERED)


def backend_of_kind(kind: Any) -> type[Backend]:
    """The class of the backends in a `.reasons` file of this kind, imported now."""
    if not isinstance(kind, str) or kind not in _KINDS:
        raise PropertyError(
            f"it holds a classifier of the kind {short_repr(kind)}, which this release does not "
            "know"
        )
    module, _, name = _KINDS[kind].partition(":")
    backend: type[Backend] = getattr(import_module(f"reasons.{module}"), name)
    return backend
