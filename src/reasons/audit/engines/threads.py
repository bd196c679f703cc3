"""The default engine: threads of this process."""

import threading
from collections import deque
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from reasons import _core
from reasons.audit.engines import Finished, Numbered, Work, number_of_workers


class Threads:
    """A thread for each core, each with a batch of its own; the core releases the GIL."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = number_of_workers(workers) or _core.all_cores()

    def __call__(self, work: Work, batches: Iterable[Numbered]) -> Finished:
        """The finished batches in order; at most two for each thread are in memory.

        Closing the generator (Ctrl-C, an error) stops the threads, too.
        """
        workers = 1 if work.one_at_a_time else self.workers
        stop = threading.Event()
        running: deque[tuple[int, Future[Any]]] = deque()
        with ThreadPoolExecutor(workers) as pool:
            try:
                for number, batch in batches:
                    running.append((number, pool.submit(work, number, batch, stop.is_set)))
                    if len(running) >= 2 * workers:
                        yield _finished(running)
                while running:
                    yield _finished(running)
            finally:
                stop.set()
                for _, future in running:
                    future.cancel()


def _finished(running: "deque[tuple[int, Future[Any]]]") -> Numbered:
    number, future = running.popleft()
    return number, future.result()
