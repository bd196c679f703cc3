"""Print the OpenAPI schema of the server, from which the types of the web app are generated.

`make api-types` runs this. Left out is what the types do not need: examples, which are those of the
served classifier, titles, which repeat the names, and error responses, which all have one form.
"""

import json
import sys
from typing import Any

import reasons
from reasons.server.app import app_of


def schema() -> dict[str, Any]:
    """The schema of the API, reduced to what its types need."""
    found: dict[str, Any] = _reduced(app_of(reasons.compile("a | b")).openapi())
    for path in found["paths"].values():
        for operation in path.values():
            operation["responses"] = {"200": operation["responses"]["200"]}
    return found


def _reduced(part: Any) -> Any:
    if isinstance(part, list):
        return [_reduced(each) for each in part]
    if not isinstance(part, dict):
        return part
    kept = {name: each for name, each in part.items() if name != "examples"}
    if isinstance(kept.get("title"), str):
        del kept["title"]
    return {name: _reduced(each) for name, each in kept.items()}


if __name__ == "__main__":
    json.dump(schema(), sys.stdout, indent=2)
