"""`reasons serve`: the page and its API on this machine."""

import os
import socket
import sys
import threading
import webbrowser
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reasons.cli.arguments import names_of
from reasons.cli.options import Protected, Reading, Source
from reasons.errors import InputError

if TYPE_CHECKING:
    from fastapi import FastAPI

_LOOPBACK = "127.0.0.1"
_EVERYWHERE = ("0.0.0.0", "::", "")


def serve(
    source: Source,
    data: Annotated[
        list[str] | None,
        typer.Option(help="Rows to choose from: CSV, Parquet or Arrow files, folders, patterns."),
    ] = None,
    protected: Protected = "",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="0 selects a free port.")] = 8765,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = _LOOPBACK,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(help="A host name under which the server is reached; can be repeated."),
    ] = None,
    open_: Annotated[
        bool | None,
        typer.Option("--open/--no-open", help="Open a browser; by default on a terminal."),
    ] = None,
    seconds: Annotated[
        float, typer.Option(min=0.1, help="Time limit of one request, in seconds.")
    ] = 10.0,
    *,
    reading: Reading,
) -> None:
    """Serve a page that explains decisions, and its JSON API; by default to this machine only.

    Examples:

    `reasons serve "E & (~F | G | W)"`

    `reasons serve model.reasons --data rows.csv --protected sex,race`
    """
    _require_web()
    from reasons.server.app import app_of
    from reasons.server.settings import Limits

    with _listening(host, port) as listening:
        with reading.classifier(source) as (classifier, _):
            pass  # the progress bar ends before the server starts
        app = app_of(
            classifier,
            rows=data or None,
            protected=names_of(protected),
            name=Path(source).name if os.path.exists(source) else source[:200],
            limits=Limits(seconds=seconds),
            hosts=[*(allow_host or ()), *([] if host in _EVERYWHERE else [_in_url(host)])],
        )
        _run(app, listening, host, sys.stdout.isatty() if open_ is None else open_)


def _require_web() -> None:
    try:
        import fastapi
        import uvicorn
    except ImportError as error:
        raise InputError(f"reasons serve needs {error.name}: pip install 'reasons[web]'") from None
    del fastapi, uvicorn


def _listening(host: str, port: int) -> socket.socket:
    """A socket bound to an address, before any model is compiled."""
    try:
        known = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = known[0]
        listening = socket.socket(family, kind, protocol)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(2048)
    except OSError as error:
        hint = "; --port 0 selects a free port" if port else ""
        raise InputError(f"cannot listen on {host}:{port}: {error.strerror}{hint}") from None
    return listening


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _run(app: "FastAPI", listening: socket.socket, host: str, open_browser: bool) -> None:
    """Serve until Ctrl-C."""
    import uvicorn

    from reasons.server.timeouts import TimeoutProtocol

    shown = _LOOPBACK if host in _EVERYWHERE else _in_url(host)
    url = f"http://{shown}:{listening.getsockname()[1]}/"
    config = uvicorn.Config(
        app,
        http=TimeoutProtocol,
        ws="none",
        log_level="warning",
        server_header=False,
        proxy_headers=False,
        backlog=2048,
        timeout_graceful_shutdown=2,
    )
    print(f"{url}  (Ctrl-C stops the server; API documentation: {url}api/docs)", flush=True)
    if app.state.rows is not None:
        print(app.state.rows.note, flush=True)
    if host in _EVERYWHERE:
        print("reasons: everyone who can reach this machine can use the server", file=sys.stderr)
    if open_browser:
        opening = threading.Timer(0.5, webbrowser.open, [url])
        opening.daemon = True
        opening.start()
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listening])
    if app.state.work.is_busy:  # Python would wait for threads, which cannot be stopped
        sys.stdout.flush()
        os._exit(0)
