"""The engine on Dask: a running cluster, or processes on this machine.

The work is a worker plugin. Every worker gets it once, including workers that join later. Scattered
data would be lost with the workers that hold it, and batches would queue at the worker that holds
the result of a task. A batch is an argument of its task, so the scheduler keeps it if a worker
dies.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any
from uuid import uuid4

from reasons import _core
from reasons.audit.engines import Finished, Numbered
from reasons.audit.engines.transport import (
    ClusterEngine,
    batch_from_bytes,
    batch_to_bytes,
    install_work,
    remove_work,
    run_work,
)
from reasons.errors import InputError, Option
from reasons.text import one_line

_CONNECT_SECONDS = 10
_FIRST_WORKER_SECONDS = 60
_VERSION = "__import__('reasons').__version__"


class Dask(ClusterEngine):
    """An engine on Dask: `scheduler` is an address, a Client, or None.

    At most two batches for each thread of a worker are sent out at once.
    """

    def __init__(self, scheduler: Any = None, workers: int | None = None) -> None:
        try:
            import distributed
        except ImportError:
            raise InputError(
                "{engine} needs Dask: pip install distributed, here and for the workers",
                engine=Option("engine", text='"dask"'),
            ) from None
        super().__init__(scheduler, workers)
        self._distributed: Any = distributed

    def _finished(self, work: bytes, batches: Iterable[Numbered]) -> Finished:
        with self._client() as client, self._cluster_errors():
            self._require_ready(client)
            name = f"reasons-{uuid4().hex}"
            numbers: dict[Any, int] = {}
            finished, waiting = self._distributed.as_completed(), iter(batches)
            try:
                client.register_plugin(_shipped(name, work), name=name)
                while True:
                    for number, batch in self._next(client, waiting, len(numbers)):
                        future = _submit(client, run_work, name, number, batch_to_bytes(batch))
                        numbers[future] = number
                        finished.add(future)
                    if not numbers:
                        return
                    future = next(finished)
                    yield numbers.pop(future), batch_from_bytes(future.result())
            finally:
                with suppress(*self._gone):
                    client.cancel(list(numbers), force=True)
                    client.unregister_worker_plugin(name)

    def _next(self, client: Any, waiting: Iterator[Numbered], out: int) -> Iterator[Numbered]:
        """The batches to send out now; the size of the cluster may change."""
        most = self._workers or sum(client.nthreads().values())
        for _ in range(2 * max(1, most) - out):
            batch = next(waiting, None)
            if batch is None:
                return
            yield batch

    def _require_ready(self, client: Any) -> None:
        """Raise `InputError` unless there is a worker, and this package where it is needed."""
        wanted = client.submit(int, pure=False)  # an adaptive cluster starts workers
        try:
            client.wait_for_workers(1, timeout=_FIRST_WORKER_SECONDS)
        except TimeoutError:
            where = client.scheduler.address
            raise InputError(
                f"the Dask scheduler {where} has no worker after {_FIRST_WORKER_SECONDS} s; start "
                f"one: dask worker {where}"
            ) from None
        del wanted
        _require_reasons(client)

    @property
    def _gone(self) -> tuple[type[Exception], ...]:
        """The errors of Dask about a task that killed workers, and about a lost cluster."""
        client, core = self._distributed.client, self._distributed.comm.core
        names = (client.FutureCancelledError, client.ClosedClientError, core.CommClosedError)
        return (self._distributed.KilledWorker, *names)

    @contextmanager
    def _cluster_errors(self) -> Iterator[None]:
        try:
            yield
        except self._gone as error:
            raise InputError(
                f"the Dask cluster was lost ({one_line(error)}): its workers may lack memory, or "
                "its scheduler died. With an output, run the same audit again to continue"
            ) from None

    @contextmanager
    def _client(self) -> Iterator[Any]:
        """The client to use; a client made here is closed."""
        if isinstance(self._scheduler, self._distributed.Client):
            if self._scheduler.asynchronous:
                raise InputError(
                    "{option} is an asynchronous Client; give a synchronous one",
                    option="scheduler",
                )
            yield self._scheduler
        elif self._scheduler is None:
            with self._cluster() as cluster, self._distributed.Client(cluster) as client:
                yield client
        else:
            with self._connected(self._scheduler) as client:
                yield client

    def _cluster(self) -> Any:
        return self._distributed.LocalCluster(
            n_workers=self._workers or _core.all_cores(),
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",
        )

    def _connected(self, address: Any) -> Any:
        if not isinstance(address, str):
            raise InputError(
                "{given} must be an address such as tcp://host:8786, or a Client of Dask",
                given=Option("scheduler", address),
            )
        try:
            return self._distributed.Client(address, timeout=_CONNECT_SECONDS)
        except (OSError, ValueError, TypeError) as error:
            raise InputError(f"no Dask scheduler answers at {address}: {one_line(error)}") from None


def _shipped(name: str, work: bytes) -> Any:
    """The plugin that unpickles the work on a worker."""
    import distributed

    class Shipped(distributed.WorkerPlugin):
        def setup(self, worker: Any) -> None:
            install_work(name, work)

        def teardown(self, worker: Any) -> None:
            remove_work(name)

    return Shipped()


def _submit(client: Any, function: Any, *arguments: Any) -> Any:
    """A task with large arguments, without the warning: the scheduler is meant to keep them."""
    import dask

    with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 TB"}):
        return client.submit(function, *arguments, pure=False)


def _require_reasons(client: Any) -> None:
    """Raise `InputError` unless scheduler and workers have this package, in this version."""
    from reasons import __version__

    try:
        found = {"the scheduler": client.run_on_scheduler(eval, _VERSION)}
        found |= client.run(eval, _VERSION)
    except ModuleNotFoundError as error:
        raise InputError(
            f"the Dask cluster lacks {error.name}; install reasons {__version__} where its "
            "scheduler and workers run: pip install 'reasons[audit]'"
        ) from None
    for where, version in found.items():
        if version != __version__:
            raise InputError(f"{where} has reasons {version}, and this is {__version__}")
