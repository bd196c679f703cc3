"""Graphs of the API: what they draw is what the classifier and its reasons say."""

import itertools
from typing import Any

import pytest

from tests.support.server.classifiers import MODELS, everything, formula, wide
from tests.support.server.client import client_of, post


def follow(graph: Any, node: str, cells: dict[str, int], arms: dict[Any, set[int]]) -> bool | str:
    """What a graph says of an instance: a brute-force walk over the answer itself."""
    at = next(n for n in graph["nodes"] if n["id"] == node)
    out = [e for e in graph["edges"] if e["from"] == node]
    if at["kind"] == "decision":
        taken = [e for e in out if cells[at["feature"]] in arms[at["feature"], e["text"]]]
        assert len(taken) == 1
        return follow(graph, taken[0]["to"], cells, arms)
    if at["kind"] in ("and", "or"):
        parts = [follow(graph, e["to"], cells, arms) in (True, "True") for e in out]
        return all(parts) if at["kind"] == "and" else any(parts)
    if at["kind"] == "literal":
        return cells[at["feature"]] in at["cells"]
    constants: dict[str, bool | str] = {"true": True, "false": False}
    return constants.get(at["kind"], str(at["text"]))


@pytest.mark.parametrize("name", ["formula", "loans", "constraint", "clauses"])
def test_the_graph_decides_every_instance_as_the_classifier_does(name: str) -> None:
    from reasons.views.graph import arm_text

    make, _ = MODELS[name]
    classifier = make()
    graph = post(client_of(classifier), "graph")
    names = classifier.schema.names
    arms = {
        (feature.name, arm_text(feature, cells)): set(cells)
        for feature in classifier.features
        for size in range(1, len(feature.values) + 1)
        for cells in itertools.combinations(range(len(feature.values)), size)
    }
    for cells in everything(classifier):
        label = classifier.backend.decide(cells)
        said = follow(graph, graph["root"], dict(zip(names, cells, strict=True)), arms)
        possible = label < len(classifier.labels)
        assert str(said) == (str(classifier.labels[label]) if possible else "impossible")


@pytest.mark.parametrize("name", ["formula", "loans", "constraint", "clauses"])
def test_the_drawn_reason_is_the_reason(name: str) -> None:
    make, instance = MODELS[name]
    classifier = make()
    client, decision = client_of(classifier), classifier.decide(instance)
    graph = post(client, "graph", what="reason", instance=instance)
    names = classifier.schema.names
    for cells in everything(classifier):
        there = dict(zip(names, cells, strict=True))
        raw = [f.raw(cell) for f, cell in zip(classifier.features, cells, strict=True)]
        assert follow(graph, graph["root"], there, {}) == decision.reason.evaluate(raw)


def test_the_parts_of_a_reason_are_true_as_a_change_makes_them() -> None:
    client, instance = client_of(formula()), MODELS["formula"][1]
    graph = post(client, "graph", what="reason", instance=instance, change={"G": False})
    true = {node["text"]: node["true"] for node in graph["nodes"]}
    assert true == {"and": True, "or": True, "E": True, "G": False, "R": True}
    graph = post(client, "graph", what="reason", instance=instance, change={"G": False, "R": False})
    true = {node["text"]: node["true"] for node in graph["nodes"]}
    assert true == {"and": False, "or": False, "E": True, "G": False, "R": False}


def test_the_way_of_an_instance_is_marked_down_to_its_label(asked: Any) -> None:
    client, classifier, instance = asked
    if classifier.method == "search":
        assert post(client, "graph", 409)["error"]["kind"] == "PropertyError"
        return
    graph = post(client, "graph", instance=instance)
    lit = {node["id"] for node in graph["nodes"] if node["on_path"]}
    assert graph["root"] in lit
    for edge in graph["edges"]:
        if edge["on_path"]:
            assert {edge["from"], edge["to"]} <= lit
    leaves = {n["text"] for n in graph["nodes"] if n["on_path"] and n["kind"] == "leaf"}
    assert str(classifier.decide(instance).label) in leaves


def test_a_large_graph_opens_as_the_way_and_its_neighbours_and_expands_to_all_of_it() -> None:
    classifier = wide()
    client = client_of(classifier)
    instance = dict.fromkeys(classifier.schema.names, False) | {"x3": True}
    first = post(client, "graph", instance=instance)
    assert len(first["nodes"]) < 100
    assert first["total"] == len(classifier.circuit)
    lit = [node for node in first["nodes"] if node["on_path"]]
    assert all(node["hidden_children"] == 0 for node in lit)
    opened = [n["id"] for n in first["nodes"] if n["hidden_children"]]
    more = post(client, "graph", instance=instance, expand=opened[:3])
    assert {n["id"] for n in first["nodes"]} < {n["id"] for n in more["nodes"]}
    hidden = {n["id"]: n["hidden_children"] for n in more["nodes"]}
    assert not any(hidden[number] for number in opened[:3])
    whole = post(client, "graph", all=True)
    assert len(whole["nodes"]) == first["total"]
    assert not any(node["hidden_children"] for node in whole["nodes"])
    assert len(post(client, "graph")["nodes"]) == 100


def test_every_edge_of_a_graph_has_its_ends_and_hidden_ones_are_counted() -> None:
    classifier = wide()
    circuit = classifier.circuit
    graph = post(client_of(classifier), "graph")
    shown = {node["id"] for node in graph["nodes"]}
    for edge in graph["edges"]:
        assert {edge["from"], edge["to"]} <= shown
    for node in graph["nodes"]:
        arms = getattr(circuit[int(node["id"])], "arms", ())
        children = {str(arm.node) for arm in arms}
        assert node["hidden_children"] == len(children - shown)
