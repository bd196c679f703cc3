"""The engine on Spark: a master, a session, or processes on this machine.

Every batch is a job of one task: `mapInArrow` over one row that holds its number. The work is a
broadcast variable, which a Python worker unpickles once; the batch is another. Rows of the data as
rows of Spark lost: Spark has no categories, unsigned numbers or half floats, so verdicts would
depend on the engine, and it chooses partitions itself.
"""

import os
import pickle
import shutil
import socket
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from reasons import _core
from reasons.audit.engines import Finished, Numbered
from reasons.audit.engines.threads import Threads
from reasons.audit.engines.transport import ClusterEngine, batch_from_bytes, batch_to_bytes
from reasons.errors import InputError, Option
from reasons.text import one_line

if TYPE_CHECKING:
    import pyarrow as pa

_CONNECT_SECONDS = 10
_GROUP = "reasons audit"
_ENGINE = Option("engine", text='"spark"')
_COLUMNS = "number long, part binary, failed binary"


class Spark(ClusterEngine):
    """An engine on Spark: `scheduler` is a master, a SparkSession, or None.

    Batches come back in order; at most two for each that is worked on are in memory.
    """

    def __init__(self, scheduler: Any = None, workers: int | None = None) -> None:
        try:
            import pyspark.sql
        except ImportError:
            raise InputError("{engine} needs Spark: pip install pyspark", engine=_ENGINE) from None
        super().__init__(scheduler, workers)
        self._pyspark = pyspark

    def _finished(self, work: bytes, batches: Iterable[Numbered]) -> Finished:
        with self._session() as session:
            context = session.sparkContext
            shipped = context.broadcast(_Parcel(work))
            at_once = self._workers or context.defaultParallelism
            done = Threads(at_once)(_Jobs(session, shipped), batches)
            try:
                while (
                    batch := next(done, None)
                ) is not None:  # closed after the jobs are cancelled
                    yield batch
            finally:
                with suppress(Exception):  # the session may have died
                    context.cancelJobGroup(_GROUP)
                done.close()
                with suppress(Exception):
                    shipped.destroy()

    @contextmanager
    def _session(self) -> Iterator[Any]:
        """The session to use; a session made here is stopped."""
        running = self._pyspark.sql.SparkSession.getActiveSession()
        given = running if self._scheduler is None else self._scheduler
        if given is not None and not isinstance(given, str):
            yield _require_session(given)
            return
        master = given or f"local[{self._workers or _core.all_cores()}]"
        if running is not None:
            at = running.sparkContext.master
            if at != master:
                raise InputError(
                    "a Spark session at {at} runs in this process already; stop it, or give "
                    "it as {option}",
                    at=at,
                    option="scheduler",
                )
            yield running
            return
        session = self._made(master)
        try:
            yield session
        finally:
            session.stop()

    def _made(self, master: str) -> Any:
        _require_java()
        _require_answer(master)
        builder = self._pyspark.sql.SparkSession.builder.master(master).appName("reasons audit")
        for name, value in _settings(master).items():
            builder = builder.config(name, value)
        try:
            with _this_python(master):
                return builder.getOrCreate()
        except Exception as error:  # any error of Java
            raise InputError(f"cannot start Spark at {master}: {one_line(error)}") from None


class _Parcel:
    """Work that is unpickled when a worker reads the broadcast variable, not here."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def __reduce__(self) -> tuple[Any, ...]:
        return (pickle.loads, (self._data,))


class _Jobs:
    """Runs a job of Spark for each batch, in a thread that waits for it."""

    one_at_a_time = False

    def __init__(self, session: Any, shipped: Any) -> None:
        self._session, self._shipped = session, shipped

    def __call__(
        self, number: int, batch: "pa.RecordBatch", stopped: Callable[[], bool]
    ) -> "pa.RecordBatch":
        """The finished batch."""
        context = self._session.sparkContext
        context.setJobGroup(_GROUP, f"part {number}", True)
        data = context.broadcast(batch_to_bytes(batch))
        try:
            one = self._session.range(number, number + 1, 1, 1)
            rows = one.mapInArrow(_task(self._shipped, data), _COLUMNS).collect()
        except Exception as error:  # any error of Java or Spark
            raise InputError(
                "Spark could not do part {number}: {what}. With an output, run the same audit "
                "again to continue",
                number=number,
                what=one_line(error),
            ) from error
        finally:
            with suppress(Exception):
                data.destroy()
        if rows[0].failed is not None:
            raise _failure(pickle.loads(bytes(rows[0].failed)))
        return batch_from_bytes(bytes(rows[0].part))


def _task(shipped: Any, data: Any) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """The task of a worker: errors of this package are returned, Spark retries after others.

    This package is imported inside `attempt` only, so that a worker without it can report that.
    """

    def attempt(number: int) -> tuple[bytes | None, Exception | None]:
        try:
            from reasons.errors import ReasonsError
        except ModuleNotFoundError as error:
            return None, error
        try:
            return shipped.value(number, data.value), None
        except ReasonsError as error:
            return None, error

    def task(numbers: "Iterable[pa.RecordBatch]") -> "Iterator[pa.RecordBatch]":
        import pyarrow as pa

        for number in (each for batch in numbers for each in batch.column(0).to_pylist()):
            part, error = attempt(number)
            failed = None if error is None else pickle.dumps(error)
            columns = [pa.array([part], pa.binary()), pa.array([failed], pa.binary())]
            yield pa.record_batch([pa.array([number]), *columns], ["number", "part", "failed"])

    return task


def _settings(master: str) -> dict[str, str]:
    """The settings of a session made here: quiet, because errors are reported once by us."""
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "FATAL",
    }
    if master.startswith("local"):
        settings["spark.driver.host"] = settings["spark.driver.bindAddress"] = "127.0.0.1"
    return settings


@contextmanager
def _this_python(master: str) -> Iterator[None]:
    """Set the variable that names the Python of local workers: this interpreter."""
    name = "PYSPARK_PYTHON"
    if not master.startswith("local") or name in os.environ:
        yield
        return
    os.environ[name] = sys.executable
    try:
        yield
    finally:
        del os.environ[name]


def _require_session(given: Any) -> Any:
    if not hasattr(given, "sparkContext"):
        raise InputError(
            "{given} must be a master such as spark://host:7077 or local[2], or a SparkSession "
            "(not one of Spark Connect)",
            given=Option("scheduler", given),
        )
    return given


def _require_java() -> None:
    home = os.environ.get("JAVA_HOME")
    if shutil.which("java") is None and not (home and os.path.exists(f"{home}/bin/java")):
        raise InputError(
            "{engine} needs Java 17 or later: install it (on Debian, apt install "
            "openjdk-17-jre-headless), or set JAVA_HOME",
            engine=_ENGINE,
        )


def _require_answer(master: str) -> None:
    """Raise `InputError` if nothing listens at a master's address; Spark would try for minutes."""
    kind, sign, places = master.partition("://")
    if not sign or kind != "spark":
        return
    for place in places.split(","):
        host, _, port = place.rpartition(":")
        try:
            socket.create_connection((host, int(port)), timeout=_CONNECT_SECONDS).close()
            return
        except (OSError, ValueError) as error:
            why = str(error)
    raise InputError(f"no Spark master answers at {master}: {why}")


def _failure(error: Exception) -> Exception:
    """The error to raise here for the error of a worker."""
    if isinstance(error, ModuleNotFoundError):
        return InputError(
            "the workers of Spark lack {module}; where they run: pip install 'reasons[audit]'",
            module=error.name,
        )
    return error
