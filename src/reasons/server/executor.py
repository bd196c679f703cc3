"""Work outside the event loop: a thread pool with a bounded queue and time limits."""

import asyncio
import math
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from threading import Event, Lock
from typing import Any, TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import Receive

from reasons.budget import Budget
from reasons.errors import BudgetExceeded
from reasons.server.settings import Limits

Found = TypeVar("Found")

_GRACE = 1.0  # seconds for work to notice that its time is over


@dataclass(frozen=True)
class Awaited(Budget):
    """A budget that also ends when the client is gone."""

    given_up: Event = field(default_factory=Event, compare=False)

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the limit; 0 once the client is gone."""
        return 0.0 if self.given_up.is_set() else super().seconds_left

    def check(self, stage: str, nodes: int = 0, bytes: int = 0) -> None:
        """Raise `BudgetExceeded` if a limit is passed or the client is gone."""
        if self.given_up.is_set():
            raise BudgetExceeded(f"{stage}, whose client is gone", seconds=self.elapsed)
        super().check(stage, nodes, bytes)

    @classmethod
    def of(cls, limits: Limits, seconds: float, given_up: Event) -> "Awaited":
        """The budget of a request from now on; the core checks it, too."""

        def look(stage: str, done: int, total: int | None) -> None:
            if given_up.is_set():
                raise BudgetExceeded(f"{stage}, whose client is gone", steps=done)

        return cls(limits.nodes, seconds, limits.bytes, look, given_up=given_up)


class Work:
    """A thread pool; the core releases the GIL while it works."""

    def __init__(self, limits: Limits) -> None:
        self._limits, self._waiting, self._lock = limits, 0, Lock()
        self._pool = ThreadPoolExecutor(limits.workers, "reasons")

    async def run(
        self, request: Request, ask: Callable[[Budget], Found], seconds: float | None = None
    ) -> Found:
        """The answer to a query, which gets the budget of one request when a thread is free.

        A request that waits too long in the queue is never started. When its time is over or the
        client disconnects, the budget ends and the work stops soon after.
        """
        if self._waiting >= self._limits.waiting + self._limits.workers:
            raise self._busy(f"{self._waiting:,} requests are waiting")
        limit, asked = seconds or self._limits.seconds, time.monotonic()
        loop, turn, given_up = asyncio.get_running_loop(), asyncio.Event(), Event()

        def begin() -> Found:
            loop.call_soon_threadsafe(turn.set)
            return ask(Awaited.of(self._limits, limit, given_up))

        with self._lock:
            self._waiting += 1
        work = self._pool.submit(begin)
        work.add_done_callback(self._done)
        answer = asyncio.wrap_future(work)
        try:
            async with _until(_gone(request.receive)) as gone:
                async with _until(turn.wait()) as begun:
                    await _first(self._limits.patience, answer, begun, gone)
                if turn.is_set():
                    await _first(limit + _GRACE, answer, gone)
        finally:
            given_up.set()
            waited = work.cancel()
            answer.cancel()
        if not answer.cancelled():
            return answer.result()
        if waited:
            raise self._busy(f"the request waited {time.monotonic() - asked:.1f} s")
        raise BudgetExceeded("the request", seconds=limit)

    def _busy(self, what: str) -> HTTPException:
        later = {"Retry-After": str(math.ceil(self._limits.seconds))}
        return HTTPException(503, f"the server is busy: {what}; try again later", later)

    def _done(self, _: "Future[Any]") -> None:
        with self._lock:
            self._waiting -= 1

    @property
    def is_busy(self) -> bool:
        """Whether some work is not finished, including work whose client is gone."""
        return self._waiting > 0

    def close(self) -> None:
        """Take no more work."""
        self._pool.shutdown(wait=False, cancel_futures=True)


@asynccontextmanager
async def _until(something: Coroutine[Any, Any, Any]) -> "AsyncIterator[asyncio.Task[Any]]":
    """A task that is cancelled at the end of the block."""
    task = asyncio.ensure_future(something)
    try:
        yield task
    finally:
        task.cancel()


async def _first(seconds: float, *waited: "asyncio.Future[Any]") -> None:
    """Wait for the first of these, at most so many seconds."""
    await asyncio.wait(waited, timeout=seconds, return_when="FIRST_COMPLETED")


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
