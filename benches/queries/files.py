"""Saving and loading `.reasons` files, against writing and reading their bytes.

The least a loader could do is to read every byte once, which is what the ratio is to.
The file is in the system's cache for both; saving waits for the disk, as it does for users.
"""

import os
import tempfile
import time
from pathlib import Path

import reasons
from benches.harness.timing import best_of_each, format_seconds, print_table
from benches.queries.thresholds import SHAPES, threshold


def run() -> None:
    """Print the table of all sizes."""
    with tempfile.TemporaryDirectory(prefix="reasons-bench-") as folder:
        rows = [_row(size, Path(folder)) for size in SHAPES]
    print_table(
        "files: times (times that of the plain bytes); saving includes fsync, for the bytes too",
        ["nodes", "bytes", "a node", "save", "load", "read bytes"],
        rows,
    )


def _row(size: int, folder: Path) -> list[str]:
    classifier = threshold(size).classifier
    path, plain = folder / "circuit.reasons", folder / "plain"
    classifier.save(path)
    data = path.read_bytes()
    save, write, load, read = best_of_each(
        [
            lambda: classifier.save(path),
            lambda: _write(plain, data),
            lambda: reasons.load(path),
            path.read_bytes,
        ],
        clock=time.perf_counter,
    )
    nodes = len(classifier.circuit)
    return [
        f"{nodes:,}",
        f"{len(data):,}",
        f"{len(data) / nodes:.1f}",
        f"{format_seconds(save)} ({save / write:.1f})",
        f"{format_seconds(load)} ({load / read:.1f})",
        format_seconds(read),
    ]


def _write(path: Path, data: bytes) -> None:
    with open(path, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
