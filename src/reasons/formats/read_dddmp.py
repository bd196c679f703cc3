"""Decision diagrams in DDDMP files, as CUDD, OxiDD and others write them in text mode."""

import os

from reasons import _core
from reasons.budget import Budget
from reasons.circuits.circuit import Circuit, native_budget
from reasons.classifier import Classifier
from reasons.errors import InputError
from reasons.features.schema import Schema
from reasons.formats.files import contents, decoded, errors_about
from reasons.text import comma_list, short_repr


def load_dddmp(
    path: str | os.PathLike[str], *, root: str | int | None = None, budget: Budget | None = None
) -> Classifier:
    """The classifier of one root of a DDDMP file.

    `root` is a name of `.rootnames` or a place among the roots, counted from 0; it may be
    left out where there is one only. Features are the variables of `.orderedvarnames`, else
    those of the support, in the order of their ids; those without names are called by ids.
    Terminals other than 0 and 1 (an ADD) are labels of their own.
    Cost: O(file).
    """
    data = contents(path)
    with errors_about(path):
        diagram = _core.read_dddmp(data, native_budget(budget))
    features = Schema(decoded(diagram.features, path))
    edge = _root(diagram.roots, decoded(diagram.root_names, path), root, path)
    return Classifier(
        Circuit(diagram.circuit(edge, native_budget(budget)), features, _labels(diagram.values))
    )


def _labels(values: list[float]) -> tuple[bool | int | float, ...]:
    if values == [0, 1]:
        return (False, True)
    return tuple(int(value) if value.is_integer() else value for value in values)


def _root(
    roots: list[int], names: list[str], wanted: str | int | None, path: str | os.PathLike[str]
) -> int:
    """The edge of the root that is wanted."""
    if wanted is None and len(roots) == 1:
        place: int | None = 0
    elif isinstance(wanted, str):
        place = names.index(wanted) if names.count(wanted) == 1 else None
    else:
        is_place = isinstance(wanted, int) and not isinstance(wanted, bool)
        place = wanted if is_place and 0 <= wanted < len(roots) else None  # type: ignore[operator]
    if place is None:
        known = ", ".join([f"0 to {len(roots) - 1}", *([comma_list(names)] if names else [])])
        asked = "choose one of its roots" if wanted is None else f"no root {short_repr(wanted)}"
        raise InputError(
            "{file}: {asked} by {option}; they are: {known}",
            file=str(path),
            asked=asked,
            option="root",
            known=known,
        )
    if roots[place] == 0:
        raise InputError(f"{path}: root {place} is empty")
    return roots[place]
