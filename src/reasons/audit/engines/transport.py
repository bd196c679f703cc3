"""What engines on clusters share: work is sent once, batches as Arrow streams."""

import pickle
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from reasons.audit.engines import Finished, Numbered, Work, number_of_workers

if TYPE_CHECKING:
    import pyarrow as pa


class ClusterEngine:
    """An engine whose workers are other processes.

    `scheduler` is an address, a session of the library, or None for processes on this machine.
    `workers` is the number of these processes, or of the batches that a cluster gets at once.
    """

    def __init__(self, scheduler: Any = None, workers: int | None = None) -> None:
        self._scheduler, self._workers = scheduler, number_of_workers(workers)

    def __call__(self, work: Work, batches: Iterable[Numbered]) -> Finished:
        """The finished batches. Work that cannot be pickled is refused before anything starts."""
        return self._finished(pickled_work(work), batches)

    def _finished(self, work: bytes, batches: Iterable[Numbered]) -> Finished:
        raise NotImplementedError


class RemoteWork:
    """Work from the bytes of a batch to the bytes of the finished batch."""

    def __init__(self, work: Work) -> None:
        self._work = work

    def __call__(self, number: int, data: bytes) -> bytes:
        """The finished batch. Work on a cluster cannot be stopped in the middle of a batch."""
        return batch_to_bytes(self._work(number, batch_from_bytes(data), _never))


def _never() -> bool:
    return False


def pickled_work(work: Work) -> bytes:
    """Work pickled for workers; raises the reason why it cannot be."""
    return pickle.dumps(RemoteWork(work), protocol=5)


_INSTALLED: dict[str, Any] = {}


def install_work(name: str, data: bytes) -> None:
    """Unpickle work in this process, to be run by its name until it is removed."""
    _INSTALLED[name] = pickle.loads(data)


def remove_work(name: str) -> None:
    """Forget installed work."""
    _INSTALLED.pop(name, None)


def run_work(name: str, number: int, data: bytes) -> bytes:
    """Run the work installed under a name on one batch."""
    finished: bytes = _INSTALLED[name](number, data)
    return finished


def batch_to_bytes(batch: "pa.RecordBatch") -> bytes:
    """A batch as an Arrow stream.

    Pickle would send the whole buffers of which the batch is a slice.
    """
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression="lz4")
    with pa.ipc.new_stream(sink, batch.schema, options=options) as writer:
        writer.write_batch(batch)
    data: bytes = sink.getvalue().to_pybytes()
    return data


def batch_from_bytes(data: bytes) -> "pa.RecordBatch":
    """The batch of an Arrow stream."""
    import pyarrow as pa

    with pa.ipc.open_stream(data) as reader:
        return reader.read_next_batch()
