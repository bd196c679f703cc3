"""The documentation site builds without a warning, and all its links lead somewhere."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import reasons
from tests.support.folders import ROOT

DOCS = ROOT / "docs"
sys.path.insert(0, str(ROOT / "tools"))

from site_links import wrong

LIBRARIES = ("mkdocs", "material", "mkdocstrings", "mkdocstrings_handlers")
MISSING = [name for name in LIBRARIES if importlib.util.find_spec(name) is None]


@pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}")
def test_the_site_builds_without_a_warning_and_every_link_leads_on(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "-q", "--strict", "-d", str(tmp_path)]
    own = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=own)
    assert done.returncode == 0, done.stderr
    assert not wrong(tmp_path)


def site_of(folder: Path, body: str, style: str = "") -> Path:
    (folder / "index.html").write_text(f"<html>{body}</html>", encoding="utf-8")
    (folder / "other.html").write_text('<h1 id="there">x</h1>', encoding="utf-8")
    (folder / "own.css").write_text(style, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('<a href="gone.html">x</a>', "no such file"),
        ('<a href="other.html#gone">x</a>', "no such anchor"),
        ('<a href="#gone">x</a>', "no such anchor"),
        ('<img src="gone.png">', "no such file"),
        ('<script src="https://example.org/x.js"></script>', "another machine"),
        ('<link rel="stylesheet" href="//example.org/x.css">', "another machine"),
    ],
)
def test_a_broken_link_is_found(body: str, said: str, tmp_path: Path) -> None:
    [complaint] = wrong(site_of(tmp_path, body))
    assert said in complaint


def test_a_style_that_asks_another_machine_is_found(tmp_path: Path) -> None:
    style = "@import url('https://example.org/font.css');"
    [complaint] = wrong(site_of(tmp_path, "", style))
    assert "another machine" in complaint


def test_good_links_are_not_complained_about(tmp_path: Path) -> None:
    body = '<i id="a"></i><a href="#a">x</a><a href="other.html#there">x</a><a href="https://a.b">'
    assert not wrong(site_of(tmp_path, body))


def test_a_folder_without_pages_is_complained_about(tmp_path: Path) -> None:
    assert wrong(tmp_path)


@pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}")
def test_examples_in_docstrings_are_fenced() -> None:
    from doctest_fences import fenced

    assert fenced("Adds.\n\n>>> 1 + 1\n2\n\nMore.").splitlines() == [
        *("Adds.", "", "```python", ">>> 1 + 1", "2", "```", "", "More.")
    ]
    assert fenced(">>> x").splitlines() == ["```python", ">>> x", "```"]
    assert fenced("a > b") == "a > b"


def test_every_public_name_is_in_the_reference() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in (DOCS / "api").glob("*.md"))
    paths = [path.split(".") for path in re.findall(r"^::: reasons\.(\S+)$", text, re.MULTILINE)]
    # Functions that are called like their packages are listed by the modules they are in.
    listed = {"bnn" if path[0] == "bnn" else path[-1] for path in paths}
    constants = {name for name in reasons.__all__ if name.isupper()}
    assert listed == set(reasons.__all__) - constants
    assert all(f"`{name}`" in text for name in constants)


def test_every_page_is_in_the_navigation() -> None:
    named = set(re.findall(r"[\w/-]+\.md", (ROOT / "mkdocs.yml").read_text(encoding="utf-8")))
    pages = {str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md")}
    assert pages == {name.lstrip("/") for name in named}


def test_the_pictures_are_those_that_the_demo_draws() -> None:
    from reasons.cli.demo import _figures

    drawn = dict(_figures())
    kept = sorted((DOCS / "pictures").glob("*.svg"))
    assert len(kept) >= 3
    for path in kept:
        assert path.read_text(encoding="utf-8") == drawn[path.stem]
