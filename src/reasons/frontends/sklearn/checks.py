"""The installed scikit-learn, imported only where one of its models is at hand."""

from importlib import import_module
from typing import Any


def library(module: str) -> Any:
    """A module of scikit-learn by its name in there; it has no types to check against."""
    return import_module(f"sklearn.{module}")


def is_a(model: Any, module: str, *classes: str) -> bool:
    """Whether a model is of one of a module's classes, as far as this version has them."""
    known = tuple(getattr(library(module), name, ()) for name in classes)
    return isinstance(model, known)


def version() -> str:
    """The library's name and version."""
    return f"scikit-learn {import_module('sklearn').__version__}"


def one_thread() -> Any:
    """A context in which models use one thread, whatever their n_jobs."""
    return import_module("joblib").parallel_config(backend="sequential")
