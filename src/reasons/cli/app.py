"""The program `reasons`: its commands, its exit codes."""

import sys

import typer

from reasons import __version__
from reasons.cli.audit import audit
from reasons.cli.commands import compile_, convert, demo, draw, explain, show
from reasons.cli.errors import AUDIT, COMMON, CONVERT, DRAW, EXPLAIN, SERVE, worded_by
from reasons.cli.serve import serve

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
app.command()(worded_by(COMMON)(demo))
app.command()(worded_by(EXPLAIN)(explain))
app.command()(worded_by(COMMON)(show))
app.command()(worded_by(DRAW)(draw))
app.command("compile")(worded_by(COMMON)(compile_))
app.command()(worded_by(CONVERT)(convert))
app.command()(worded_by(AUDIT)(audit))
app.command()(worded_by(SERVE)(serve))


@app.callback(invoke_without_command=True)
def _options(version: bool = typer.Option(False, "--version", help="Print the version.")) -> None:
    if version:
        print(__version__)
        raise typer.Exit


def main() -> None:
    """Run the program; a reader that goes away is no error."""
    try:
        app()
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
