"""Sentential decision diagrams: `.sdd` files with the `.vtree` beside them.

A decomposition branches on sentences, not on features, so that an SDD is recompiled: into
an ordered decision graph with the vtree's leaves, from left to right, as the order.
"""

import os
import warnings
from pathlib import Path

from reasons import _core
from reasons.budget import Budget
from reasons.circuits.circuit import Circuit, native_budget
from reasons.classifier import Classifier
from reasons.errors import ParseError
from reasons.features.schema import Schema
from reasons.formats.files import contents, errors_about
from reasons.formats.variable_names import Names, variable_names


def load_sdd(
    path: str | os.PathLike[str],
    *,
    vtree: str | os.PathLike[str] | None = None,
    names: Names | None = None,
    budget: Budget | None = None,
) -> Classifier:
    """The classifier of an SDD.

    The vtree is the file given or the one of the same name beside it; see `read_sdd`. Features
    are its variables, or those that occur where there is none, in the order of their numbers
    and called by them, or as `names` says: a mapping from numbers, or the path of a feature
    map. Can explode: budgeted.
    """
    sdd = read_sdd(path, vtree=vtree, budget=budget)
    schema = Schema(variable_names(sdd.variables, names, path=path))
    return Classifier(Circuit(_recompiled(sdd, budget), schema, (False, True)))


def _recompiled(sdd: _core.Sdd, budget: Budget | None) -> _core.Circuit:
    """The one place that says how; a compiler of the graph's clauses would come second here."""
    return sdd.ordered_circuit(native_budget(budget))


def read_sdd(
    path: str | os.PathLike[str],
    *,
    vtree: str | os.PathLike[str] | None = None,
    budget: Budget | None = None,
) -> _core.Sdd:
    """The nodes of an SDD, checked against its vtree where there is one.

    A vtree that was given must fit. One that was found and does not fit, as happens where the
    file was saved after its vtree had changed, tells the variables only, with a warning.
    """
    data, tree = contents(path), _vtree(vtree or _beside(path), budget)
    with errors_about(path):
        try:
            return _core.read_sdd(data, tree, True, native_budget(budget))
        except ParseError as error:
            if tree is None or vtree is not None:
                raise
            sdd = _core.read_sdd(data, tree, False, native_budget(budget))
            warnings.warn(
                f"{path}:{error.line}: the vtree beside this file is not its own, and only its "
                f"variables are used: {error.message}",
                stacklevel=4,
            )
            return sdd


def _beside(path: str | os.PathLike[str]) -> Path | None:
    found = Path(path).with_suffix(".vtree")
    return found if found.is_file() else None


def _vtree(path: str | os.PathLike[str] | None, budget: Budget | None) -> _core.Vtree | None:
    if path is None:
        return None
    with errors_about(path):
        return _core.read_vtree(contents(path), native_budget(budget))
