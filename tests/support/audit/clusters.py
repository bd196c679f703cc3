"""Clusters of processes on this machine, and rows to audit there."""

import os
import shutil
from typing import Any

import numpy
import pyarrow as pa
import pytest

from reasons.formats.rows.source import PART

distributed = pytest.importorskip("distributed")
needs_spark = pytest.mark.skipif(
    shutil.which("java") is None and "JAVA_HOME" not in os.environ,
    reason="Spark needs Java, and there is none",
)
# Spark warns of pandas that is newer than itself; no frame of pandas goes there.
quiet = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")
ROWS = 3 * PART + 17


def rows(number: int, seed: int = 0) -> pa.Table:
    rng = numpy.random.default_rng(seed)
    jobs = pa.array(rng.choice(["clerk", "nurse", "pilot"], number))
    return pa.table(
        {
            "id": numpy.arange(number),
            "income": rng.choice([5.0, 25.0, 60.0, numpy.nan], number),
            "job": jobs.dictionary_encode(),
            "sex": rng.choice(["f", "m", "x"], number, p=[0.49, 0.49, 0.02]),
        }
    )


def cluster(workers: int, **options: Any) -> Any:
    return distributed.LocalCluster(
        n_workers=workers, threads_per_worker=1, dashboard_address="127.0.0.1:0", **options
    )
