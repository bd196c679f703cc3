"""Work off the event loop: a few at once, a bounded queue, a bound on the time."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from reasons.budget import Budget
from reasons.errors import BudgetExceeded
from reasons.web.limits import Limits

Found = TypeVar("Found")

_GRACE = 1.0  # seconds that a step without a budget may go on before the request is answered


class Work:
    """A pool of threads; the core lets go of Python's lock while it works."""

    def __init__(self, limits: Limits) -> None:
        self._limits, self._waiting = limits, 0
        self._pool = ThreadPoolExecutor(limits.workers, "reasons")

    async def run(self, ask: Callable[[Budget], Found], seconds: float | None = None) -> Found:
        """The answer to a question that gets the budget of one request.

        A request that takes longer is answered by `BudgetExceeded`; what it began goes on to
        its end in its thread, which is why their number is bounded, too.
        """
        if self._waiting >= self._limits.waiting + self._limits.workers:
            raise BudgetExceeded("waiting for other requests", requests=self._waiting)
        self._waiting += 1
        limit = seconds or self._limits.seconds
        loop = asyncio.get_running_loop()
        started = loop.create_future()

        def answered() -> Found:
            loop.call_soon_threadsafe(_told, started)
            return ask(self._limits.budget(limit))

        work = loop.run_in_executor(self._pool, answered)
        work.add_done_callback(self._done)
        await asyncio.wait({started, work}, return_when=asyncio.FIRST_COMPLETED)
        try:
            return await asyncio.wait_for(asyncio.shield(work), limit + _GRACE)
        except TimeoutError:
            raise BudgetExceeded("the request", seconds=limit) from None

    def _done(self, work: "asyncio.Future[Found]") -> None:
        self._waiting -= 1
        if not work.cancelled():
            work.exception()  # seen here, since the request may be answered already

    @property
    def is_busy(self) -> bool:
        """Whether something was asked that is not answered yet, or given up on and not finished."""
        return self._waiting > 0

    def close(self) -> None:
        """Take no more work."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def _told(started: "asyncio.Future[None]") -> None:
    if not started.done():
        started.set_result(None)
