"""Middleware: allowed hosts, limits on bodies, security headers.

A page of another site can make a browser send requests here (DNS rebinding). The Host header then
names that site, and the request is refused. The content security policy lets the page load
nothing from other servers.
"""

import asyncio
import logging
from collections.abc import Iterable, Sequence
from contextlib import suppress

from fastapi.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from reasons.server.errors import error_object, kind_of
from reasons.server.settings import Limits

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")

_POLICY = (
    "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'{styles}; "
    "img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
}
_SECONDS_TO_SEND = 30.0
_SECONDS_TO_LEAVE = 2.0

_log = logging.getLogger("reasons.server")


def headers_of(styles: Iterable[str] = ()) -> dict[bytes, bytes]:
    """The headers of every response; `styles` are hashes of the style sheets inside the page."""
    policy = _POLICY.format(styles="".join(f" {each}" for each in styles))
    return {b"content-security-policy": policy.encode(), **_HEADERS}


class Guard:
    """Checks the host, reads the body up to a limit, and adds headers to every response."""

    def __init__(
        self, app: ASGIApp, hosts: Iterable[str], limits: Limits, styles: Sequence[str] = ()
    ) -> None:
        self.app, self.limits = app, limits
        self.styles = styles  # not copied: a page that is built later adds its own
        self.hosts = frozenset(host.lower() for host in (*LOOPBACK, *hosts))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse one request, or pass it on."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1000})
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        answer = _Answer(send, self.styles, cached=not scope["path"].startswith("/api/"))
        incoming = _Incoming(receive)
        refused = await self._refused(scope, incoming.receive)
        if isinstance(refused, JSONResponse):
            await _hang_up(refused, scope, incoming, answer)
            return
        try:
            await self.app(scope, refused, answer.send)
        except asyncio.CancelledError:  # the server shuts down during the work
            if not answer.started:
                ending = _error(503, "the server is shutting down")
                await ending(scope, receive, answer.send)
        except Exception:
            _log.exception("%s %s failed", scope["method"], scope["path"])
            if not answer.started:
                failed = _error(500, "internal error: see the log of the server", "InternalError")
                await failed(scope, receive, answer.send)

    async def _refused(self, scope: Scope, receive: Receive) -> JSONResponse | Receive:
        """An error response, or a `receive` that replays the body, which has been read."""
        headers = dict(scope["headers"])
        named = [value for name, value in scope["headers"] if name == b"host"]
        host = b" and ".join(named).decode("latin-1").lower()
        if _name(host) not in self.hosts:
            return _error(421, f"the host {host[:100]!r} is not allowed; see --allow-host")
        most = self.limits.body
        if scope["path"].endswith("/audit"):
            most = self.limits.audit_body
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length[:20]) > most:
            return _too_large(most)
        try:
            body = await asyncio.wait_for(_read(receive, most), _SECONDS_TO_SEND)
        except TimeoutError:
            return _error(408, "the request was not sent in time", "TooSlow")
        return _too_large(most) if body is None else _replayed(body, receive)


def _name(host: str) -> str:
    """A host without its port.

    >>> _name("localhost:8765"), _name("[::1]:80"), _name("[::1]")
    ('localhost', '[::1]', '[::1]')
    """
    name, sign, port = host.rpartition(":")
    return name if sign and port.isdecimal() and (":" not in name or name[-1:] == "]") else host


def _error(status: int, message: str, kind: str = "") -> JSONResponse:
    return JSONResponse(error_object(kind or kind_of(status), message), status)


def _too_large(most: int) -> JSONResponse:
    return _error(413, f"the body of a request may have at most {most:,} bytes")


async def _read(receive: Receive, most: int) -> bytes | None:
    """The whole body, or None if it is larger than `most`."""
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            break
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > most:
            return None
        if not message.get("more_body", False):
            break
    return b"".join(parts)


class _Incoming:
    """What the client sends, and whether it has sent everything."""

    def __init__(self, receive: Receive) -> None:
        self._receive, self.ended = receive, False

    async def receive(self) -> Message:
        message = await self._receive()
        self.ended = message["type"] != "http.request" or not message.get("more_body", False)
        return message

    async def rest(self) -> None:
        while not self.ended:
            await self.receive()


async def _hang_up(
    refused: JSONResponse, scope: Scope, incoming: _Incoming, answer: "_Answer"
) -> None:
    """Send an error and close the connection.

    Closing while the client still sends resets the connection, and the response is lost. So the
    rest of the body is read and discarded first, for at most two seconds.
    """

    async def send(message: Message) -> None:
        await answer.send({**message, "more_body": True} if "body" in message else message)

    refused.headers["connection"] = "close"
    await refused(scope, incoming.receive, send)
    with suppress(TimeoutError):
        await asyncio.wait_for(incoming.rest(), _SECONDS_TO_LEAVE)
    await answer.send({"type": "http.response.body", "body": b"", "more_body": False})


def _replayed(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives the body once, and then what the client sends."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


class _Answer:
    """Sends the app's response with the headers of every response."""

    def __init__(self, send: Send, styles: Sequence[str], cached: bool) -> None:
        self._send, self._styles, self._cached, self.started = send, styles, cached, False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            headers = list(message.get("headers", ()))
            headers += headers_of(self._styles).items()
            if not self._cached:
                headers.append((b"cache-control", b"no-store"))
            message = {**message, "headers": headers}
        await self._send(message)
