"""Peak memory of an audit while 5 GB of Parquet stream through.

The files are made here, in a temporary folder, of random numbers that do not compress: 5 GB on
disk are 5 GB of values. The audit asks for bias and writes its verdicts to a folder; its process
tells how much memory it has needed at most (VmHWM) and has now (VmRSS), after each GB read.

`python -m benches audit_memory`; BENCH_AUDIT_GB=1 makes it shorter.
"""

import os
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

from benches.audit.models import PROTECTED, case_of
from benches.harness.subprocess_runner import peak_of, report, run_python
from benches.harness.timing import print_table

GIGABYTES = int(os.environ.get("BENCH_AUDIT_GB", 5))
FILE_ROWS = 1 << 20
MOST_SECONDS = 1800.0
HEADER = ["read", "peak MB", "now MB", "rows", "seconds"]


def run() -> None:
    """Print the memory after each GB, and how much it grew from the first to the last."""
    try:
        import pyarrow  # noqa: F401
        import sklearn  # noqa: F401
    except ImportError as error:
        print(f"\naudit_memory: {error.name} is not installed")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        free = shutil.disk_usage(folder).free
        if free < 2 * GIGABYTES << 30:
            print(f"\naudit_memory: {folder} has only {free >> 30} GB free")
            return
        size = write_files(folder / "data")
        code = f"from benches.audit.memory import watched; watched({name!r})"
        lines = run_python(["-c", code], seconds=MOST_SECONDS).lines
    told = [line for line in lines if "read" in line]
    load = ", ".join(f"{x:.1f}" for x in os.getloadavg())
    title = f"memory of an audit of {size / 1e9:.1f} GB of Parquet; load average {load}"
    print_table(title, HEADER, [[str(line[key]) for key in HEADER] for line in told])


def write_files(folder: Path) -> int:
    """Files of random rows until there are as many GB as wanted; their size in bytes."""
    import pyarrow.parquet

    folder.mkdir()
    case, size, number = case_of("10^3"), 0, 0
    while size < GIGABYTES << 30:
        path = folder / f"{number:05}.parquet"
        rows = case.table(case.rows(FILE_ROWS, seed=number))
        pyarrow.parquet.write_table(rows, path, use_dictionary=False, compression="none")
        size, number = size + path.stat().st_size, number + 1
    return size


def watched(folder: str) -> None:
    """The audit, in a process of its own."""
    import reasons

    case, started = case_of("10^3"), time.perf_counter()
    row_bytes = 8 * len(case.classifier.schema)
    told = 0

    def tell(stage: str, done: int, total: int | None) -> None:
        nonlocal told
        if stage == "rows" and (done * row_bytes >> 30) > told:
            told = done * row_bytes >> 30
            _say_memory(told, done, time.perf_counter() - started)

    reasons.audit(
        case.classifier,
        Path(folder) / "data",
        tuple(PROTECTED),
        ["bias"],
        output=Path(folder) / "verdicts",
        budget=reasons.Budget(seconds=None, progress=tell),
    )


def _say_memory(gigabytes: int, rows: int, seconds: float) -> None:
    line: dict[str, Any] = {"read": f"{gigabytes} GB", "rows": f"{rows:,}"}
    line |= {"peak MB": round(peak_of("self")), "now MB": round(resident())}
    report({**line, "seconds": round(seconds)})


def resident() -> float:
    """The memory of this process in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)
