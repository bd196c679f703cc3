"""Work that recurses once per variable, on a thread with a stack to match.

OxiDD takes about 100 bytes of stack per level (measured, x86-64); the stack is
only reserved, so ten times that is free. The thread also keeps Ctrl-C and the clock
alive: no call into OxiDD can be interrupted, but the caller can stop waiting.
"""

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from reasons.budget import Budget
from reasons.errors import BudgetExceeded

LEVEL_LIMIT = 1_000_000
"""More levels are refused. Four times as many still worked when measured."""

_STACK_BASE = 1 << 20
_STACK_PER_LEVEL = 1024
_TICK = 0.05
_GRACE = 0.5
_sizing = threading.Lock()

Answer = TypeVar("Answer")


class Abandoned(BaseException):
    """The caller has stopped waiting; raised inside the work, never outside."""


class OutOfTime(Exception):
    """The work's own deadline has passed; for the work to catch."""


class Pulse:
    """How the work and the waiting caller speak: is it over, and how far is it.

    `deadline` is the work's own, by the monotonic clock, earlier than the budget's.
    """

    def __init__(self, budget: Budget, stage: str) -> None:
        self.budget, self.stage = budget, stage
        self.is_abandoned = False
        self.deadline: float | None = None
        self.progress: tuple[int, int | None] | None = None

    def check(self, done: int | None = None, total: int | None = None) -> None:
        """Stop here if the caller is gone or the budget is spent."""
        if self.is_abandoned:
            raise Abandoned
        if done is not None:
            self.progress = (done, total)
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise OutOfTime
        self.budget.check(self.stage)

    def report(self) -> None:
        """Tell the budget's listener the latest progress, on the caller's thread."""
        if self.progress is not None:
            self.budget.report(self.stage, *self.progress)


def on_deep_stack(
    work: Callable[[Pulse], Answer], *, levels: int, budget: Budget, stage: str
) -> Answer:
    """The work's answer, or what it raised, from a thread that can recurse `levels` deep.

    Raises `BudgetExceeded` above `LEVEL_LIMIT` levels. Work that outlives the
    budget or a Ctrl-C ends at its next `Pulse.check`, unattended.
    """
    if levels > LEVEL_LIMIT:
        raise BudgetExceeded(stage, variables=levels, limit=LEVEL_LIMIT)
    pulse, answers, failures = Pulse(budget, stage), [], []
    ended = threading.Event()

    def run() -> None:
        try:
            answers.append(work(pulse))
        except BaseException as error:
            failures.append(error)
        finally:
            ended.set()

    _start(run, _STACK_BASE + _STACK_PER_LEVEL * levels, stage)
    try:
        _wait(ended, pulse)
    finally:
        pulse.is_abandoned = True
    if failures:
        raise failures[0]
    return answers[0]


def _start(run: Callable[[], None], stack: int, stage: str) -> None:
    with _sizing:
        before = threading.stack_size(stack)
        try:
            # Not a daemon: at exit Python waits for one more operation, because an
            # interpreter torn down under a running OxiDD call now and then crashes.
            threading.Thread(target=run, name="reasons-diagram").start()
        except RuntimeError as error:
            raise BudgetExceeded(stage, stack_bytes=stack) from error
        finally:
            threading.stack_size(before)


def _wait(ended: threading.Event, pulse: Pulse) -> None:
    """Return when the work ends; raise when the budget does, a little later.

    Not by `Thread.join`: a Ctrl-C inside it makes Python 3.11 take the thread for dead, and
    the interpreter then ends while it runs.
    """
    while not ended.wait(_TICK):
        pulse.report()
        seconds = pulse.budget.seconds
        if seconds is not None and pulse.budget.elapsed > seconds + _GRACE:
            pulse.budget.check(pulse.stage)
    pulse.report()
