"""An audit opens its data once and bins it once: for verdicts, counts and marginals together."""

import gzip
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import csv

import reasons
from reasons.audit.verdicts import worker
from reasons.features.tables import cells_of_batch
from reasons.formats.rows import files, source
from reasons.formats.rows.source import PART
from tests.support.audit.loans import loans

ROWS = 2 * PART + 17
OPTIONS: dict[str, Any] = {"protected": "sex", "keep": ["id"]}


def rows(number: int = ROWS) -> pa.Table:
    """Rows of loans; every 50th has no income that can be read."""
    kinds = {"job": ["clerk", "nurse", "none"], "sex": ["f", "m"]}
    columns = {name: [own[i * i % len(own)] for i in range(number)] for name, own in kinds.items()}
    income = ["odd" if i % 50 == 0 else str(i % 90) for i in range(number)]
    return pa.table({"id": list(map(str, range(number))), "income": income, **columns})


@pytest.fixture(params=["csv", "csv.gz"])
def data(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / f"rows.{request.param}"
    sink = pa.BufferOutputStream()
    csv.write_csv(rows(), sink)
    content = sink.getvalue().to_pybytes()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often files are opened and rows are binned. A file is gone once it is open."""
    counts: Counter[str] = Counter()
    open_file = files.open_file

    def opened(path: Path) -> Any:
        counts["opened"] += 1
        handle = open_file(path)
        path.unlink()
        return handle

    def binned(schema: Any, batch: Any) -> Any:
        counts["binned"] += batch.num_rows
        return cells_of_batch(schema, batch)

    monkeypatch.setattr(files, "open_file", opened)
    monkeypatch.setattr(source, "_state", lambda path: (0, 0))
    monkeypatch.setattr(worker, "cells_of_batch", binned)
    return counts


def test_a_file_is_opened_once_and_binned_once(data: Path, counted: Counter[str]) -> None:
    summary = reasons.audit(loans(), data, **OPTIONS).summary.as_dict()
    assert counted == {"opened": 1, "binned": ROWS}
    assert summary["rows"] == ROWS
    assert summary["treatment"]["sets"][0]["domain"]["weighted_share"] is not None


def test_typed_files_are_opened_once_too(tmp_path: Path, counted: Counter[str]) -> None:
    path = tmp_path / "rows.parquet"
    numbers = pa.array([i % 90 for i in range(ROWS)])
    pq.write_table(rows().set_column(1, "income", numbers), path)
    assert reasons.audit(loans(), path, **OPTIONS).summary.as_dict()["rows"] == ROWS
    assert counted == {"opened": 1, "binned": ROWS}


def test_marginals_are_those_of_a_loop_over_the_rows(data: Path) -> None:
    marginals = reasons.audit(loans(), data, **OPTIONS).marginals
    schema, wanted = loans().schema, Counter[tuple[str, Any]]()
    for row in rows().to_pylist():
        if row["income"] != "odd":
            for name in schema.names:
                raw = float(row[name]) if name == "income" else row[name]
                feature = schema[schema.index(name)]
                wanted[name, feature.values[feature.cell(raw)]] += 1
    assert marginals is not None
    found = {(name, x): rows for name, own in marginals.items() for x, rows in own.items() if rows}
    assert found == wanted


def test_a_run_that_goes_on_has_the_summary_of_one_run(data: Path, tmp_path: Path) -> None:
    whole = reasons.audit(loans(), data, **OPTIONS)
    output = tmp_path / "verdicts.parquet"

    def stop(stage: str, done: int, total: int | None) -> None:
        if done > PART:
            raise KeyboardInterrupt

    budget = reasons.Budget(progress=stop)
    with pytest.raises(KeyboardInterrupt):
        reasons.audit(loans(), data, output=output, budget=budget, workers=1, **OPTIONS)
    assert list(tmp_path.glob("verdicts.parquet.parts/part-*.parquet"))
    again = reasons.audit(loans(), data, output=output, **OPTIONS)
    assert again.marginals == whole.marginals
    assert again.summary.as_dict() == whole.summary.as_dict()


def test_counts_that_were_damaged_are_made_again(data: Path, tmp_path: Path) -> None:
    output = tmp_path / "verdicts"
    whole = reasons.audit(loans(), data, output=output, **OPTIONS).marginals
    notes = output / "_finished.txt"
    lines = [line.split(" ") for line in notes.read_text().splitlines()]
    lines[0][1], lines[1][1] = lines[1][1], lines[0][1]
    notes.write_text("".join(f"{' '.join(line)}\n" for line in lines))
    assert reasons.audit(loans(), data, output=output, **OPTIONS).marginals == whole
