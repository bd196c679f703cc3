"""The program `reasons`: its commands, its exit codes."""

import sys

import typer

from reasons import __version__
from reasons.cli.audit import audit
from reasons.cli.commands import compile_, convert, demo, draw, explain, show
from reasons.cli.serve import serve
from reasons.errors import BudgetExceeded, ReasonsError

app = typer.Typer(
    name="reasons",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    help="Why a classifier decided what it decided: exactly, fast, with evidence.\n\n"
    "SOURCE is a file (`.reasons`, `.cnf`, `.nnf`, `.sdd`, DDDMP, or a formula as text) or a "
    "formula itself:\n\n"
    '`reasons explain "E & (~F | G | W)" --instance "E, ~F, ~G, W"`\n\n'
    "Exit codes: 0 done, 2 bad input, 3 budget exceeded.",
)
app.command()(demo)
app.command()(explain)
app.command()(show)
app.command()(draw)
app.command("compile")(compile_)
app.command()(convert)
app.command()(audit)
app.command()(serve)


@app.callback(invoke_without_command=True)
def _options(version: bool = typer.Option(False, "--version", help="Print the version.")) -> None:
    if version:
        print(__version__)
        raise typer.Exit


def main() -> None:
    """Run the program; errors of the package become a message and an exit code."""
    try:
        app()
    except BudgetExceeded as error:
        _fail(error, 3)
    except ReasonsError as error:
        _fail(error, 2)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)


def _fail(error: ReasonsError, code: int) -> None:
    print("; ".join([f"reasons: {error}", *getattr(error, "__notes__", ())]), file=sys.stderr)
    sys.exit(code)
