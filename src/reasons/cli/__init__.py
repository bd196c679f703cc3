"""The command line: each command reads, calls the package and prints."""

from reasons.cli.app import main

__all__ = ["main"]
