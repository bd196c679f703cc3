"""Work off the event loop: a few at once, a bounded queue, a bound on the time from asking on."""

import asyncio
import math
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Event, Lock
from typing import Any, TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import Receive, Scope

from reasons.budget import Budget
from reasons.errors import BudgetExceeded
from reasons.web.limits import Limits

Found = TypeVar("Found")

_GRACE = 1.0  # seconds for work that looks at the clock now and then to come to its end
_ASKED = "reasons.asked"


def mark_asked(scope: Scope) -> None:
    """Start the clock of a request: it has been sent, and whoever sent it waits."""
    scope[_ASKED] = time.monotonic()


@dataclass(frozen=True)
class Awaited(Budget):
    """A budget that is spent, too, once nobody waits for the answer."""

    given_up: Event = field(default_factory=Event, compare=False)

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the limit; none for nobody."""
        return 0.0 if self.given_up.is_set() else super().seconds_left

    def check(self, stage: str, nodes: int = 0, bytes: int = 0) -> None:
        """Raise `BudgetExceeded` if a limit is passed, or nobody waits."""
        if self.given_up.is_set():
            raise BudgetExceeded(f"{stage}, for which nobody waits", seconds=self.elapsed)
        super().check(stage, nodes, bytes)

    @classmethod
    def of(cls, limits: Limits, seconds: float, asked: float) -> "Awaited":
        """What a request may spend that was asked at a time; the core looks, too."""
        given_up = Event()

        def look(stage: str, done: int, total: int | None) -> None:
            if given_up.is_set():
                raise BudgetExceeded(f"{stage}, for which nobody waits", steps=done)

        return cls(limits.nodes, seconds, limits.bytes, look, asked, given_up)


class Work:
    """A pool of threads; the core lets go of Python's lock while it works."""

    def __init__(self, limits: Limits) -> None:
        self._limits, self._waiting, self._lock = limits, 0, Lock()
        self._pool = ThreadPoolExecutor(limits.workers, "reasons")

    async def run(
        self, request: Request, ask: Callable[[Budget], Found], seconds: float | None = None
    ) -> Found:
        """The answer to a question that gets the budget of one request, from its asking on.

        A request whose time ends while it waits for others is never begun. Where the time ends
        later, or the client goes, the work is told so by its budget and ends soon.
        """
        if self._waiting >= self._limits.waiting + self._limits.workers:
            raise self._busy(f"{self._waiting:,} requests wait already")
        limit = seconds or self._limits.seconds
        budget = Awaited.of(self._limits, limit, request.scope.get(_ASKED, time.monotonic()))
        with self._lock:
            self._waiting += 1
        work = self._pool.submit(ask, budget)
        work.add_done_callback(self._done)
        answer = asyncio.wrap_future(work)
        try:
            await _answered_or_gone(answer, work, budget, request.receive)
        finally:
            budget.given_up.set()
            begun = not work.cancel()
            answer.cancel()
        if not answer.cancelled():
            return answer.result()
        if not begun:
            raise self._busy(f"the request waited {budget.elapsed:.1f} s for others")
        raise BudgetExceeded("the request", seconds=limit)

    def _busy(self, what: str) -> HTTPException:
        later = {"Retry-After": str(math.ceil(self._limits.seconds))}
        return HTTPException(503, f"the server is busy: {what}; ask again later", later)

    def _done(self, _: "Future[Any]") -> None:
        with self._lock:
            self._waiting -= 1

    @property
    def is_busy(self) -> bool:
        """Whether something was asked that is not answered yet, or given up on and not finished."""
        return self._waiting > 0

    def close(self) -> None:
        """Take no more work."""
        self._pool.shutdown(wait=False, cancel_futures=True)


async def _answered_or_gone(
    answer: "asyncio.Future[Any]", work: "Future[Any]", budget: Budget, receive: Receive
) -> None:
    """Wait for the answer, for the end of the time, or for the client to go."""
    gone = asyncio.ensure_future(_gone(receive))
    try:
        for seconds in (budget.seconds_left, _GRACE):
            await asyncio.wait((answer, gone), timeout=seconds, return_when="FIRST_COMPLETED")
            if answer.done() or gone.done() or not work.running():
                return
    finally:
        gone.cancel()


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
