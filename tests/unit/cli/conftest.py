"""Fixtures of the shell's tests."""

from pathlib import Path

import pytest

import reasons


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A saved classifier: C1 of the paper."""
    reasons.compile("E & (~F | G | W)").save(tmp_path / "c1.reasons")
    return tmp_path / "c1.reasons"
