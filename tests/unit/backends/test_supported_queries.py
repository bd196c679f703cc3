"""The table of supported queries in the documentation is what the backends claim."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_the_table_is_up_to_date() -> None:
    tool = ROOT / "tools" / "supported_queries.py"
    done = subprocess.run(
        [sys.executable, tool, "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_the_table_names_each_query_and_each_backend() -> None:
    page = (ROOT / "docs" / "supported-queries.md").read_text(encoding="utf-8")
    for word in ("compiled circuit", "clauses, not compiled yet", "ensemble, by search"):
        assert word in page
    assert "`general_reason` | yes |" in page
    assert "| no |" in page
