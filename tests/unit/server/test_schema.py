"""schemathesis over the OpenAPI description: no 500s, and every answer is as it is described."""

import random
import time
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import checks
from schemathesis.specs.openapi import checks as openapi_checks

from reasons import Classifier
from reasons.features.terms import Instance
from reasons.server.app import app_of
from reasons.server.settings import Limits
from reasons.views.values import instance_view, json_value
from tests.support.server.classifiers import MODELS, hostile

KINDS = {**{name: make for name, (make, _) in MODELS.items()}, "hostile": hostile}
MODES = schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE
CHECKS = [
    checks.not_a_server_error,
    openapi_checks.status_code_conformance,
    openapi_checks.content_type_conformance,
    openapi_checks.response_schema_conformance,
]


def any_instance(classifier: Classifier, rng: random.Random) -> Any:
    cells = [rng.randrange(len(feature.values)) for feature in classifier.features]
    return instance_view(Instance.of_cells(classifier.schema, cells))


def sensible(body: Any, classifier: Classifier, rng: random.Random) -> Any:
    """A body that names features and values that are there, where it named any."""
    if not isinstance(body, dict):
        return body
    feature = rng.choice(classifier.features)
    raw = json_value(feature.raw(rng.randrange(len(feature.values))))
    known = {
        "instance": any_instance(classifier, rng),
        "instances": [any_instance(classifier, rng)],
        "protected": [feature.name],
        "change": {feature.name: raw},
        "expand": [str(rng.randrange(9))],
    }
    return {name: known.get(name, value) for name, value in body.items()}


def served(kind: str) -> tuple[Any, Classifier]:
    classifier: Classifier = KINDS[kind]()
    rows = None
    if kind == "loans":
        rows = [any_instance(classifier, random.Random(i)) for i in range(5)]
    limits = Limits(seconds=5)
    return app_of(classifier, rows=rows, limits=limits, hosts=["testserver"]), classifier


def ask_at_random(
    app: Any, classifier: Classifier, examples: int, seconds: float = 20
) -> list[int]:
    """Requests of all kinds to every way, fewer where time runs out; their statuses."""
    schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", app)
    statuses: list[int] = []
    ends: list[float] = []
    operations = list(schema.get_all_operations())
    found: Any
    for found in operations:
        ends.append(time.monotonic() + seconds / len(operations))
        cases = st.one_of(*(found.ok().as_strategy(generation_mode=mode) for mode in MODES))

        @settings(
            max_examples=examples,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(case=cases, seed=st.integers(0, 2**32), known=st.integers(0, 3))
        def ask(case: Any, seed: int, known: int) -> None:
            if time.monotonic() > ends[-1]:
                return
            if known:
                case.body = sensible(case.body, classifier, random.Random(seed))
            answer = case.call()
            statuses.append(answer.status_code)
            case.validate_response(answer, checks=CHECKS)

        ask()
    return statuses


@pytest.mark.parametrize("kind", KINDS)
def test_no_request_makes_the_server_fail(kind: str) -> None:
    statuses = ask_at_random(*served(kind), examples=12)
    assert {200, 400, 422} <= set(statuses)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_no_request_of_many_makes_the_server_fail(kind: str) -> None:
    assert len(ask_at_random(*served(kind), examples=100)) > 200


def failing(_: Any) -> Any:
    raise ZeroDivisionError


@pytest.mark.parametrize("planted", [failing, lambda label: {"label": label, "label_text": 5}])
def test_a_planted_failure_and_an_answer_of_another_shape_are_found(
    monkeypatch: pytest.MonkeyPatch, planted: Any
) -> None:
    monkeypatch.setattr("reasons.views.decision.label_view", planted)
    with pytest.raises(BaseException, match="Server error"):
        ask_at_random(*served("formula"), examples=12)
