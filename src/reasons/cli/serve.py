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

from reasons.cli.arguments import classifier_of, names_of, working
from reasons.cli.commands import Compiler, Constraint, Nodes, Source, With
from reasons.errors import InputError

if TYPE_CHECKING:
    from fastapi import FastAPI

_LOOPBACK = "127.0.0.1"
_EVERYWHERE = ("0.0.0.0", "::", "")


def serve(
    source: Source,
    data: Annotated[
        list[str] | None,
        typer.Option(help="Your rows: CSV, Parquet or Arrow files, folders or patterns."),
    ] = None,
    protected: Annotated[str, typer.Option(help="Protected features: R,sex")] = "",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="0 takes any free one.")] = 8765,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = _LOOPBACK,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(help="A name under which others reach this server; several are possible."),
    ] = None,
    open_: Annotated[
        bool | None, typer.Option("--open/--no-open", help="Open a browser; so on a terminal.")
    ] = None,
    seconds: Annotated[float, typer.Option(min=0.1, help="Time for one request.")] = 10.0,
    constraint: Constraint = None,
    compiler: Compiler = None,
    options: With = None,
    nodes: Nodes = None,
) -> None:
    """Open a page that answers why, and its JSON API, on this machine only.

    Examples:

    `reasons serve "E & (~F | G | W)"`

    `reasons serve model.reasons --data rows.csv --protected sex,race`
    """
    _require_web()
    from reasons.server.app import app_of
    from reasons.server.settings import Limits

    with _listening(host, port) as listening:
        with working(None, nodes) as budget:
            classifier = classifier_of(source, constraint, budget, compiler, options)
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
    """A socket bound to an address: early, so that nothing is compiled in vain."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        listening = socket.socket(family, kind, protocol)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(2048)
    except OSError as error:
        hint = "; --port 0 takes a free one" if port else ""
        raise InputError(f"cannot listen on {host}:{port}: {error.strerror}{hint}") from None
    return listening


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _run(app: "FastAPI", listening: socket.socket, host: str, opens: bool) -> None:
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
    print(f"{url}  (Ctrl-C ends it; the API is described at {url}api/docs)", flush=True)
    if app.state.rows is not None:
        print(app.state.rows.note, flush=True)
    if host in _EVERYWHERE:
        print("reasons: everyone who reaches this machine can ask", file=sys.stderr)
    if opens:
        opening = threading.Timer(0.5, webbrowser.open, [url])
        opening.daemon = True
        opening.start()
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listening])
    if app.state.work.is_busy:  # threads cannot be stopped, and Python would wait for them
        sys.stdout.flush()
        os._exit(0)
