"""The built page, kept in memory.

Starlette reads each file from disk at every request, in several steps in other threads, which
delays the first paint. The page is a few files, 2 MB. For the same reason its first file includes
the style sheet, which the content security policy allows by its hash, and the model.
"""

import base64
import hashlib
import mimetypes
import re
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response
from starlette.types import Receive, Scope, Send

_MOST_INSIDE = 100_000
_NO_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>reasons</title>
<link rel="icon" href="data:,">
<h1>The page is not built</h1><p>Run <code>make webapp</code>, then
reload. The API works without it:
<a href="/api/v1/model">/api/v1/model</a>.</p></html>"""


class Page:
    """The built page, or how to build it. `styles` are hashes of its style sheets."""

    def __init__(self, folder: Path, model: str) -> None:
        self._folder, self._model, self.styles = folder, model, list[str]()
        self._files: Files | None = None
        self._find()

    def _find(self) -> None:
        first = self._folder / "index.html"
        if self._files is None and first.exists():
            self._files = Files(self._folder, self._model)
            self.styles += style_hashes(first.read_text("utf-8"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; a page that was built since the last one is served."""
        self._find()
        if self._files is not None:
            await self._files(scope, receive, send)
        elif scope["type"] == "http" and scope["path"] == "/" and scope["method"] == "GET":
            await HTMLResponse(_NO_PAGE)(scope, receive, send)
        else:
            raise HTTPException(404, "there is no such file")


class Files:
    """The files of a folder as they were at the start; `/` is its index.html with the model."""

    def __init__(self, folder: Path, model: str = "") -> None:
        paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
        self._kept = {
            f"/{path.relative_to(folder).as_posix()}": _kept(path, path.read_bytes())
            for path in paths
        }
        first = folder / "index.html"
        self._kept["/"] = _kept(first, with_model(first.read_text("utf-8"), model).encode())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, with 304 if the browser has the file already."""
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


def with_model(page: str, model: str) -> str:
    """A page with the JSON of a model as data; without it if that is large.

    >>> print(with_model("<body></body>", '{"name": "</script>"}'))
    <body><script type="application/json" id="model">{"name": "\\u003c/script>"}</script></body>
    """
    if not model or len(model) > _MOST_INSIDE:
        return page
    data = model.replace("<", "\\u003c")
    body, end, rest = page.rpartition("</body>")
    return f'{body}<script type="application/json" id="model">{data}</script>{end}{rest}'


def style_hashes(page: str) -> list[str]:
    """The hashes of the style sheets inside a page, as a content security policy names them."""
    sheets = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    digests = [base64.b64encode(hashlib.sha256(x.encode()).digest()).decode() for x in sheets]
    return [f"'sha256-{digest}'" for digest in digests]


def _kept(path: Path, content: bytes) -> tuple[bytes, dict[str, str]]:
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    kind = "text/javascript" if path.suffix == ".js" else kind
    text = "; charset=utf-8" if kind.startswith("text/") else ""
    etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    return content, {"content-type": kind + text, "etag": etag, "cache-control": "no-cache"}
