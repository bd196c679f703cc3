"""How much a step that can explode may spend, and whom it tells how far it is."""

import math
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TypeVar

from reasons.errors import BudgetExceeded, InputError, Option

_NO_LIMIT = 2**63

_BETWEEN_LOOKS = 0.01  # seconds of a loop

Progress = Callable[[str, int, int | None], None]
T = TypeVar("T")


@dataclass(frozen=True)
class Budget:
    """Limits for one piece of work; None is no limit. The clock starts when it is made.

    `threads` is how many may work on one question, by default as many as there are cores. The
    answer does not depend on it.
    `progress(stage, done, total)` is called now and then from long work; `total`
    is None where it is not known.

    >>> Budget(nodes=1_000_000, seconds=10).nodes
    1000000
    """

    nodes: int | None = 50_000_000
    seconds: float | None = None
    bytes: int | None = 8 << 30
    progress: Progress | None = None
    threads: int | None = None
    started: float = field(default_factory=time.monotonic, compare=False)

    def __post_init__(self) -> None:
        for name in ("nodes", "seconds", "bytes", "threads"):
            limit = getattr(self, name)
            if limit is None:
                continue
            is_number = isinstance(limit, int | float) and not isinstance(limit, bool)
            if not is_number or not limit > 0:
                option = Option(f"budget {name}", limit)
                raise InputError("{option} must be a positive number or None", option=option)
            if limit >= _NO_LIMIT:
                object.__setattr__(self, name, None)
            elif name != "seconds":
                object.__setattr__(self, name, math.ceil(limit))

    def renewed(self) -> "Budget":
        """The same limits with a clock that starts now, for work that is put off."""
        return replace(self, started=time.monotonic())

    @property
    def elapsed(self) -> float:
        """Seconds since this budget was made."""
        return time.monotonic() - self.started

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the limit, never negative; None where there is none."""
        return None if self.seconds is None else max(0.0, self.seconds - self.elapsed)

    def check(self, stage: str, nodes: int = 0, bytes: int = 0) -> None:
        """Raise `BudgetExceeded` if a limit is passed."""
        if self.nodes is not None and nodes > self.nodes:
            raise BudgetExceeded(stage, nodes=nodes, limit=self.nodes)
        if self.bytes is not None and bytes > self.bytes:
            raise BudgetExceeded(stage, bytes=bytes, limit=self.bytes)
        if self.seconds is not None and self.elapsed > self.seconds:
            raise BudgetExceeded(stage, seconds=round(self.elapsed, 3), limit=self.seconds)

    def report(self, stage: str, done: int, total: int | None = None) -> None:
        """Tell the listener, if there is one, how far the work is."""
        if self.progress is not None:
            self.progress(stage, done, total)

    def pause(self, stage: str, done: int = 0, total: int | None = None) -> None:
        """Check the limits and report: between the steps of a long work."""
        self.check(stage)
        self.report(stage, done, total)

    def each(self, items: Iterable[T], stage: str, total: int | None = None) -> Iterator[T]:
        """The items, with a pause between them a hundred times a second.

        >>> list(Budget().each("abc", "spelling"))
        ['a', 'b', 'c']
        """
        due = 0.0
        for done, item in enumerate(items):
            if time.monotonic() >= due:
                self.pause(stage, done, total)
                due = time.monotonic() + _BETWEEN_LOOKS
            yield item


UNLIMITED = Budget(nodes=None, bytes=None)
