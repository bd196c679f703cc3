"""The command line: `reasons`, with typer and rich; no other package imports them."""

import sys


def main() -> None:
    """Run the program; Ctrl-C ends it with 130 and without a traceback, also while it imports."""
    try:
        from reasons.cli.app import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(130)
