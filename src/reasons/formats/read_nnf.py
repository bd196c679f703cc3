"""Circuits in `.nnf` files, as c2d, dsharp and d4 write them."""

from reasons import _core
from reasons.budget import Budget
from reasons.circuits.circuit import Circuit, native_budget
from reasons.classifier import Classifier
from reasons.errors import InputError, Option
from reasons.features.schema import Schema
from reasons.formats.files import Path, contents, errors_about, warn_about
from reasons.formats.variable_names import Names, require_few, variable_names


def load_nnf(
    path: Path,
    *,
    names: Names | None = None,
    variables: int | None = None,
    recompile: bool = False,
    budget: Budget | None = None,
) -> Classifier:
    """The classifier of a Decision-DNNF in the dialect of c2d or of d4, told by content.

    Features are the variables, in order, called by their numbers or as `names` says (see
    `variable_names`). A file of d4 does not say how many there are: it is the largest that
    occurs, or `variables`. A conjunction whose inputs share a variable and a disjunction that
    is not a decision raise `PropertyError` with the node; `recompile=True` takes any circuit
    and compiles it anew, which can explode: budgeted. Otherwise the cost is O(file).
    """
    data = contents(path)
    with errors_about(path, data):
        found = _core.read_nnf(data)
    warn_about(path, found.warnings)
    _widen(found, variables, names, path)
    every = variable_names(range(1, found.variables + 1), names, data=data, path=path)
    with errors_about(path, data):
        native = (
            _core.compile_cnf(found.defining_clauses(), found.variables, native_budget(budget))
            if recompile
            else found.decision_circuit(native_budget(budget))
        )
    return Classifier(Circuit(native, Schema(every), (False, True)))


def _widen(found: _core.NnfFile, variables: int | None, names: Names | None, path: Path) -> None:
    """Make the graph one of as many variables as the caller says there are."""
    if variables is None and isinstance(names, list | tuple):
        variables = max(len(names), found.variables)
    if variables is not None:
        if not isinstance(variables, int) or variables < found.variables:
            raise InputError(
                "{file} has {count} variables; {option} must be a whole number that is not smaller",
                file=str(path),
                count=f"{found.variables:,}",
                option=Option("variables", variables),
            )
        require_few(variables, path)
        found.widen(variables)
