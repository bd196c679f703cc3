"""The built page, kept in memory.

Starlette's own way reads each file again, in several steps in other threads, and a first paint
waits for them. The page is a few files, 2 MB.
"""

import hashlib
import mimetypes
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Receive, Scope, Send


class Files:
    """The files of a folder as they were at the start; `/` is its index.html."""

    def __init__(self, folder: Path) -> None:
        paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
        self._kept = {f"/{path.relative_to(folder).as_posix()}": _kept(path) for path in paths}
        self._kept["/"] = self._kept["/index.html"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; a browser that has the file already is told that it is the same."""
        content, headers = self._kept.get(scope["path"], (None, {}))
        if scope["type"] != "http" or content is None:
            raise HTTPException(404, "there is no such file")
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405, "files can only be read")
        known = dict(scope["headers"]).get(b"if-none-match", b"").decode("latin-1")
        same = headers["etag"] in known
        body = b"" if same or scope["method"] == "HEAD" else content
        length = {} if same else {"content-length": str(len(content))}
        await Response(body, 304 if same else 200, {**headers, **length})(scope, receive, send)


def _kept(path: Path) -> tuple[bytes, dict[str, str]]:
    content = path.read_bytes()
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    kind = "text/javascript" if path.suffix == ".js" else kind
    text = "; charset=utf-8" if kind.startswith("text/") else ""
    etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    return content, {"content-type": kind + text, "etag": etag, "cache-control": "no-cache"}
