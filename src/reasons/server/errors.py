"""Every error as a JSON object of one shape, with a status."""

from collections.abc import Sequence
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from reasons.errors import (
    BudgetExceeded,
    InputError,
    ParseError,
    PropertyError,
    ReasonsError,
    UnsupportedModel,
)
from reasons.server.settings import Limits
from reasons.views.values import utf8

_MOST = 2_000

_STATUS: tuple[tuple[type[ReasonsError], int], ...] = (
    (BudgetExceeded, 503),
    (PropertyError, 409),
    (UnsupportedModel, 409),
    (InputError, 400),
)

_KINDS = {
    400: "BadRequest",
    404: "NotFound",
    405: "MethodNotAllowed",
    413: "TooLarge",
    415: "NotJson",
    421: "WrongHost",
    422: "Malformed",
    503: "Busy",
}


def error_object(kind: str, message: str, **place: Any) -> dict[str, Any]:
    """The one shape of every error."""
    return {"error": {"kind": kind, "message": _cut(message), **place}}


def _cut(text: str) -> str:
    """A message cut to its limit, in characters that UTF-8 can encode."""
    text = text if len(text) <= _MOST else f"{text[:_MOST]} ..."
    return utf8(text)


def status_of(error: ReasonsError) -> int:
    """The status of an error of this package."""
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 500)


def error_view(error: ReasonsError, limits: Limits, path: str) -> dict[str, Any]:
    """An error of this package as an object, with its place where it has one."""
    if isinstance(error, BudgetExceeded):
        return error_object(type(error).__name__, _exceeded(error, limits, path))
    place: dict[str, Any] = {}
    if isinstance(error, ParseError):
        place = {"source": error.source, "line": error.line, "column": error.column}
        place = {name: value for name, value in place.items() if value is not None}
    return error_object(type(error).__name__, str(error), **place)


def _exceeded(error: BudgetExceeded, limits: Limits, path: str) -> str:
    """Which stage exceeded the budget, with the server's own limit instead of that of a part."""
    if "seconds" not in error.spent:
        return f"{error}; this is the limit of one request"
    if path.endswith("/audit"):
        return (
            f"{error.stage}: not done within the {limits.audit_seconds:g} seconds that an audit "
            "has on this server; audit fewer rows, or use `reasons audit`"
        )
    return (
        f"{error.stage}: not done within the {limits.seconds:g} seconds that a request has on "
        "this server; start it with more --seconds"
    )


def kind_of(status: int) -> str:
    """The name of an error that does not come from this package."""
    return _KINDS.get(status, "Error")


def handle_errors(app: FastAPI, limits: Limits) -> None:
    """Give every error its shape."""

    @app.exception_handler(ReasonsError)
    async def own(request: Request, error: ReasonsError) -> JSONResponse:
        return JSONResponse(error_view(error, limits, request.url.path), status_of(error))

    @app.exception_handler(HTTPException)
    async def http(_: Request, error: HTTPException) -> JSONResponse:
        body = error_object(kind_of(error.status_code), str(error.detail))
        return JSONResponse(body, error.status_code, error.headers)

    @app.exception_handler(RequestValidationError)
    async def malformed(_: Request, error: RequestValidationError) -> JSONResponse:
        return JSONResponse(error_object(kind_of(422), _complaint(error.errors())), 422)


def _complaint(errors: Sequence[Any]) -> str:
    """The first problems of a request, each with its place in it."""
    texts = [f"{'.'.join(map(str, e['loc']))[:200]}: {e['msg']}" for e in errors[:3]]
    more = f"; and {len(errors) - 3} more" if len(errors) > 3 else ""
    return "; ".join(texts) + more
