"""Who does the work of an audit: threads here, or the workers of a cluster.

An engine takes work (a function from a numbered record batch to a record batch, which can be
pickled) and numbered batches, and gives the finished ones in any order. It knows nothing
of what the work is.
"""

from collections.abc import Callable, Generator, Iterable
from typing import TYPE_CHECKING, Any, Protocol

from reasons.errors import InputError, Option

if TYPE_CHECKING:
    import pyarrow as pa

Numbered = tuple[int, "pa.RecordBatch"]
Finished = Generator[Numbered, None, None]


class Work(Protocol):
    """What is done to a batch; it can be pickled."""

    @property
    def one_at_a_time(self) -> bool:
        """Whether threads must not share it."""

    def __call__(
        self, number: int, batch: "pa.RecordBatch", stopped: Callable[[], bool]
    ) -> "pa.RecordBatch":
        """The finished batch; `stopped` is asked now and then whether to give up."""


class Engine(Protocol):
    """Does work on batches, several at a time; gives them back as they are finished."""

    def __call__(self, work: Work, batches: Iterable[Numbered]) -> Finished:
        """The finished batches with their numbers, each of them once, in any order."""


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
    """The error about what is no engine."""
    return InputError(
        '{given} is not known; use "dask", "spark", or none', given=Option("engine", engine)
    )


def number_of_workers(workers: int | None) -> int | None:
    """How many workers were asked for, or `InputError` if that is no positive number."""
    if workers is None or (isinstance(workers, int) and workers >= 1 and workers is not True):
        return workers
    raise InputError("{given} must be a positive number", given=Option("workers", workers))
