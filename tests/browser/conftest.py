"""Servers that several browser tests share."""

from collections.abc import Iterator

import pytest

from tests.support.server import browser as page_served
from tests.support.server.browser import BAD, LINK, LOANS, QUOTE, served


@pytest.fixture(scope="module")
def loans() -> Iterator[str]:
    """The URL of a loan model with rows."""
    with served(page_served.loans(), name="loans", rows=LOANS, protected=["sex"]) as url:
        yield url


@pytest.fixture(scope="module")
def hostile() -> Iterator[str]:
    """The URL of a model whose names, values and labels look like code."""
    rows = [{BAD: BAD, QUOTE: bool(i % 2), LINK: i / 2} for i in range(6)]
    with served(page_served.hostile(), name=BAD, rows=rows, protected=[QUOTE]) as url:
        yield url
