"""What is printed: tables on a terminal, plain text in a pipe, one JSON object on request."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from reasons.views.values import json_tree

console = Console(highlight=False)


def print_json(view: Mapping[str, Any]) -> None:
    """The one object that a command prints with `--json`."""
    print(json.dumps(json_tree(view), indent=2, ensure_ascii=False, allow_nan=False))


def print_pairs(title: str, pairs: Iterable[tuple[str, str]]) -> None:
    """Names and texts; a text of several lines stays together."""
    if not console.is_terminal:
        print(title)
        for name, text in pairs:
            print(f"  {name + ':':<22} " + text.replace("\n", f"\n{'':<25}"))
        return
    table = Table(title=Text(title, style="bold"), title_justify="left", show_header=False)
    for name, text in pairs:
        table.add_row(Text(name, style="cyan"), Text(text))
    console.print(table)


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A table with a heading; in a pipe, columns lined up."""
    rows = [list(row) for row in rows]
    if console.is_terminal:
        table = Table(title=Text(title, style="bold"), title_justify="left", show_lines=True)
        for column in columns:
            table.add_column(column, overflow="fold")
        for row in rows:
            table.add_row(*(Text(text) for text in row))
        console.print(table)
        return
    print(title)
    flat = [[text.replace("\n", "; ") for text in row] for row in [list(columns), *rows]]
    widths = [max(len(row[i]) for row in flat) for i in range(len(columns))]
    for row in flat:
        print("  " + "  ".join(t.ljust(w) for t, w in zip(row, widths, strict=True)).rstrip())
