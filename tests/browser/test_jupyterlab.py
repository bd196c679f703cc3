"""The widget in JupyterLab, in its light and its dark theme; `make jupyter` installs that."""

import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from tests.support.folders import ROOT

CHROMIUM = Path("/usr/bin/chromium")
CELL = """import sys; sys.path[:0] = {paths!r}
import reasons
from tests.support.server.classifiers import loans
from tests.support.folders import ROOT
reasons.widget(loans().decide({{"age": 33, "job": "nurse", "home": False}}), protected=["home"])"""


def notebook(folder: Path) -> None:
    source = CELL.format(paths=[str(ROOT)])
    code = {"cell_type": "code", "id": "a", "metadata": {}, "outputs": [], "source": source}
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    told = {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": kernel}}
    cells = [{**code, "execution_count": None}]
    (folder / "why.ipynb").write_text(json.dumps({**told, "cells": cells}), encoding="utf-8")


def environment(folder: Path, theme: str) -> dict[str, str]:
    """Nothing of the user's own, the theme, and the extensions that stand beside anywidget."""
    found = find_spec("anywidget")
    assert found is not None
    assert found.origin is not None
    settings = folder / "settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    (settings / "themes.jupyterlab-settings").write_text(json.dumps({"theme": theme}), "utf-8")
    quiet = settings / "notification.jupyterlab-settings"
    quiet.write_text(json.dumps({"fetchNews": "false", "checkForUpdates": False}), "utf-8")
    own = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    return {
        **os.environ,
        **{name: str(folder / name.lower()) for name in own},
        "JUPYTERLAB_SETTINGS_DIR": str(folder / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(folder / "workspaces"),
        "JUPYTER_PATH": str(Path(found.origin).parents[4] / "share" / "jupyter"),
    }


@contextmanager
def lab(folder: Path, theme: str) -> Iterator[str]:
    """The address of the notebook in a JupyterLab of its own."""
    notebook(folder)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--port={port}"]
    command += [f"--ServerApp.root_dir={folder}", "--IdentityProvider.token="]
    command += ["--ServerApp.port_retries=0", "--ServerApp.disable_check_xsrf=True"]
    log = (folder / "log").open("w", encoding="utf-8")
    with subprocess.Popen(
        command, env=environment(folder, theme), stdout=log, stderr=log, cwd=folder
    ) as server:
        try:
            yield _awaited(f"http://127.0.0.1:{port}", server)
        finally:
            server.terminate()
            log.close()


def _awaited(address: str, server: "subprocess.Popen[bytes]") -> str:
    end = time.monotonic() + 90
    while time.monotonic() < end and server.poll() is None:
        try:
            with urlopen(f"{address}/api", timeout=5):
                return f"{address}/lab/tree/why.ipynb"
        except OSError:
            time.sleep(0.3)
    pytest.fail("JupyterLab did not start")


def contrast(page: Any, selector: str) -> float:
    """How much lighter or darker a text is than what it stands on, from 1 to 21 (WCAG)."""
    colours = page.locator(selector).first.evaluate(
        """(element) => {
          let ground = element;
          const of = (node) => getComputedStyle(node).backgroundColor;
          while (ground && /, 0\\)$|^transparent$/.test(of(ground))) ground = ground.parentElement;
          return [getComputedStyle(element).color, ground ? of(ground) : "rgb(255, 255, 255)"];
        }"""
    )
    one, other = sorted(_luminance(colour) for colour in colours)
    return (other + 0.05) / (one + 0.05)


def _luminance(colour: str) -> float:
    parts = [float(part) / 255 for part in re.findall(r"[\d.]+", colour)[:3]]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_contrast_is_computed_as_wcag_says() -> None:
    assert _luminance("rgb(255, 255, 255)") == pytest.approx(1)
    assert _luminance("rgb(118, 118, 118)") == pytest.approx(0.1812, abs=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_a_switch_in_jupyterlab_changes_the_decision(tmp_path: Path, theme: str) -> None:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    pytest.importorskip("jupyterlab", reason="JupyterLab is not installed: make jupyter")
    if not CHROMIUM.exists():
        pytest.skip(f"{CHROMIUM} is not installed")
    said: list[str] = []
    with lab(tmp_path, theme) as address, playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1200, "height": 900})
        page.on("pageerror", lambda error: said.append(str(error)))
        page.set_default_timeout(45_000)
        page.goto(address)
        page.locator(".jp-Notebook .jp-CodeCell").first.click()
        page.keyboard.press("Shift+Enter")
        label = page.locator(".reasons .label")
        label.wait_for()
        assert label.inner_text() == "ask"
        assert page.locator("body[data-jp-theme-light]").get_attribute("data-jp-theme-light") == (
            str("Light" in theme).lower()
        )
        page.screenshot(path=str(tmp_path / "first.png"))
        page.get_by_label("home", exact=True).click()
        label.filter(has_text="grant").wait_for()
        assert "would be grant if home" in page.locator(".reasons .said").inner_text()
        page.get_by_label("job", exact=True).select_option("driver")
        label.filter(has_text="refuse").wait_for()
        switch, menu = (page.get_by_label(name, exact=True) for name in ("home", "job"))
        assert abs(switch.bounding_box()["x"] - menu.bounding_box()["x"]) < 8
        for part in (".label", ".said", "legend", "li", "h4", "output", "select", "button"):
            assert contrast(page, f".reasons {part}") > 4.5, part
        page.screenshot(path=str(tmp_path / "changed.png"))
        page.get_by_role("button", name="Back to the first values").click()
        label.filter(has_text="ask").wait_for()
        browser.close()
    assert said == []
