"""The workers of a Dask cluster: one that runs somewhere, or processes of this machine.

The work is a plugin of the workers, which each of them gets once, also those that come later or
in place of a dead one. As scattered data it would be lost with the workers that have it; as a task
of its own, batches would queue where its result is. A batch is an argument of its task, so that
the scheduler still has it when a worker dies.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any
from uuid import uuid4

from reasons import _core
from reasons.audit.engines import Finished, Numbered, Work, number_of_workers
from reasons.audit.engines.transport import (
    batch_from_bytes,
    batch_to_bytes,
    install_work,
    pickled_work,
    remove_work,
    run_work,
)
from reasons.errors import InputError, Option

_REACHED = 10  # seconds for a scheduler to answer
_STAFFED = 60  # seconds for a first worker to come
_VERSION = "__import__('reasons').__version__"


class Dask:
    """Batches for a Dask cluster: `scheduler` is an address, a Client, or None for processes here.

    `workers` is how many processes there are, or how many batches a cluster that runs
    elsewhere works on at once.
    """

    def __init__(self, scheduler: Any = None, workers: int | None = None) -> None:
        try:
            import distributed
        except ImportError:
            raise InputError(
                "{engine} needs Dask: pip install distributed, here and for the workers",
                engine=Option("engine", text='"dask"'),
            ) from None
        self._distributed: Any = distributed
        self._scheduler, self._workers = scheduler, number_of_workers(workers)

    def __call__(self, work: Work, batches: Iterable[Numbered]) -> Finished:
        """The finished batches as they come; at most two for each thread of a worker are out.

        Work that cannot be shipped is refused here, before anything starts.
        """
        return self._finished(pickled_work(work), batches)

    def _finished(self, work: bytes, batches: Iterable[Numbered]) -> Finished:
        with self._client() as client, self._told():
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
        """As many batches as may go out now; how large the cluster is may change."""
        most = self._workers or sum(client.nthreads().values())
        for _ in range(2 * max(1, most) - out):
            batch = next(waiting, None)
            if batch is None:
                return
            yield batch

    def _require_ready(self, client: Any) -> None:
        """Raise `InputError` unless there is a worker, and this package where it is needed."""
        wanted = client.submit(int, pure=False)  # makes clusters grow that adapt
        try:
            client.wait_for_workers(1, timeout=_STAFFED)
        except TimeoutError:
            where = client.scheduler.address
            raise InputError(
                f"the Dask scheduler {where} got no worker in {_STAFFED} s; start some: "
                f"dask worker {where}"
            ) from None
        del wanted
        _require_reasons(client)

    @property
    def _gone(self) -> tuple[type[Exception], ...]:
        """What Dask raises when a task killed several workers, or when there is no cluster."""
        client, core = self._distributed.client, self._distributed.comm.core
        names = (client.FutureCancelledError, client.ClosedClientError, core.CommClosedError)
        return (self._distributed.KilledWorker, *names)

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except self._gone as error:
            what = " ".join(str(error).split())
            raise InputError(
                f"the Dask cluster was lost ({what[:300]}): its workers may lack memory, or its "
                "scheduler died. With an output, the same audit goes on where it ended"
            ) from None

    @contextmanager
    def _client(self) -> Iterator[Any]:
        """The client to use; what is made here is closed."""
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
            with self._reached(self._scheduler) as client:
                yield client

    def _cluster(self) -> Any:
        return self._distributed.LocalCluster(
            n_workers=self._workers or _core.all_cores(),
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",
        )

    def _reached(self, address: Any) -> Any:
        if not isinstance(address, str):
            raise InputError(
                "{given} must be an address such as tcp://host:8786, or a Client of Dask",
                given=Option("scheduler", address),
            )
        try:
            return self._distributed.Client(address, timeout=_REACHED)
        except (OSError, ValueError, TypeError) as error:
            what = " ".join(str(error).split())
            raise InputError(f"no Dask scheduler answers at {address}: {what[:300]}") from None


def _shipped(name: str, work: bytes) -> Any:
    """The plugin that unpickles work when it comes to a worker."""
    import distributed

    class Shipped(distributed.WorkerPlugin):
        def setup(self, worker: Any) -> None:
            install_work(name, work)

        def teardown(self, worker: Any) -> None:
            remove_work(name)

    return Shipped()


def _submit(client: Any, function: Any, *arguments: Any) -> Any:
    """A task whose arguments may be large: that they pass by the scheduler is what keeps them."""
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
