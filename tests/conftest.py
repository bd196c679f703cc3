"""What every test process needs."""

import shutil
import signal
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

# A build started in the background ignores Ctrl-C, and so would the programs that the tests
# start to be interrupted: a handler of our own is reset to the default in them.
with suppress(ValueError):
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A headless Chromium, for tests that skip themselves where there is none.

    It ends with its module: while it lives, no other event loop can run in the process.
    """
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        path = shutil.which("chromium")
        with play.chromium.launch(executable_path=path, args=["--no-sandbox"]) as own:
            yield own


@pytest.fixture
def opened(browser: Any) -> Iterator[Any]:
    """Opens pages, and fails at the end if one complained or asked another machine."""
    from tests.support.server.browser import Opened

    pages = Opened(browser)
    yield pages
    assert pages.close() == []
