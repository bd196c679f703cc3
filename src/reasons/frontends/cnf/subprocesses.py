"""External compilers as subprocesses: found on PATH, run within limits, and always stopped.

No shell is used. Each runs in its own session and temporary folder, so that it and its children
can be killed together, and nothing is left behind.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from math import ceil

from reasons.budget import Budget
from reasons.errors import BudgetExceeded, InputError, ReasonsError
from reasons.formats.files import contents
from reasons.text import short_repr

_MOST_OUTPUT = 1 << 30  # what `contents` reads
_CNF, _NNF, _LOG = "in.cnf", "in.cnf.nnf", "log"


@dataclass(frozen=True)
class Program:
    """The names of a compiler's executable, and its arguments in each of its versions.

    `recompiled`: its output is compiled again where it has gates other than decisions. `avoided`:
    a half-open range of variable counts that it mishandles. It gets the end of the range instead;
    the additional variables occur nowhere.
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
"""c2d and miniC2D name their output after their input."""


class Refused(Exception):
    """Why a program's work is not used."""


def require_known(compiler: str) -> None:
    """Raise `InputError` that lists the known compilers, unless it is one."""
    if not isinstance(compiler, str) or compiler not in PROGRAMS:
        raise InputError(
            f"there is no compiler {short_repr(compiler)}; the compilers are: {', '.join(PROGRAMS)}"
        )


def half(limits: Budget) -> Budget:
    """A budget with half of the time that is left; the other half is for the steps after."""
    left = limits.seconds_left
    seconds = None if left is None else max(left / 2, 1e-3)
    return replace(limits.renewed(), seconds=seconds)


def output(compiler: str, variables: int, clauses: list[list[int]], limits: Budget) -> bytes:
    """The program's output for the clauses."""
    program = PROGRAMS[compiler]
    executable = next(filter(None, map(shutil.which, program.executables)), None)
    if executable is None:
        raise Refused(f"there is no {' or '.join(program.executables)} on PATH")
    with tempfile.TemporaryDirectory(prefix="reasons-") as folder:
        with open(os.path.join(folder, _CNF), "w", encoding="ascii") as file:
            first, end = program.avoided
            declared = end if first <= variables < end else variables
            file.write(f"p cnf {declared} {len(clauses)}\n")
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
            with suppress(OSError):
                os.remove(written)  # by a program that failed
        raise Refused(f"{compiler} {', then '.join(failures)}")


def _bytes(compiler: str, path: str) -> bytes:
    try:
        return contents(path)
    except ReasonsError as error:
        raise Refused(f"the output of {compiler} is not used: {error}") from None


def _last_words(folder: str, most: int = 200) -> str:
    """The last line that a program printed, in brackets."""
    with open(os.path.join(folder, _LOG), "rb") as file:
        file.seek(max(0, os.path.getsize(file.name) - most))
        lines = [line.strip() for line in file.read().decode("ascii", "replace").splitlines()]
    printed = [line for line in lines if any(map(str.isalnum, line))]
    return f" ({short_repr(printed[-1], most)})" if printed else ""


def _run(command: list[str], folder: str, limits: Budget) -> tuple[str, bool]:
    """Run a program. Why it failed, or ""; and whether other arguments may succeed.

    No process of its group survives, whatever happens here.
    """
    budget = half(limits)
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
            raise Refused(
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
    """Resource limits that hold even if this process is killed, where the system has them."""
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
            with suppress(ProcessLookupError, PermissionError):
                _, hard = prlimit(pid, which)
                least = most if hard == resource.RLIM_INFINITY else min(most, hard)
                prlimit(pid, which, (least, least))
