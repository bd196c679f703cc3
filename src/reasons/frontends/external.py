"""Compilers of others: run if they are on PATH, and not believed.

A program gets the clauses in a folder of its own and half of the time that is left. What it
writes must be a Decision-DNNF, which the reader and the checker prove, and must be the function
of the clauses. That it implies each clause is proved, always. That it has all their models is
proved where our own compiler is quick enough (then it has as many) or a SAT solver finds none
that is missed; otherwise a warning says that it was not. Whatever fails, our own compiler does
the work and a warning says why: d4 crashes on clauses without models, dsharp writes conjunctions
that share variables.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import time
import warnings
from contextlib import suppress
from dataclasses import dataclass, replace
from math import ceil

from reasons import _core
from reasons.budget import Budget
from reasons.circuit import Circuit, native_budget
from reasons.errors import (
    BudgetExceeded,
    CompilerWarning,
    InputError,
    PropertyError,
    ReasonsError,
    shown,
)
from reasons.features import Schema
from reasons.frontends.files import Path, contents, errors_about
from reasons.queries.clausal import clauses_of, violated_clause
from reasons.queries.count import count
from reasons.queries.sat import false_model_by_sat
from reasons.terms import Term

OWN_SECONDS, SAT_SECONDS = 2.0, 10.0
_MOST_SAT_EDGES = 500_000
_MOST_OUTPUT = 1 << 30  # what `contents` reads
_CNF, _NNF, _LOG = "in.cnf", "in.cnf.nnf", "log"
_LABELS = (False, True)


@dataclass(frozen=True)
class Program:
    """What a compiler's executable may be called, and its arguments in each of its versions.

    `recompiled`: its circuits may be worth compiling again where they are not decisions.
    `avoided`: from the first to below the second, a number of variables that it confuses; it is
    told the second, and the additional ones occur nowhere.
    """

    executables: tuple[str, ...]
    arguments: tuple[tuple[str, ...], ...]
    recompiled: bool = False
    avoided: tuple[int, int] = (0, 0)


PROGRAMS = {
    "d4": Program(
        ("d4", "d4_static"),
        (
            ("-i", _CNF, "-m", "ddnnf-compiler", "--dump-ddnnf", _NNF),
            ("-dDNNF", _CNF, f"-out={_NNF}"),
        ),
        avoided=(128, 256),  # PyXAI 2.0.1's takes literals modulo 128 there
    ),
    "c2d": Program(("c2d", "c2d_linux"), (("-in", _CNF, "-reduce"),)),
    "minic2d": Program(("miniC2D", "minic2d"), (("-c", _CNF),), recompiled=True),
    "dsharp": Program(("dsharp",), (("-Fnnf", _NNF, _CNF),)),
}
"""c2d and miniC2D call their output after their input."""


class _Refused(Exception):
    """Why a program's work is not used."""


def require_known(compiler: str) -> None:
    """Raise `InputError` that lists the compilers there are, unless it is one."""
    if not isinstance(compiler, str) or compiler not in PROGRAMS:
        raise InputError(
            f"there is no compiler {shown(compiler)}; the compilers are: {', '.join(PROGRAMS)}"
        )


def circuit_by(
    compiler: str, cnf: _core.Cnf, schema: Schema, path: Path, budget: Budget | None
) -> Circuit:
    """The circuit of clauses by another program, checked, or else by our own compiler.

    `CompilerWarning` says that it is our own and why, or what could not be proved of theirs.
    """
    require_known(compiler)
    native_budget(budget)  # refuse what is no budget, or has nothing left
    limits = budget or Budget()
    try:
        circuit, doubt = _by_program(compiler, cnf, schema, limits)
    except _Refused as refusal:
        circuit, doubt = None, f"{refusal}; reasons compiles it instead"
    if doubt:
        warnings.warn(f"{path}: {doubt}", CompilerWarning, stacklevel=4)
    if circuit is not None:
        return circuit
    native = _core.compile_cnf(cnf, cnf.variables, native_budget(limits))
    return Circuit(native, schema, _LABELS)


def _by_program(
    compiler: str, cnf: _core.Cnf, schema: Schema, limits: Budget
) -> tuple[Circuit, str]:
    """A circuit that implies the clauses, and what is to be said about it."""
    clauses = list(clauses_of(cnf))
    data = _output(compiler, cnf.variables, clauses, limits)
    share = _half(limits)
    try:
        native, said = _read(compiler, data, cnf.variables, share)
        circuit = Circuit(native, schema, _LABELS)
        circuit.check(share)
        violated = violated_clause(circuit, clauses, share)
    except ReasonsError as error:
        raise _Refused(f"the output of {compiler} is not used: {_line(error)}") from None
    if violated is not None:
        words = " ".join(map(str, violated)) or "that is empty"
        raise _Refused(f"the output of {compiler} is wrong: it violates the clause {words}")
    return circuit, "; ".join(filter(None, [said, _doubt(compiler, circuit, cnf, clauses, limits)]))


def _half(limits: Budget) -> Budget:
    """A budget with half of the time that is left; the other half is for what comes after."""
    left = limits.seconds_left
    seconds = None if left is None else max(left / 2, 1e-3)
    return Budget(limits.nodes, seconds, limits.bytes, limits.progress)


def _line(error: Exception) -> str:
    return str(error).partition("\n")[0]


def _read(compiler: str, data: bytes, variables: int, budget: Budget) -> tuple[_core.Circuit, str]:
    """The circuit in a program's output, and what was done to have it.

    What a header counts wrongly is of no interest here: the function is compared.
    """
    with errors_about(f"<{compiler}>", data):
        found = _core.read_nnf(data)
        if found.variables > variables:
            raise InputError(f"it has {found.variables:,} variables, the clauses {variables:,}")
        found.widen(variables)
        try:
            return found.decision_circuit(native_budget(budget)), ""
        except PropertyError as error:
            if not PROGRAMS[compiler].recompiled:
                raise
            native = _core.compile_cnf(found.defining_clauses(), variables, native_budget(budget))
            return native, f"the output of {compiler} was compiled again: {_line(error)}"


def _doubt(
    compiler: str, circuit: Circuit, cnf: _core.Cnf, clauses: list[list[int]], limits: Budget
) -> str:
    """Nothing where the circuit, which implies the clauses, is proved to have all their models."""
    own = _own_count(circuit.schema, cnf, limits)
    if own is not None:
        _require(compiler, count(circuit, 1, Term(circuit.schema, {}), limits) == own)
        return ""
    doubt = f"the circuit of {compiler} implies the clauses, but may lack models of theirs: "
    if circuit.edges > _MOST_SAT_EDGES:
        return doubt + "it is too large for a SAT solver to look for one"
    try:
        seconds = _at_most(SAT_SECONDS, limits)
        missed = false_model_by_sat(circuit, clauses, replace(_half(limits), seconds=seconds))
    except BudgetExceeded:
        return doubt + f"a SAT solver found none that is missed in {seconds:.3g} s, and no proof"
    except PropertyError as error:  # there is no SAT solver
        return doubt + _line(error)
    _require(compiler, missed is None)
    return ""


def _require(compiler: str, complete: bool) -> None:
    if not complete:
        raise _Refused(f"the output of {compiler} is wrong: it lacks models of the clauses")


def _at_most(seconds: float, limits: Budget) -> float:
    """So much, or half of what is left where that is less."""
    left = limits.seconds_left
    return seconds if left is None else max(min(seconds, left / 2), 1e-3)


def _own_count(schema: Schema, cnf: _core.Cnf, limits: Budget) -> int | None:
    """How many models the clauses have, if our own compiler is quick."""
    quick = replace(_half(limits), seconds=_at_most(OWN_SECONDS, limits))
    try:
        native = _core.compile_cnf(cnf, cnf.variables, native_budget(quick))
        return count(Circuit(native, schema, _LABELS), 1, Term(schema, {}), quick)
    except BudgetExceeded:
        return None


def _output(compiler: str, variables: int, clauses: list[list[int]], limits: Budget) -> bytes:
    """What the program writes about the clauses."""
    program = PROGRAMS[compiler]
    executable = next(filter(None, map(shutil.which, program.executables)), None)
    if executable is None:
        raise _Refused(f"there is no {' or '.join(program.executables)} on PATH")
    with tempfile.TemporaryDirectory(prefix="reasons-") as folder:
        with open(os.path.join(folder, _CNF), "w", encoding="ascii") as file:
            first, end = program.avoided
            told = end if first <= variables < end else variables
            file.write(f"p cnf {told} {len(clauses)}\n")
            file.writelines(" ".join(map(str, [*clause, 0])) + "\n" for clause in clauses)
        written = os.path.join(folder, _NNF)
        failures = []
        for arguments in program.arguments:
            failure, may_retry = _run([os.path.abspath(executable), *arguments], folder, limits)
            if not failure and os.path.exists(written):
                return _bytes(compiler, written)
            failures.append((failure or "wrote nothing") + _last_words(folder))
            if not may_retry:
                break
        raise _Refused(f"{compiler} {', then '.join(failures)}")


def _bytes(compiler: str, path: str) -> bytes:
    try:
        return contents(path)
    except ReasonsError as error:
        raise _Refused(f"the output of {compiler} is not used: {_line(error)}") from None


def _last_words(folder: str, most: int = 200) -> str:
    """The last line that a program printed, in brackets."""
    with open(os.path.join(folder, _LOG), "rb") as file:
        file.seek(max(0, os.path.getsize(file.name) - most))
        lines = [line.strip() for line in file.read().decode("ascii", "replace").splitlines()]
    said = [line for line in lines if any(map(str.isalnum, line))]
    return f" ({shown(said[-1], most)})" if said else ""


def _run(command: list[str], folder: str, limits: Budget) -> tuple[str, bool]:
    """Run a program to its end. Why it failed, or nothing; and if other arguments may do better.

    No process of its group survives, whatever happens here.
    """
    budget = _half(limits)
    with open(os.path.join(folder, _LOG), "wb") as log:
        try:
            process = subprocess.Popen(
                command,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            return f"cannot be run: {error.strerror or error}", False
        try:
            _limit(process.pid, budget)
            _wait(process, os.path.basename(command[0]), budget)
        except BudgetExceeded:
            raise _Refused(
                f"{os.path.basename(command[0])} was stopped after {budget.seconds:.3g} s"
            ) from None
        finally:
            _end(process)
    return _ended(process.returncode), process.returncode >= 0


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Kill a program's whole group, and wait for it: its folder is about to be removed."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for _ in range(100):
            time.sleep(0.005)
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _wait(process: "subprocess.Popen[bytes]", name: str, budget: Budget) -> None:
    stage = f"running {name}"
    while True:
        left = budget.seconds_left
        try:
            process.wait(0.25 if left is None else min(0.25, left))
            return
        except subprocess.TimeoutExpired:
            budget.check(stage)
            budget.report(stage, int(budget.elapsed))


def _ended(code: int) -> str:
    if code >= 0:
        return f"failed with exit code {code}" if code else ""
    with suppress(ValueError):
        return f"was killed by {signal.Signals(-code).name}"
    return f"was killed by signal {-code}"


def _limit(pid: int, budget: Budget) -> None:
    """Bounds that hold even if this process is killed; where the system has them."""
    try:
        import resource

        prlimit = resource.prlimit
    except (ImportError, AttributeError):
        return
    wanted = {
        resource.RLIMIT_AS: budget.bytes,
        resource.RLIMIT_CPU: None if budget.seconds is None else ceil(budget.seconds) + 1,
        resource.RLIMIT_FSIZE: _MOST_OUTPUT,
    }
    for which, most in wanted.items():
        if most is not None:
            with suppress(ProcessLookupError):
                _, hard = prlimit(pid, which)
                least = most if hard == resource.RLIM_INFINITY else min(most, hard)
                prlimit(pid, which, (least, least))
