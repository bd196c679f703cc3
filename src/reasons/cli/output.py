"""What is printed: tables on a terminal, plain text in a pipe, one JSON object on request."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from reasons.features.values import Interval, Special

console = Console(highlight=False)


def print_json(found: Mapping[str, Any]) -> None:
    """The one object that a command prints with `--json`."""
    print(json.dumps(found, indent=2, ensure_ascii=False, default=plain))


def plain(value: Any) -> Any:
    """A value as JSON holds it."""
    if isinstance(value, Interval):
        bounds = {"low": value.low, "high": value.high}
        finite = {k: v if abs(v) != float("inf") else None for k, v in bounds.items()}
        return {**finite, "closed": value.closed}
    if isinstance(value, Special):
        return value.value
    if isinstance(value, Mapping):
        return {str(name): item for name, item in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(value, key=str)
    return value.item() if hasattr(value, "item") else str(value)


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
