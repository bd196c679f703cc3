"""The OpenAPI description, with examples of the classifier that is served."""

from typing import Any

from fastapi import FastAPI

from reasons.classifier import Classifier
from reasons.views.values import Object, json_value

_MOST_FEATURES = 200


def describe(app: FastAPI, classifier: Classifier, instance: Object) -> None:
    """Add an example instance to every request that takes one.

    The description of a route is one sentence, so it becomes the route's summary.
    """
    plain = app.openapi
    example = instance if 0 < len(instance) <= _MOST_FEATURES else None

    def described() -> dict[str, Any]:
        fresh = app.openapi_schema is None
        found = plain()
        for route in [each for path in found["paths"].values() for each in path.values()] * fresh:
            route["summary"] = route.pop("description").removesuffix(".")
        if fresh and example is not None:
            for part in found["components"]["schemas"].values():
                if part.get("additionalProperties") is False:
                    _put(part.get("properties", {}), example, classifier)
        return found

    app.openapi = described  # type: ignore[method-assign]


def _put(properties: dict[str, Any], example: Object, classifier: Classifier) -> None:
    last = classifier.features[-1]
    other = json_value(last.raw(len(last.values) - 1))
    for name, value in {
        "instance": example,
        "instances": [example],
        "protected": [last.name],
        "change": {last.name: other},
    }.items():
        if name in properties:
            properties[name]["examples"] = [value]
