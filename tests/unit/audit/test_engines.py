"""Engines on real clusters of processes: the same bytes as threads, whatever happens to workers."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy
import psutil
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import reasons
from reasons.audit.engines import dask as dask_cluster
from reasons.audit.outputs.parquet_parts import row_groups
from reasons.formats.rows.source import PART
from tests.support.audit.clusters import ROWS, cluster, needs_spark, quiet, rows
from tests.support.audit.loans import loans
from tests.support.engine_work import Watched, traces
from tests.support.folders import ROOT

distributed = pytest.importorskip("distributed")

from distributed import WorkerPlugin

HERE = str(ROOT)


def data_folder(path: Path, table: pa.Table) -> Path:
    """A table as files and row groups that are cut elsewhere than parts."""
    path.mkdir()
    pq.write_table(table.slice(0, 50_000), path / "a.parquet", row_group_size=20_000)
    pq.write_table(table.slice(50_000), path / "b.parquet", row_group_size=90_000)
    return path


def audited(path: Path, data: Any = None, **options: Any) -> bytes:
    """The bytes of the file that an audit writes."""
    data = rows(ROWS) if data is None else data
    reasons.audit(loans(), data, protected="sex", keep=["id", "job"], output=path, **options)
    assert [each.name for each in path.parent.glob(f"*{path.name}*")] == [path.name]
    return path.read_bytes()


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("wanted")
    one = audited(folder / "one.parquet", workers=1)
    assert audited(folder / "two.parquet", workers=2) == one
    return one


@pytest.fixture(scope="module")
def dask() -> Iterator[Any]:
    with cluster(2) as running, distributed.Client(running) as client:
        yield client


def test_dask_writes_the_same_bytes_as_threads(tmp_path: Path, dask: Any, wanted: bytes) -> None:
    at: dict[str, Any] = {"engine": "dask", "scheduler": dask.scheduler.address}
    assert audited(tmp_path / "frame.parquet", **at) == wanted
    files = data_folder(tmp_path / "data", rows(ROWS))
    assert audited(tmp_path / "files.parquet", files, **at, workers=1) == wanted
    assert audited(tmp_path / "client.parquet", engine="dask", scheduler=dask) == wanted
    assert not dask.futures, "nothing is left on the cluster"
    assert dask.status == "running", "a client that was given is not closed"


def test_the_comparison_of_bytes_sees_one_other_row(tmp_path: Path, wanted: bytes) -> None:
    spoiled = rows(ROWS).to_pandas()
    spoiled.loc[2 * PART + 1, "sex"] = "f" if spoiled.sex[2 * PART + 1] == "m" else "m"
    assert audited(tmp_path / "other.parquet", pa.Table.from_pandas(spoiled)) != wanted


@pytest.mark.parametrize("number", [0, 1, PART, PART + 1])
def test_data_of_any_length_gets_the_same_bytes(tmp_path: Path, dask: Any, number: int) -> None:
    data = rows(number, seed=number)
    here = audited(tmp_path / "here.parquet", data)
    assert audited(tmp_path / "there.parquet", data, engine="dask", scheduler=dask) == here


def test_a_cluster_that_an_audit_made_is_gone_after_it(tmp_path: Path, wanted: bytes) -> None:
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    found = audited(tmp_path / "own.parquet", engine="dask", workers=2)
    assert found == wanted
    left = [x for x in psutil.Process().children(recursive=True) if x.pid not in before]
    left = [x for x in left if "resource_tracker" not in " ".join(x.cmdline())]
    assert not left


def watched(folder: Path, engine: Any, seconds: float = 0) -> Any:
    folder.mkdir()
    return lambda work, batches: engine(Watched(work, str(folder), seconds), batches)


def test_work_goes_once_to_each_worker_of_dask(tmp_path: Path, dask: Any, wanted: bytes) -> None:
    dask.run(sys.path.append, HERE)
    engine = watched(tmp_path / "seen", dask_cluster.Dask(dask), 0.2)
    assert audited(tmp_path / "x.parquet", engine=engine) == wanted
    did = traces(tmp_path / "seen", "did")
    assert len(did) == 4
    workers = sorted(dask.run(os.getpid).values())
    assert set(did) <= set(workers)
    assert traces(tmp_path / "seen", "made") == workers, "once for each of them"


def test_killing_a_worker_of_dask_loses_nothing(tmp_path: Path, wanted: bytes) -> None:
    seen, killed = tmp_path / "seen", []

    def kill() -> None:
        while not (busy := traces(seen, "did 1")):
            time.sleep(0.01)
        os.kill(busy[0], signal.SIGKILL)
        killed.append(busy[0])

    with cluster(2, silence_logs=50) as running, distributed.Client(running) as client:
        client.register_plugin(Path_(), name="path")
        engine = watched(seen, dask_cluster.Dask(client), 1)
        killer = threading.Thread(target=kill)
        killer.start()
        assert audited(tmp_path / "x.parquet", engine=engine) == wanted
        killer.join()
    again = traces(seen, "did 1")
    assert len(again) == 2, "the part was done again"
    assert killed[0] in again
    assert len(set(again)) == 2, "by another process"


class Path_(WorkerPlugin):
    """Workers that come later find the tests too."""

    def setup(self, worker: Any) -> None:
        sys.path.append(HERE)


def test_a_scheduler_that_goes_away_is_an_error_and_the_run_can_go_on(
    tmp_path: Path, wanted: bytes
) -> None:
    output, seen = tmp_path / "x.parquet", tmp_path / "seen"
    with cluster(1, silence_logs=60) as running, distributed.Client(running) as client:
        client.run(sys.path.append, HERE)
        engine = watched(seen, dask_cluster.Dask(client, workers=1), 0.3)

        def close() -> None:
            while not traces(seen, "did 2"):
                time.sleep(0.01)
            running.close()

        closer = threading.Thread(target=close)
        closer.start()
        with pytest.raises(reasons.InputError, match="the Dask cluster was lost"):
            audited(output, engine=engine)
        closer.join()
    assert not output.exists()
    assert list((tmp_path / "x.parquet.parts").glob("part-*.parquet"))
    assert audited(output) == wanted


@pytest.mark.parametrize(
    ("scheduler", "what"),
    [
        ("tcp://127.0.0.1:9", "no Dask scheduler answers at tcp://127.0.0.1:9"),
        ("nonsense://x", "no Dask scheduler answers at nonsense://x"),
        ("", "no Dask scheduler answers"),
        (3, "must be an address"),
    ],
)
def test_a_scheduler_that_is_not_there_is_named(
    tmp_path: Path, scheduler: Any, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask_cluster, "_CONNECT_SECONDS", 1)
    with pytest.raises(reasons.InputError, match=what):
        audited(tmp_path / "x.parquet", rows(5), engine="dask", scheduler=scheduler)


def test_a_cluster_without_workers_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_cluster, "_FIRST_WORKER_SECONDS", 1)
    with (
        cluster(0) as running,
        pytest.raises(reasons.InputError, match="has no worker after 1 s; start one: dask worker"),
    ):
        reasons.audit(loans(), rows(5), engine="dask", scheduler=running.scheduler_address)


ABSENT = """
import os, sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in os.environ["ABSENT"].split(","):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Absent())
"""


def without(monkeypatch: pytest.MonkeyPatch, folder: Path, modules: str) -> None:
    """Python processes that start from now on lack modules."""
    (folder / "sitecustomize.py").write_text(ABSENT)
    monkeypatch.setenv("PYTHONPATH", str(folder))
    monkeypatch.setenv("ABSENT", modules)


def test_workers_that_lack_this_package_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without(monkeypatch, tmp_path, "reasons")
    with (
        cluster(1, silence_logs=60) as running,
        pytest.raises(reasons.InputError, match="the Dask cluster lacks reasons; install"),
    ):
        reasons.audit(loans(), rows(5), engine="dask", scheduler=running.scheduler_address)


def test_workers_do_not_need_the_library_of_the_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = pytest.importorskip("sklearn.tree")
    data = numpy.random.default_rng(1).integers(0, 5, (300, 4)).astype(float)
    model = tree.DecisionTreeClassifier(random_state=0).fit(data, data[:, 0] + data[:, 2] > 4)
    table = pa.table({f"x{i}": data[:, i] for i in range(4)})
    classifier = reasons.compile(model, names=table.column_names)
    here = reasons.audit(classifier, table, protected="x2").table
    without(monkeypatch, tmp_path, "sklearn,scipy,pandas")
    with cluster(1) as running, distributed.Client(running) as client:
        with pytest.raises(ModuleNotFoundError):
            client.run(eval, "__import__('sklearn')")
        there = reasons.audit(classifier, table, protected="x2", engine="dask", scheduler=client)
        assert there.table == here


def test_errors_on_workers_are_those_of_threads(dask: Any) -> None:
    data = rows(5).set_column(1, "income", pa.array([[1.0]] * 5))
    for engine in ({}, {"engine": "dask", "scheduler": dask}):
        with pytest.raises(reasons.InputError, match="column 'income': its type list"):
            reasons.audit(loans(), data, **engine)


def test_models_that_are_searched_go_to_workers_as_their_files(dask: Any) -> None:
    from tests.support.models.searched import compiled

    classifier = compiled("forest")
    data = pa.table({feature.name: [0.0, 1.0] for feature in classifier.features})
    asked: dict[str, Any] = {"protected": classifier.features[0].name}
    here = reasons.audit(classifier, data, **asked).table
    assert reasons.audit(classifier, data, engine="dask", scheduler=dask, **asked).table == here


@pytest.mark.parametrize(("engine", "module"), [("dask", "distributed"), ("spark", "pyspark.sql")])
def test_an_engine_that_is_not_installed_says_how_to_get_it(
    engine: str, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(reasons.InputError, match="pip install"):
        reasons.audit(loans(), rows(5), engine=engine)


@pytest.mark.parametrize("engine", ["dask", "spark"])
def test_workers_must_be_some(engine: str) -> None:
    with pytest.raises(reasons.InputError, match="positive number"):
        reasons.audit(loans(), rows(5), engine=engine, workers=0)


STOPPED = """
import sys
import pyarrow as pa
import reasons
from tests.support.engine_work import Watched
from reasons.audit.engines import engine_of
from tests.support.audit.loans import loans
from tests.support.audit.clusters import ROWS, rows

def slow(work, batches):
    return engine_of(sys.argv[2], workers=2)(Watched(work, sys.argv[3], 0.5), batches)

if __name__ == "__main__":
    reasons.audit(loans(), rows(ROWS), protected="sex", keep=["id", "job"], output=sys.argv[1],
                  engine=slow)
"""


def require_stops(tmp_path: Path, engine: str) -> None:
    """Ctrl-C, which reaches all processes of a terminal, ends an audit and its cluster."""
    script, seen, output = tmp_path / "run.py", tmp_path / "seen", tmp_path / "x.parquet"
    script.write_text(STOPPED)
    seen.mkdir()
    command = [sys.executable, "-W", "ignore", str(script), str(output), engine, str(seen)]
    environment = {**os.environ, "PYTHONPATH": HERE}
    process = subprocess.Popen(
        command, env=environment, start_new_session=True, stderr=subprocess.PIPE
    )
    try:
        while not list(tmp_path.glob("x.parquet.parts/part-*")):
            assert process.stderr is not None
            assert process.poll() is None, process.stderr.read().decode()[-3000:]
            time.sleep(0.05)
        workers = psutil.Process(process.pid).children(recursive=True)
        assert len(workers) >= 2
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert b"KeyboardInterrupt" in errors
    _, alive = psutil.wait_procs(workers, timeout=20)
    assert not alive
    assert not output.exists()
    assert not (tmp_path / "x.parquet.parts" / ".lock").exists()


def test_ctrl_c_ends_a_cluster_of_dask_that_an_audit_made(tmp_path: Path, wanted: bytes) -> None:
    require_stops(tmp_path, "dask")
    assert audited(tmp_path / "x.parquet") == wanted


@needs_spark
@pytest.mark.parametrize(
    ("scheduler", "what"),
    [
        ("spark://127.0.0.1:9", "no Spark master answers at spark://127.0.0.1:9"),
        ("spark://nowhere", "no Spark master answers"),
        (3, "must be a master such as"),
    ],
)
def test_a_master_that_is_not_there_is_named(scheduler: Any, what: str) -> None:
    pytest.importorskip("pyspark")
    with pytest.raises(reasons.InputError, match=what):
        reasons.audit(loans(), rows(5), engine="spark", scheduler=scheduler)


def test_spark_without_java_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspark")
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(reasons.InputError, match="needs Java 17"):
        reasons.audit(loans(), rows(5), engine="spark")


@pytest.mark.slow
@quiet
@needs_spark
def test_spark_writes_the_same_bytes_as_threads(
    tmp_path: Path, wanted: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With two processes; the work goes once to each."""
    pytest.importorskip("pyspark")
    from reasons.audit.engines.spark import Spark

    monkeypatch.setenv("PYTHONPATH", HERE)
    engine = watched(tmp_path / "seen", Spark("local[2]"), 0.2)
    files = data_folder(tmp_path / "data", rows(ROWS))
    assert audited(tmp_path / "x.parquet", files, engine=engine) == wanted
    did, made = traces(tmp_path / "seen", "did"), traces(tmp_path / "seen", "made")
    assert len(did) == 4
    assert sorted(set(did)) == made
    assert os.getpid() not in did


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    """A session on a cluster of two workers, each with a JVM of its own."""
    pytest.importorskip("pyspark")
    from reasons.audit.engines.spark import Spark

    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PYTHONPATH", HERE)
        with Spark("local-cluster[2,1,1024]")._session() as session:
            yield session


@quiet
@needs_spark
@pytest.mark.slow
def test_a_cluster_of_spark_writes_the_same_bytes(
    tmp_path: Path, spark: Any, wanted: bytes
) -> None:
    from reasons.audit.engines.spark import Spark

    seen = tmp_path / "seen"
    assert audited(tmp_path / "x.parquet", engine=watched(seen, Spark(spark), 0.5)) == wanted
    made = traces(seen, "made")
    assert len(made) == 2
    assert set(traces(seen, "did")) == set(made)
    files = data_folder(tmp_path / "data", rows(ROWS))
    at: dict[str, Any] = {"engine": "spark", "scheduler": "local-cluster[2,1,1024]"}
    assert audited(tmp_path / "y.parquet", files, **at, workers=1) == wanted
    assert audited(tmp_path / "z.parquet", rows(0), **at) == audited(
        tmp_path / "0.parquet", rows(0)
    )


@quiet
@needs_spark
@pytest.mark.slow
def test_killing_a_worker_of_spark_loses_nothing(tmp_path: Path, spark: Any, wanted: bytes) -> None:
    from reasons.audit.engines.spark import Spark

    seen = tmp_path / "seen"

    def kill() -> None:
        while not (busy := traces(seen, "did 1")):
            time.sleep(0.01)
        os.kill(busy[0], signal.SIGKILL)

    engine = watched(seen, Spark(spark), 1)
    killer = threading.Thread(target=kill)
    killer.start()
    assert audited(tmp_path / "x.parquet", engine=engine) == wanted
    killer.join()
    assert len(set(traces(seen, "did 1"))) == 2, "done again by another process"


@quiet
@needs_spark
@pytest.mark.slow
def test_errors_on_workers_of_spark_are_those_of_threads(spark: Any) -> None:
    data = rows(5).set_column(1, "income", pa.array([[1.0]] * 5))
    with pytest.raises(reasons.InputError, match=r"^column 'income': its type list"):
        reasons.audit(loans(), data, engine="spark", scheduler=spark)
    with pytest.raises(reasons.InputError, match=r"a Spark session at local-cluster.* already"):
        reasons.audit(loans(), rows(5), engine="spark", scheduler="local[1]")


@quiet
@needs_spark
@pytest.mark.slow
def test_ctrl_c_ends_a_session_of_spark_that_an_audit_made(tmp_path: Path, wanted: bytes) -> None:
    require_stops(tmp_path, "spark")
    assert audited(tmp_path / "x.parquet") == wanted


def test_a_file_of_an_audit_has_a_row_group_for_each_part(tmp_path: Path, wanted: bytes) -> None:
    (tmp_path / "x.parquet").write_bytes(wanted)
    assert [batch.num_rows for batch in row_groups(tmp_path / "x.parquet")] == [PART] * 3 + [17]
