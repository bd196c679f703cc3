"""A network of two nodes in BIF, and a check that a changed one is refused."""

from pathlib import Path
from typing import Any

import pytest

import reasons

TINY = """network tiny {
}
variable rain {
  type discrete [ 2 ] { yes, no };
}
variable grass {
  type discrete [ 2 ] { wet, dry };
}
probability ( rain ) {
  table 0.2, 0.8;
}
probability ( grass | rain ) {
  (yes) 0.9, 0.1;
  (no) 0.3, 0.7;
}
"""


def refused(tmp_path: Path, text: str, match: str, suffix: str = ".bif", **options: Any) -> str:
    path = tmp_path / f"net{suffix}"
    path.write_text(text)
    with pytest.raises(reasons.InputError, match=match) as error:
        reasons.load(path, **{"target": "rain", **options})
    assert str(path) in str(error.value) or "features=" in str(error.value) or options
    return str(error.value)
