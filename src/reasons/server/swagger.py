"""The API's description for people: Swagger UI, from files of this machine.

FastAPI's own page loads them from elsewhere and starts by a script inside the page; the policy
of this server forbids both.
"""

from importlib.util import find_spec
from pathlib import Path

from fastapi import FastAPI, HTTPException
from fastapi.responses import FileResponse, HTMLResponse, Response

_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>reasons: the API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/api/docs/swagger-ui.css"><div id="api"></div>
<script src="/api/docs/swagger-ui-bundle.js"></script>
<script src="/api/docs/start.js"></script></html>"""
_ABSENT = """<!doctype html><html lang="en"><meta charset="utf-8"><title>reasons: the API</title>
<link rel="icon" href="data:,">
<h1>The API</h1><p>It is described by <a href="/api/v1/openapi.json">openapi.json</a>.
To read that here: <code>pip install 'reasons[web]'</code></p></html>"""
_START = """SwaggerUIBundle({
  url: "/api/v1/openapi.json", dom_id: "#api", deepLinking: true, validatorUrl: null,
});
"""
_FILES = {"swagger-ui.css": "text/css", "swagger-ui-bundle.js": "text/javascript"}


def serve_docs(app: FastAPI) -> None:
    """Swagger UI at /api/docs; where its files are not installed, a word on how to."""
    folder = swagger_files()

    @app.get("/api/docs", include_in_schema=False)
    async def page() -> HTMLResponse:
        return HTMLResponse(_ABSENT if folder is None else _PAGE)

    @app.get("/api/docs/start.js", include_in_schema=False)
    async def start() -> Response:
        return Response(_START, media_type="text/javascript")

    @app.get("/api/docs/{name}", include_in_schema=False)
    async def file(name: str) -> FileResponse:
        if folder is None or name not in _FILES:
            raise HTTPException(404)
        return FileResponse(folder / name, media_type=_FILES[name])


def swagger_files() -> Path | None:
    """Where the files of Swagger UI are: fastapi-offline brings them."""
    found = find_spec("fastapi_offline")
    folder = Path(found.origin).parent / "static" if found and found.origin else None
    return folder if folder and all((folder / name).exists() for name in _FILES) else None
