"""The tests of the API can fail: each planted error is seen by the test that is named."""

from collections.abc import Callable
from typing import Any

import pytest

from reasons.explain import overview
from reasons.server import audits
from reasons.views import bias, decision, values
from reasons.views import graph as graphs
from tests.support.server.classifiers import MODELS, loans
from tests.support.server.client import client_of
from tests.unit.server import test_api as api
from tests.unit.server import test_audits as audit
from tests.unit.server import test_graphs as drawings

Plant = tuple[Any, str, Callable[[Any], Any]]


def changed(**new: Any) -> Callable[[Any], Any]:
    """A function whose answer has other fields."""
    return lambda plain: lambda *a, **k: {**plain(*a, **k), **new}


def turned(edge_view: Any) -> Any:
    return lambda edge: {**(view := edge_view(edge)), "from": view["to"], "to": view["from"]}


PLANTS: dict[str, tuple[Plant, Callable[[], None]]] = {
    "an edge of the graph is lost": (
        (graphs, "node_edges", lambda plain: lambda *a: plain(*a)[1:]),
        lambda: drawings.test_the_graph_decides_every_instance_as_the_classifier_does("loans"),
    ),
    "edges go the wrong way": (
        (graphs, "_edge_view", turned),
        lambda: drawings.test_the_graph_decides_every_instance_as_the_classifier_does("formula"),
    ),
    "a literal says it is true of every cell": (
        (graphs, "_reason_node", lambda plain: lambda *a: {**plain(*a), "cells": [0, 1, 2, 3]}),
        lambda: drawings.test_the_drawn_reason_is_the_reason("loans"),
    ),
    "every decision sticks": (
        (decision, "even_if", changed(sticks=True)),
        lambda: api.test_even_if_agrees_with_brute_force_for_every_change_of_one_feature("loans"),
    ),
    "nothing is because of anything": (
        (decision, "even_if", changed(because=[])),
        lambda: api.test_even_if_agrees_with_brute_force_for_every_change_of_one_feature(
            "constraint"
        ),
    ),
    "no decision is biased": (
        (bias, "_decision", changed(biased=False)),
        lambda: api.test_biases_carry_witnesses_that_are_decided_otherwise(asked("loans")),
    ),
    "the classifier's pair is one instance twice": (
        (bias, "_classifier", lambda plain: lambda *a: twice(plain(*a))),
        lambda: api.test_biases_carry_witnesses_that_are_decided_otherwise(asked("formula")),
    ),
    "a reason is left out": (
        (overview, "islice", lambda plain: lambda terms, most: plain(terms, 1, most)),
        lambda: api.test_explanations_are_those_of_the_package(asked("formula")),
    ),
    "texts are not read back": (
        (values, "raw_value", lambda _: lambda feature, given: given),
        api.test_hostile_names_values_and_labels_come_back_as_they_are,
    ),
    "a filter keeps everything": (
        (audits, "_mentioning", lambda _: lambda made, table, name: list(range(table.num_rows))),
        lambda: audit.test_filters_agree_with_a_loop_over_the_rows(
            client_of(loans(), rows=audit.ROWS)
        ),
    ),
}


def asked(name: str) -> Any:
    make, instance = MODELS[name]
    classifier = make()
    return client_of(classifier), classifier, instance


def twice(verdict: Any) -> Any:
    pair = verdict["pair"]
    return {**verdict, "pair": pair and [pair[0], pair[0]]}


@pytest.mark.parametrize("name", PLANTS)
def test_a_planted_error_is_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (module, function, planted), check = PLANTS[name]
    check()
    monkeypatch.setattr(module, function, planted(getattr(module, function)))
    with pytest.raises((AssertionError, StopIteration)):
        check()
