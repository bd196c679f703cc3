"""Engines that run an audit: threads of this process, or the workers of a cluster.

An engine takes work, a picklable function from a numbered record batch to a record batch, and
numbered batches. It returns the finished batches in any order, and knows nothing else of the work.
"""

from collections.abc import Callable, Generator, Iterable
from typing import TYPE_CHECKING, Any, Protocol

from reasons.errors import InputError, Option

if TYPE_CHECKING:
    import pyarrow as pa

Numbered = tuple[int, "pa.RecordBatch"]
Finished = Generator[Numbered, None, None]


class Work(Protocol):
    """A picklable function of a batch."""

    @property
    def one_at_a_time(self) -> bool:
        """Whether threads must not share it."""

    def __call__(
        self, number: int, batch: "pa.RecordBatch", stopped: Callable[[], bool]
    ) -> "pa.RecordBatch":
        """The finished batch; the work ends early if `stopped` returns true."""


class Engine(Protocol):
    """Runs work on several batches at a time."""

    def __call__(self, work: Work, batches: Iterable[Numbered]) -> Finished:
        """The finished batches with their numbers, each once, in any order."""


def engine_of(name: str | None, *, scheduler: Any = None, workers: int | None = None) -> Engine:
    """The engine of a name: None or "threads", "dask", "spark"."""
    if name in (None, "threads"):
        from reasons.audit.engines.threads import Threads

        if scheduler is not None:
            raise InputError(
                '{option} goes with {engine} or "spark"',
                option="scheduler",
                engine=Option("engine", text='"dask"'),
            )
        return Threads(workers)
    if name == "dask":
        from reasons.audit.engines.dask import Dask

        return Dask(scheduler, workers)
    if name == "spark":
        from reasons.audit.engines.spark import Spark

        return Spark(scheduler, workers)
    raise unknown_engine(name)


def unknown_engine(engine: object) -> InputError:
    """The error about an unknown engine."""
    return InputError(
        '{given} is not known; use "dask", "spark", or none', given=Option("engine", engine)
    )


def number_of_workers(workers: int | None) -> int | None:
    """The number of workers, or `InputError` if it is not positive."""
    if workers is None or (isinstance(workers, int) and workers >= 1 and workers is not True):
        return workers
    raise InputError("{given} must be a positive number", given=Option("workers", workers))
