"""The program `reasons`: its commands, its exit codes."""

import sys

import typer

from reasons import __version__
from reasons.cli.audit import audit
from reasons.cli.commands import compile_, convert, demo, draw, explain, show
from reasons.cli.errors import AUDIT, COMMON, CONVERT, DRAW, EXPLAIN, SERVE, worded_by
from reasons.cli.options import with_reading
from reasons.cli.serve import serve

app = typer.Typer(
    name="reasons",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    help="Why did a classifier decide so? Exact explanations, with evidence.\n\n"
    "SOURCE is a formula, or a file: `.reasons`, `.cnf`, `.nnf`, `.sdd`, DDDMP, a trained model, "
    "or a formula as text.\n\n"
    '`reasons explain "E & (~F | G | W)" --instance "E, ~F, ~G, W"`\n\n'
    "Exit codes: 0 success, 2 invalid input, 3 budget exceeded.",
)
for command, table in (
    (demo, COMMON),
    (explain, EXPLAIN),
    (show, COMMON),
    (draw, DRAW),
    (compile_, COMMON),
    (convert, CONVERT),
    (audit, AUDIT),
    (serve, SERVE),
):
    app.command(command.__name__.rstrip("_"))(worded_by(table)(with_reading(command)))


@app.callback(invoke_without_command=True)
def _options(version: bool = typer.Option(False, "--version", help="Print the version.")) -> None:
    if version:
        print(__version__)
        raise typer.Exit


def main() -> None:
    """Run the program; a closed pipe is not an error."""
    try:
        app()
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
