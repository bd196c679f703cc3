"""Fixtures of the server's tests: clients of every kind of classifier."""

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from reasons import Classifier
from tests.support.server.classifiers import MODELS, formula
from tests.support.server.client import client_of


@pytest.fixture(scope="module", params=MODELS)
def asked(request: pytest.FixtureRequest) -> Iterator[tuple[TestClient, Classifier, Any]]:
    make, instance = MODELS[request.param]
    classifier = make()
    with client_of(classifier) as client:
        yield client, classifier, instance


@pytest.fixture(scope="module")
def client() -> TestClient:
    return client_of(formula())
