"""The routes of the API: each reads a request, runs one query, and returns its view."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request

from reasons import __version__
from reasons.audit.audit import Audit
from reasons.budget import Budget
from reasons.decision import Decision
from reasons.errors import InputError
from reasons.explain.overview import bias_overview, overview
from reasons.features.schema import Schema
from reasons.server import audit_schemas, schemas
from reasons.server.audits import Audits, RowFilter, audited, shown
from reasons.server.dataset import UserRows, row_view
from reasons.server.json_body import StrictRoute
from reasons.views import decision as decision_views
from reasons.views.audit import summary_view
from reasons.views.bias import bias_view
from reasons.views.classifier import classifier_view
from reasons.views.graph import classifier_graph, reason_graph
from reasons.views.values import (
    Object,
    Plain,
    instance_read,
    json_value,
    raw_values,
)

if TYPE_CHECKING:
    from reasons.server.app import Served

_ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": schemas.Error, "description": text}
    for status, text in {
        400: "A value of the request is invalid.",
        408: "The request was not received in time.",
        409: "The model does not support this query.",
        413: "The body is too large.",
        415: "The body is not declared as JSON, or is compressed.",
        421: "The Host header names a host that is not allowed.",
        422: "The request does not match the schema.",
        503: "A limit was reached: time, memory, or concurrent requests.",
    }.items()
}
_NOT_FOUND: dict[int | str, dict[str, Any]] = {
    404: {"model": schemas.Error, "description": "Not found."}
}


TAGS = [
    {"name": "model", "description": "The served model and your rows."},
    {"name": "decisions", "description": "Queries about the decision on one instance."},
    {"name": "audits", "description": "Queries about many rows."},
]


def api_router(served: "Served") -> APIRouter:
    """The routes of the API."""
    router = APIRouter(route_class=StrictRoute, responses=_ERRORS)
    for tag, added in (("model", _model), ("decisions", _decisions), ("audits", _audits)):
        part = APIRouter(route_class=StrictRoute, tags=[tag])
        added(part, served)
        router.include_router(part)
    return router


def _model(router: APIRouter, served: "Served") -> None:
    """The served model and the user's rows."""
    limits = served.limits

    @router.get("/model", response_model=schemas.Model)
    async def model() -> Object:
        """The features with their values, the labels, the limits."""
        return model_view(served)

    @router.get("/rows", response_model=schemas.Rows, responses=_NOT_FOUND)
    async def rows(
        request: Request,
        start: Annotated[int, Query(ge=0, le=2**53)] = 0,
        count: Annotated[int, Query(ge=0, le=limits.page)] = 50,
    ) -> Object:
        """Some of the user's rows, with their labels."""
        kept = _rows(served)
        return await served.work.run(request, lambda _: kept.page(start, count))

    @router.get("/rows/{row}", response_model=schemas.Row, responses=_NOT_FOUND)
    async def row(row: int) -> Object:
        """One of the user's rows."""
        kept = _rows(served)
        if not 0 <= row < len(kept):
            raise HTTPException(404, f"there is no row {row}")
        return kept.shown(row)


def model_view(served: "Served") -> Object:
    """The served model; the page receives it with its first file."""
    found = classifier_view(served.classifier)
    rows = served.rows
    return {
        "api": 1,
        "version": __version__,
        "name": served.name,
        "protected": list(served.protected),
        "rows": None if rows is None else len(rows),
        "first": served.first,
        "limits": {name: getattr(served.limits, name) for name in schemas.Bounds.model_fields},
        **found,
        "notes": [*found["notes"], *([rows.note] if rows is not None and rows.more else [])],
    }


def _rows(served: "Served") -> UserRows:
    if served.rows is None:
        raise HTTPException(404, "this server has no rows; start it with --data")
    return served.rows


def _decisions(router: APIRouter, served: "Served") -> None:
    """Queries about decisions."""
    classifier, run = served.classifier, served.work.run

    def decision(instance: schemas.Instance, budget: Budget | None = None) -> Decision:
        asked = classifier if budget is None else served.within(budget)
        return asked.decide(instance_read(classifier.schema, instance))

    @router.post("/decide", response_model=schemas.Decided)
    async def decide(asked: schemas.Decide) -> Object:
        """The decision on an instance."""
        return decision_views.decision_view(decision(asked.instance))

    @router.post("/cells", response_model=schemas.Cells)
    async def cells(asked: schemas.Decide) -> Object:
        """The cell of each value of an instance, also of one that cannot be decided."""
        return cells_view(classifier.schema, asked.instance)

    @router.post("/decide/many", response_model=schemas.DecidedMany)
    async def decide_many(request: Request, asked: schemas.DecideMany) -> Object:
        """The labels of several instances."""

        def labels(budget: Budget) -> Object:
            found = []
            for number, instance in enumerate(asked.instances):
                budget.check("deciding")
                try:
                    found.append(json_value(decision(instance).label))
                except InputError as error:
                    raise InputError(f"instance {number}: {error}") from None
            return {"labels": found}

        return await run(request, labels)

    @router.post("/explain", response_model=schemas.Explained)
    async def explain(request: Request, asked: schemas.Explain) -> Object:
        """The decision on an instance, and why."""

        def why(budget: Budget) -> Object:
            one = decision(asked.instance, budget)
            found = overview(one, asked.protected, asked.limit, budget, immutable=asked.immutable)
            view = decision_views.overview_view(found, budget)
            if found.exceeded:
                seconds = f"{served.limits.seconds:g} seconds"
                hint = f"a request has {seconds} here: more with --seconds"
                view["notes"].append({"part": None, "text": hint})
            return view

        return await run(request, why)

    @router.post("/even-if", response_model=schemas.Sticks)
    async def even_if(request: Request, asked: schemas.EvenIf) -> Object:
        """Whether the decision stays the same after a change, and why."""
        return await run(
            request,
            lambda budget: decision_views.even_if(
                decision(asked.instance, budget), asked.change, budget
            ),
        )

    @router.post("/bias", response_model=schemas.Bias)
    async def bias(request: Request, asked: schemas.AskBias) -> Object:
        """Whether a decision, and whether any decision, depends on protected features."""

        def verdict(budget: Budget) -> Object:
            one = None if asked.instance is None else decision(asked.instance, budget)
            limited = served.within(budget)
            return bias_view(limited, bias_overview(limited, one, asked.protected, budget))

        return await run(request, verdict)

    @router.post("/graph", response_model=schemas.Graph)
    async def graph(request: Request, asked: schemas.AskGraph) -> Object:
        """The classifier's graph with the instance's path marked, or a decision's reason."""

        def drawn(budget: Budget) -> Object:
            one = None if asked.instance is None else decision(asked.instance, budget)
            wanted = asked.expand, asked.all, budget
            if asked.what == "classifier":
                cells = None if one is None else one.instance.cells
                return classifier_graph(served.within(budget).circuit, cells, *wanted)
            if one is None:
                raise InputError("a reason belongs to a decision: send an instance")
            change = raw_values(classifier.schema, asked.change)
            after = one.replace(change).instance.cells if change else None
            return reason_graph(one.reason, after, *wanted)

        return await run(request, drawn)


def cells_view(schema: Schema, values: Mapping[str, Plain]) -> Object:
    """The cell of each value; None, and the problem, where it has none.

    >>> from reasons import Feature
    >>> schema = Schema([Feature.numeric("age", [25], within=(18, 90)), Feature.boolean("home")])
    >>> cells_view(schema, {"age": 40, "home": True})
    {'instance': {'age': 40, 'home': True}, 'cells': [1, 1], 'problems': {}}
    >>> cells_view(schema, {"age": 4, "home": True})["cells"]
    [None, 1]
    """
    raw = raw_values(schema, values)
    cells: list[int | None] = []
    problems: dict[str, str] = {}
    for feature in schema:
        try:
            if feature.name not in raw:
                raise InputError("the instance lacks a value for: {name}", name=feature.name)
            cells.append(feature.cell(raw[feature.name]))
        except InputError as error:
            cells.append(None)
            problems[feature.name] = str(error)
    return {"instance": dict(values), "cells": cells, "problems": problems}


def _audits(router: APIRouter, served: "Served") -> None:
    """Audits of many rows."""
    run, limits = served.work.run, served.limits
    kept = Audits(limits.audits, limits.audits_bytes)

    def found(key: str) -> Audit:
        made = kept.get(key)
        if made is None:
            raise HTTPException(404, "there is no such audit: only the latest are kept")
        return made

    @router.post("/audit", response_model=audit_schemas.Audited, responses=_NOT_FOUND)
    async def audit(request: Request, asked: audit_schemas.AskAudit) -> Object:
        """Audit the server's rows, or the rows of the request."""
        data = _rows(served).table if asked.data == "rows" else asked.data
        if len(data) > limits.rows:
            raise HTTPException(
                413, f"an audit on this server may have at most {limits.rows:,} rows"
            )

        def made(budget: Budget) -> Object:
            verdicts = audited(
                served.within(budget), data, asked.protected, asked.ask, asked.favourable, budget
            )
            summary = summary_view(verdicts.summary)
            return {"id": kept.add(verdicts), "rows": len(verdicts), "summary": summary}

        return await run(request, made, limits.audit_seconds)

    @router.get("/audit/{key}/rows", response_model=audit_schemas.AuditRows, responses=_NOT_FOUND)
    async def rows(
        request: Request,
        key: str,
        start: Annotated[int, Query(ge=0, le=2**53)] = 0,
        count: Annotated[int, Query(ge=0, le=limits.page)] = 50,
        label: str | None = None,
        biased: bool | None = None,
        feature: str | None = None,
    ) -> Object:
        """Verdicts of an audit, filtered by label, bias or feature."""
        made, wanted = found(key), RowFilter(label, biased, feature)
        return await run(request, lambda _: shown(made, wanted, start, count))

    @router.get("/audit/{key}/rows/{row}", response_model=schemas.Row, responses=_NOT_FOUND)
    async def row(key: str, row: int) -> Object:
        """One row of the audited data as an instance."""
        made = found(key)
        if not 0 <= row < len(made):
            raise HTTPException(404, f"there is no row {row}")
        return row_view(row, lambda: made.decision(row))
