"""The stories of examples/ say what the files beside them say.

`python -m tests.integration.project.test_examples` writes those files anew; read what changed
before you commit it.
"""

import ast
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.folders import ROOT

FOLDER = ROOT / "examples"
STORIES = sorted(FOLDER.glob("*.py"))
LONGEST = 80


def told(story: Path) -> str:
    """What a story prints, in a process of its own where warnings are errors."""
    command = [sys.executable, "-W", "error", str(story)]
    own = {**os.environ, "PYTHONHASHSEED": "0"}
    done = subprocess.run(command, capture_output=True, text=True, env=own, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def absent(story: Path) -> list[str]:
    """The libraries that a story needs and that are not installed.

    An audit needs pyarrow, and its frames pandas, which its imports do not say.
    """
    text = story.read_text(encoding="utf-8")
    needed = {"pyarrow", "pandas"} if "reasons.audit" in text else set()
    if ".bif" in text:
        needed.add("opt_einsum")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            needed |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            needed.add(node.module.partition(".")[0])
    return sorted(name for name in needed if importlib.util.find_spec(name) is None)


@pytest.mark.parametrize("story", STORIES, ids=lambda path: path.stem)
def test_a_story_is_told_as_it_was_written_down(story: Path) -> None:
    if missing := absent(story):
        pytest.skip(f"{', '.join(missing)} not installed")
    assert told(story) == story.with_suffix(".out").read_text(encoding="utf-8")


def test_a_story_that_would_be_told_otherwise_is_noticed(tmp_path: Path) -> None:
    """The comparison can fail: the same applicant, who has applied before."""
    story = tmp_path / "admissions.py"
    text = (FOLDER / "admissions.py").read_text(encoding="utf-8")
    assert '"E, F, G, ~W, R"' in text
    story.write_text(text.replace('"E, F, G, ~W, R"', '"E, ~F, G, ~W, R"'), encoding="utf-8")
    assert told(story) != (FOLDER / "admissions.out").read_text(encoding="utf-8")


def test_stories_are_short_and_each_is_written_down() -> None:
    assert len(STORIES) >= 7
    assert {path.stem for path in FOLDER.glob("*.out")} == {path.stem for path in STORIES}
    for story in STORIES:
        assert len(story.read_text(encoding="utf-8").splitlines()) < LONGEST, story


if __name__ == "__main__":
    for each in STORIES:
        each.with_suffix(".out").write_text(told(each), encoding="utf-8")
