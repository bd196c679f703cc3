"""Timeouts of connections: those that send or read too slowly are closed.

uvicorn has no timeout for the first line of a request, nor for a client that does not read its
response. A few thousand such clients would use up all connections.
"""

import asyncio
import json
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from reasons.server.errors import error_object
from reasons.server.middleware import headers_of

SECONDS_FOR_HEAD = 15.0
SECONDS_TO_READ = 30.0


class TimeoutProtocol(H11Protocol):
    """One connection; the head of a request is at most 64 KiB, by h11."""

    _head: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timeout of the first request."""
        super().connection_made(transport)
        self._watch_head()

    def data_received(self, data: bytes) -> None:
        """Process the data, then start or stop the timeout of the next head."""
        super().data_received(data)
        self._watch_head()

    def _watch_head(self) -> None:
        awaited = self.conn.their_state is h11.IDLE
        if awaited and self._head is None:
            self._head = self.loop.call_later(SECONDS_FOR_HEAD, self.transport.abort)
        elif not awaited:
            _cancel(self._head)
            self._head = None

    def pause_writing(self) -> None:
        """Start the timeout of a client that does not read."""
        super().pause_writing()
        self._unread = self.loop.call_later(SECONDS_TO_READ, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop that timeout: the client has read."""
        _cancel(self._unread)
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop both timeouts."""
        _cancel(self._head)
        _cancel(self._unread)
        super().connection_lost(exc)

    def _should_upgrade(self) -> bool:
        return False  # a websocket's request is answered like any other

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP, with the shape and the headers of every error."""
        body = json.dumps(error_object("BadRequest", msg)).encode()
        kind = {b"content-type": b"application/json", b"content-length": b"%d" % len(body)}
        headers = [*kind.items(), (b"connection", b"close"), *headers_of().items()]
        events: list[Any] = [h11.Response(status_code=400, headers=headers, reason=b"Bad Request")]
        try:
            for event in (*events, h11.Data(data=body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        except h11.LocalProtocolError:  # a response has started already
            pass
        self.transport.close()


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()
