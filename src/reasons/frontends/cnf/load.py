"""CNF in DIMACS files: read, named, weighted, and compiled now or when a query needs it."""

from reasons import _core
from reasons.budget import Budget
from reasons.circuits.circuit import Circuit, native_budget
from reasons.circuits.cnf import CnfBackend
from reasons.classifier import Classifier
from reasons.errors import UnsupportedModel
from reasons.features.schema import Schema
from reasons.formats.files import Path, contents, errors_about, warn_about
from reasons.formats.variable_names import Names, require_few, variable_names
from reasons.frontends.cnf.weights import weights_by_name


def load_cnf(
    path: Path,
    *,
    names: Names | None = None,
    compile: bool = True,
    compiler: str | None = None,
    budget: Budget | None = None,
) -> Classifier:
    """The classifier that is true where all clauses of a DIMACS file are.

    Features are the variables, in order, called by their numbers or as `names` says (see
    `variable_names`). Weights of literals (`c p weight`) are kept as `.weights`. Files that
    ask for projection (`c p show`) are refused. `compiler` is another program to run, if it is
    on PATH (see `external`). Can explode: budgeted; with `compile=False` only once a question
    needs the circuit, which none about a positive decision does.
    """
    data = contents(path)
    with errors_about(path, data):
        dimacs = _core.read_dimacs(data)
    warn_about(path, dimacs.warnings)
    cnf = dimacs.cnf
    require_few(cnf.variables, path)
    _require_all_shown(dimacs, path)
    every = variable_names(range(1, cnf.variables + 1), names, data=data, path=path)
    weights = weights_by_name(dimacs.weights, every, str(path))
    schema = Schema(every)

    def circuit(limits: Budget | None) -> Circuit:
        if compiler is None:
            native = _core.compile_cnf(cnf, cnf.variables, native_budget(limits))
            return Circuit(native, schema, (False, True))
        # Imported here: external programs are rare, and the import costs time.
        from reasons.frontends.cnf.external import circuit_by

        return circuit_by(compiler, cnf, schema, path, limits)

    def later(limits: Budget | None) -> Circuit:
        return circuit(limits or (budget and budget.renewed()))

    form = circuit(budget) if compile else CnfBackend(_core.Clauses(cnf), schema, later)
    return Classifier(form, weights=weights or None)


def _require_all_shown(dimacs: _core.Dimacs, path: Path) -> None:
    shown = set(dimacs.shown)
    if dimacs.is_projected and len(shown) < dimacs.cnf.variables:
        raise UnsupportedModel(
            f"{path} asks by 'c p show' for its models over {len(shown):,} of its "
            f"{dimacs.cnf.variables:,} variables only; a classifier looks at all of them. Remove "
            "those lines to load it, or let a projected compiler make an .nnf file of it"
        )
