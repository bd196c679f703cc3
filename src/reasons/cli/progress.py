"""Budgets that show their progress on a terminal."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from reasons.budget import Budget


@contextmanager
def stage_progress(seconds: float | None, nodes: int | None) -> Iterator[Budget]:
    """A budget that shows the stage of the work and its steps."""
    with _bar(SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()) as bar:
        task = bar.add_task("working", total=None)

        def report(stage: str, done: int, total: int | None) -> None:
            of = f" of {total:,}" if total else ""
            bar.update(task, description=f"{stage}: {done:,}{of}")

        limits = {"nodes": nodes} if nodes is not None else {}
        yield Budget(seconds=seconds, progress=report, **limits)


@contextmanager
def row_progress(
    seconds: float | None = None, stage: str = "rows", resumable: bool = False
) -> Iterator[Budget]:
    """A budget that shows the rows done in a stage, their rate, and the time left."""
    rows = "rows" if stage == "rows" else f"rows for {stage}"
    columns = (
        TextColumn(f"{{task.completed:,.0f}} {rows}"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    done = 0
    try:
        with _bar(*columns) as bar:
            task = bar.add_task("rows", total=None, rate="")

            def report(current: str, now: int, total: int | None) -> None:
                nonlocal done
                if current == stage:
                    done = now
                    speed = bar.tasks[0].speed
                    rate = f"{speed:,.0f} rows/s" if speed else ""
                    bar.update(task, completed=now, total=total, rate=rate)

            yield Budget(seconds=seconds, progress=report)
    except KeyboardInterrupt:
        hint = f"; {done:,} rows are saved: the same command continues" if resumable else ""
        print(f"reasons: stopped{hint}", file=sys.stderr)
        raise typer.Exit(130) from None


def _bar(*columns: ProgressColumn) -> Progress:
    console = Console(stderr=True)
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
