"""The server: the application that serves one classifier."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastapi import FastAPI

from reasons.budget import Budget
from reasons.classifier import Classifier
from reasons.server.dataset import UserRows
from reasons.server.errors import handle_errors
from reasons.server.executor import Work
from reasons.server.middleware import Guard
from reasons.server.openapi import describe
from reasons.server.settings import Limits
from reasons.server.static_files import Page
from reasons.server.swagger import serve_docs
from reasons.views.default_instance import first_instance
from reasons.views.values import Object, instance_view, require_utf8, utf8

STATIC = Path(__file__).parent / "static"


@dataclass(frozen=True)
class Served:
    """What a server serves."""

    classifier: Classifier
    name: str
    protected: tuple[str, ...]
    rows: UserRows | None
    limits: Limits
    work: Work
    first: Object

    def within(self, budget: Budget) -> Classifier:
        """The classifier for one request: no search takes more than a quarter of its time."""
        return self.classifier.within(budget, self.limits.seconds / 4)


def app_of(
    classifier: Classifier,
    *,
    rows: Any = None,
    protected: Iterable[str] = (),
    name: str = "classifier",
    limits: Limits | None = None,
    hosts: Iterable[str] = (),
) -> FastAPI:
    """The application that answers questions about one classifier.

    `rows` are a frame or files of the user's instances, `protected` the features that the page
    protects at first, `hosts` the host names that are allowed besides those of this machine.
    """
    from reasons.server.routes import TAGS, api_router

    limits = limits or Limits()
    chosen = [classifier.schema[i].name for i in classifier.schema.indices(protected)]
    require_utf8(classifier)
    kept = None if rows is None else UserRows(classifier, rows, limits.rows)
    first = _first(classifier, kept, limits)
    served = Served(classifier, utf8(name), tuple(chosen), kept, limits, Work(limits), first)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        served.work.close()

    app = FastAPI(
        title="reasons",
        version="1",
        summary="Why a classifier decided what it decided.",
        openapi_url="/api/v1/openapi.json",
        openapi_tags=TAGS,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        redirect_slashes=False,
    )
    app.state.work, app.state.rows = served.work, kept
    handle_errors(app, limits)
    page = Page(STATIC, _model_json(served))
    app.add_middleware(Guard, hosts=tuple(hosts), limits=limits, styles=page.styles)
    app.include_router(api_router(served), prefix="/api/v1")
    describe(app, classifier, first["instance"])
    serve_docs(app)
    app.router.default = page  # last; a mount would answer methods that a route lacks
    return app


def _first(classifier: Classifier, rows: UserRows | None, limits: Limits) -> Object:
    """The first case of the page: the first row that can be decided, or a default instance."""
    row = None if rows is None else rows.first_possible()
    if rows is not None and row is not None:
        return {"row": row, "instance": instance_view(rows.instance(row))}
    hurried = classifier.within(Budget(seconds=limits.seconds), limits.seconds)
    return {"row": None, "instance": instance_view(first_instance(hurried))}


def _model_json(served: Served) -> str:
    """The model as JSON, which is part of the page's first file."""
    from reasons.server.routes import model_view
    from reasons.server.schemas import Model

    return Model.model_validate(model_view(served)).model_dump_json()
