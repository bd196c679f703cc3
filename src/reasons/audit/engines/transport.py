"""What goes to the workers of a cluster and comes back: work once, batches as bytes."""

import pickle
from typing import TYPE_CHECKING, Any

from reasons.audit.engines import Work

if TYPE_CHECKING:
    import pyarrow as pa


class Remote:
    """Work as workers do it: from the bytes of a batch to the bytes of the finished one."""

    def __init__(self, work: Work) -> None:
        self._work = work

    def __call__(self, number: int, data: bytes) -> bytes:
        """The finished batch. A worker cannot be asked to give up halfway."""
        return packed(self._work(number, unpacked(data), _never))


def _never() -> bool:
    return False


def parcel(work: Work) -> bytes:
    """Work pickled for workers; raises what says why it cannot be."""
    return pickle.dumps(Remote(work), protocol=5)


_KEPT: dict[str, Any] = {}


def keep(name: str, data: bytes) -> None:
    """Unpickle a parcel in this process, to be done by its name until it is dropped."""
    _KEPT[name] = pickle.loads(data)


def drop(name: str) -> None:
    """Forget a parcel."""
    _KEPT.pop(name, None)


def done(name: str, number: int, data: bytes) -> bytes:
    """A batch finished by the work that was kept under a name."""
    finished: bytes = _KEPT[name](number, data)
    return finished


def packed(batch: "pa.RecordBatch") -> bytes:
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


def unpacked(data: bytes) -> "pa.RecordBatch":
    """The batch of an Arrow stream."""
    import pyarrow as pa

    with pa.ipc.open_stream(data) as reader:
        return reader.read_next_batch()
