"""External CNF compilers (d4, c2d, miniC2D, dsharp): run if on PATH, and verified.

A program gets the clauses in a temporary folder and half of the time that is left. Its output must
be a Decision-DNNF, which the reader and the checker prove, and must equal the clauses. That the
circuit implies each clause is always proved. That it has all their models is proved by counting,
where our own compiler is fast, or by a SAT solver that finds no missing model. Otherwise a warning
says that it is not proved. Whatever fails, our own compiler does the work and a warning says why:
d4 crashes on unsatisfiable clauses, dsharp writes conjunctions that share variables.
"""

import warnings
from dataclasses import replace

from reasons import _core
from reasons.budget import Budget
from reasons.circuits.circuit import Circuit, native_budget
from reasons.counting.count import count
from reasons.counting.sat_encoding import false_model_by_sat
from reasons.errors import (
    BudgetExceeded,
    CompilerWarning,
    InputError,
    PropertyError,
    ReasonsError,
)
from reasons.features.schema import Schema
from reasons.features.terms import Term
from reasons.formats.files import Path, errors_about
from reasons.frontends.cnf.subprocesses import PROGRAMS, Refused, half, output, require_known
from reasons.frontends.cnf.verification import clauses_of, violated_clause

OWN_SECONDS, SAT_SECONDS = 2.0, 10.0
_MOST_SAT_EDGES = 500_000
_LABELS = (False, True)


def circuit_by(
    compiler: str, cnf: _core.Cnf, schema: Schema, path: Path, budget: Budget | None
) -> Circuit:
    """The circuit of clauses by another program, checked, or else by our own compiler.

    `CompilerWarning` says that it is our own and why, or what could not be proved of theirs.
    """
    require_known(compiler)
    native_budget(budget)  # raises if it is not a budget, or spent
    limits = budget or Budget()
    try:
        circuit, doubt = _by_program(compiler, cnf, schema, limits)
    except Refused as refusal:
        circuit, doubt = None, f"{refusal}; reasons compiles it instead"
    if doubt:
        warnings.warn(f"{path}: {doubt}", CompilerWarning, stacklevel=5)
    if circuit is not None:
        return circuit
    native = _core.compile_cnf(cnf, cnf.variables, native_budget(limits))
    return Circuit(native, schema, _LABELS)


def _by_program(
    compiler: str, cnf: _core.Cnf, schema: Schema, limits: Budget
) -> tuple[Circuit, str]:
    """A circuit that implies the clauses, and notes for a warning."""
    clauses = list(clauses_of(cnf))
    data = output(compiler, cnf.variables, clauses, limits)
    share = half(limits)
    try:
        native, note = _read(compiler, data, cnf.variables, share)
        circuit = Circuit(native, schema, _LABELS)
        circuit.check(share)
        violated = violated_clause(circuit, clauses, share)
    except ReasonsError as error:
        raise Refused(f"the output of {compiler} is not used: {_line(error)}") from None
    if violated is not None:
        words = " ".join(map(str, violated)) or "that is empty"
        raise Refused(f"the output of {compiler} is wrong: it violates the clause {words}")
    return circuit, "; ".join(filter(None, [note, _doubt(compiler, circuit, cnf, clauses, limits)]))


def _line(error: Exception) -> str:
    return str(error).partition("\n")[0]


def _read(compiler: str, data: bytes, variables: int, budget: Budget) -> tuple[_core.Circuit, str]:
    """The circuit in a program's output, and what was done to have it.

    Wrong counts in a header do not matter: the function itself is compared.
    """
    with errors_about(f"<{compiler}>", data):
        nnf = _core.read_nnf(data)
        if nnf.variables > variables:
            raise InputError(f"it has {nnf.variables:,} variables, the clauses {variables:,}")
        nnf.widen(variables)
        try:
            return nnf.decision_circuit(native_budget(budget)), ""
        except PropertyError as error:
            if not PROGRAMS[compiler].recompiled:
                raise
            native = _core.compile_cnf(nnf.defining_clauses(), variables, native_budget(budget))
            return native, f"the output of {compiler} was compiled again: {_line(error)}"


def _doubt(
    compiler: str, circuit: Circuit, cnf: _core.Cnf, clauses: list[list[int]], limits: Budget
) -> str:
    """Empty if the circuit is proved to have all models of the clauses, which it implies."""
    models = _own_count(circuit.schema, cnf, limits)
    if models is not None:
        _require(compiler, count(circuit, 1, Term(circuit.schema, {}), limits) == models)
        return ""
    doubt = f"the circuit of {compiler} implies the clauses, but may lack models of theirs: "
    if circuit.edges > _MOST_SAT_EDGES:
        return doubt + "it is too large for a SAT solver to look for one"
    try:
        seconds = _at_most(SAT_SECONDS, limits)
        missed = false_model_by_sat(circuit, clauses, replace(half(limits), seconds=seconds))
    except BudgetExceeded:
        return doubt + f"a SAT solver found none that is missed in {seconds:.3g} s, and no proof"
    except PropertyError as error:  # there is no SAT solver
        return doubt + _line(error)
    _require(compiler, missed is None)
    return ""


def _require(compiler: str, complete: bool) -> None:
    if not complete:
        raise Refused(f"the output of {compiler} is wrong: it lacks models of the clauses")


def _at_most(seconds: float, limits: Budget) -> float:
    """This many seconds, or half of what is left if that is less."""
    left = limits.seconds_left
    return seconds if left is None else max(min(seconds, left / 2), 1e-3)


def _own_count(schema: Schema, cnf: _core.Cnf, limits: Budget) -> int | None:
    """The number of models of the clauses, if our own compiler is fast enough."""
    quick = replace(half(limits), seconds=_at_most(OWN_SECONDS, limits))
    try:
        native = _core.compile_cnf(cnf, cnf.variables, native_budget(quick))
        return count(Circuit(native, schema, _LABELS), 1, Term(schema, {}), quick)
    except BudgetExceeded:
        return None
