"""Request bodies: declared as JSON, and parsed strictly.

A page of another site can make a browser send plain text and forms without a preflight request,
but not JSON. So a body that is not declared as JSON is refused.
"""

import asyncio
import json
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import HTTPException, Request, Response
from fastapi.routing import APIRoute
from pydantic_core import from_json

_JSON = "application/json"
_LARGE = 1 << 16  # bytes; reading more would keep others waiting


class StrictRoute(APIRoute):
    """A route that accepts JSON bodies only."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Handle requests whose JSON is read strictly."""
        handler = super().get_route_handler()

        async def strict(request: Request) -> Response:
            asked = _StrictRequest(request.scope, request.receive)
            if asked.method == "POST":
                _require_json(asked)
                if not (await asked.body()).strip():
                    raise HTTPException(422, "the body is empty; send a JSON object")
            return await handler(asked)

        return strict


def _require_json(request: Request) -> None:
    kind, _, more = request.headers.get("content-type", "").partition(";")
    if kind.strip().lower() != _JSON:
        sent = f"not {kind.strip()[:100]!r}" if kind else "which is missing"
        raise HTTPException(415, f"send JSON, with the header content-type: {_JSON}, {sent}")
    charset = more.strip().lower().replace('"', "").removeprefix("charset=")
    if "charset" in more.lower() and charset not in ("utf-8", "utf8"):
        raise HTTPException(415, f"send the JSON in UTF-8, not in {charset[:100]!r}")
    encoding = request.headers.get("content-encoding", "identity").strip().lower()
    if encoding != "identity":
        raise HTTPException(415, f"send the body as it is, not encoded as {encoding[:100]!r}")


class _StrictRequest(Request):
    async def json(self) -> Any:
        """The body as JSON: no NaN, no half characters, no nesting without end, no key twice."""
        body = await self.body()
        return read(body) if len(body) < _LARGE else await asyncio.to_thread(read, body)


def read(body: bytes) -> Any:
    """The value of a JSON text, or an error that says what is wrong and where."""
    try:
        found = from_json(body, allow_inf_nan=False)
        json.loads(body, object_pairs_hook=_once)  # as strict as needed: from_json came first
    except ValueError as error:
        raise HTTPException(422, f"the body is not valid JSON: {error}") from None
    return found


def _once(pairs: list[tuple[str, Any]]) -> None:
    """Nothing; `ValueError` where a key stands twice, since one of its values would be lost."""
    names: set[str] = set()
    for name, _ in pairs if len(dict(pairs)) < len(pairs) else ():
        if name in names:
            raise ValueError(f"the key {name[:100]!r} is there twice")
        names.add(name)
