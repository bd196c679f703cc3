"""Errors as the shell shows them: Python's `favourable=` is `--favourable` here.

An error names options as data (`reasons.errors.Option`). Each command has a table of their
spellings; all other options belong to `load` and are written `--with name=value`.
"""

import sys
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, NoReturn

from reasons.errors import BudgetExceeded, Option, ReasonsError, Spelling

_LARGER = "--nodes 20000000 --seconds 600"
_BRACKETS = ("{", "[", "(")

COMMON = {
    "budget": "--seconds, --nodes",
    "budget seconds": "--seconds",
    "budget nodes": "--nodes",
    "compiler": "--compiler",
}
EXPLAIN = {
    **COMMON,
    **{name: f"--{name}" for name in ("instance", "data", "row", "logged", "keep", "protected")},
    "compile": "--no-compile",
}
DRAW = {**COMMON, "instance": "--instance", "what": "--what"}
CONVERT = {**COMMON, "to": "--to"}
SERVE = {**COMMON, "budget": "--nodes", "protected": "--protected"}
_SAME = ("protected", "ask", "logged", "keep", "groups", "favourable", "output", "restart")
_ALSO = ("engine", "scheduler", "workers", "letters", "codes")
AUDIT = {
    **COMMON,
    **{name: f"--{name}" for name in (*_SAME, *_ALSO)},
    "logged_as": "--logged-as",
    "seconds": "--row-seconds",
}


def shell_spelling(table: Mapping[str, str]) -> Spelling:
    """How a command spells options.

    >>> spelled = shell_spelling(AUDIT)
    >>> spelled(Option("restart", True)), spelled(Option("groups")), spelled(Option("seconds", -1))
    ('--restart', '--groups', '--row-seconds -1')
    >>> spelled(Option("threshold", 0.5)), spelled(Option("domain", text="{'age': int}"))
    ('--with threshold=0.5', '--with "domain={\\'age\\': int}"')
    """

    def spelled(option: Option) -> str:
        name, value = table.get(option.name), option.written
        if option.name == "budget":
            return _LARGER if value else table["budget"]
        if name is None:
            text = f"{option.name}={value}"
            return f'--with "{text}"' if value.startswith(_BRACKETS) else f"--with {text}"
        is_flag = isinstance(option.value, bool) or value in ("", "[...]")
        return name if is_flag else f"{name} {value}"

    return spelled


def worded_by(table: Mapping[str, str]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A decorator of commands that turns errors of the package into messages and exit codes."""

    def decorated(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def run(*arguments: Any, **options: Any) -> None:
            try:
                command(*arguments, **options)
            except ReasonsError as error:
                fail(error, shell_spelling(table))
            except KeyboardInterrupt:  # typer would say "Aborted" and exit with 1
                print("reasons: stopped", file=sys.stderr)
                sys.exit(130)

        return run

    return decorated


def fail(error: ReasonsError, spelling: Spelling) -> NoReturn:
    """Print the message and exit: with 3 if a budget is exceeded, else with 2."""
    message = "; ".join([error.worded(spelling), *getattr(error, "__notes__", ())])
    print(f"reasons: {message}", file=sys.stderr)
    sys.exit(3 if isinstance(error, BudgetExceeded) else 2)
