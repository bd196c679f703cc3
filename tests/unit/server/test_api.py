"""The API: its answers are those of the package, its errors have one shape, nothing is let in."""

import asyncio
import itertools
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient

import reasons
from reasons import Classifier, Decision, Feature
from reasons.features.values import Interval
from reasons.server.app import app_of
from reasons.server.settings import Limits
from reasons.server.static_files import style_hashes
from reasons.views.values import instance_view, json_value
from tests.support.server.classifiers import HOSTILE, MODELS, formula, hostile, loans
from tests.support.server.client import assert_guarded, client_of, is_error, post

JSON = {"content-type": "application/json"}


@pytest.fixture(scope="module", params=MODELS)
def asked(request: pytest.FixtureRequest) -> Iterator[tuple[TestClient, Classifier, Any]]:
    make, instance = MODELS[request.param]
    classifier = make()
    with client_of(classifier) as client:
        yield client, classifier, instance


def texts(terms: Any) -> list[str]:
    return [term["text"] for term in terms]


# Answers


def test_the_model_lists_features_whose_raw_values_fall_into_their_cells(asked: Any) -> None:
    client, classifier, _ = asked
    found = client.get("/api/v1/model").json()
    assert found["method"] == classifier.method
    assert found["label_texts"] == [str(label) for label in classifier.labels]
    for told, feature in zip(found["features"], classifier.features, strict=True):
        assert (told["name"], told["kind"]) == (feature.name, feature.kind)
        assert [value["says"] for value in told["values"]] == [
            feature.says((cell,)) for cell in range(len(feature.values))
        ]
        assert [feature.cell(value["raw"]) for value in told["values"]] == list(
            range(len(feature.values))
        )


def test_decisions_are_those_of_the_package(asked: Any) -> None:
    client, classifier, instance = asked
    decision = classifier.decide(instance)
    found = post(client, "decide", instance=instance)
    assert found["label"] == json_value(decision.label)
    assert found["label_text"] == str(decision.label)
    assert found["instance"] == instance
    assert tuple(found["cells"]) == decision.instance.cells
    assert ", ".join(c["text"] for c in found["characteristics"]) == str(decision.cells)
    many = post(client, "decide/many", instances=[instance, found["instance"]])
    assert many["labels"] == [found["label"]] * 2


def test_explanations_are_those_of_the_package(asked: Any) -> None:
    client, classifier, instance = asked
    decision = classifier.decide(instance)
    protected = [classifier.features[-1].name]
    found = post(client, "explain", instance=instance, protected=protected, limit=3)
    assert found["necessary"]["text"] == str(decision.necessary_property)
    reason = found["necessary_reason"]
    assert (reason and reason["text"]) == (
        None if decision.necessary_reason is None else str(decision.necessary_reason)
    )
    assert found["sentences"] == decision.statements(protected=protected)
    assert found["bias"] == post(client, "bias", instance=instance, protected=protected)
    change = decision.counterfactual()
    assert change is not None
    assert len(found["changes"][0]["changed"]) == change.cost
    for flipped in found["changes"]:
        assert post(client, "decide", instance=flipped["instance"])["label"] == flipped["label"]
        assert flipped["label"] != found["label"]
    if classifier.method == "search":
        assert found["complete_reason"] is None
        assert "answered by search" in found["notes"][0]["text"]
        assert found["notes"][0]["part"] == found["unanswered"][0] == "complete_reason"
        return
    assert found["notes"] == []
    assert found["complete_reason"]["text"] == str(decision.reason)
    for told, terms in (
        (found["sufficient_reasons"], decision.sufficient_reasons()),
        (found["contrastive_sets"], decision.contrastive_sets()),
    ):
        assert told["count"] == str(terms.count())
        assert texts(told["shown"]) == [str(term) for term in itertools.islice(terms, 3)]
        shares = {share["feature"]: share["share"] for share in told["shares"]}
        assert shares == {name: share for name, share in terms.share().items() if share}


def test_the_widened_reason_forces_the_label_and_goes_no_further() -> None:
    classifier = loans()
    client, features = client_of(classifier), classifier.features
    cells = list(itertools.product(*(range(len(f.values)) for f in features)))
    labels = {each: classifier.labels[classifier.backend.decide(each)] for each in cells}
    for own in cells:
        instance = {f.name: json_value(f.raw(cell)) for f, cell in zip(features, own, strict=True)}
        instance = {k: "other one" if v == "<other>" else v for k, v in instance.items()}
        found = post(client, "explain", instance=instance)
        box = [set(range(len(feature.values))) for feature in features]
        for one in found["widened"]["characteristics"]:
            index = classifier.schema.index(one["feature"])
            assert one["cell"] == own[index]
            box[index] = said(features[index], one["text"])
        assert {labels[each] for each in itertools.product(*box)} == {labels[own]}
        for index, inside in enumerate(box):
            for more in candidates(features[index], own[index]) - inside:
                is_number = isinstance(features[index].values[own[index]], Interval)
                if is_number and {more - 1, more + 1}.isdisjoint(inside):
                    continue  # would leave a gap in the interval
                wider = [{more} if i == index else each for i, each in enumerate(box)]
                assert {labels[each] for each in itertools.product(*wider)} != {labels[own]}
        ordinary = [one["text"] for one in found["widened"]["characteristics"]]
        ordinary = [text for text in ordinary if "<" not in text.replace("<=", "")]
        assert all(text in found["sentences"][0] for text in ordinary)


def candidates(feature: Feature, own: int) -> set[int]:
    """The cells that a value can be widened to: those of numbers for a number, else all."""
    number = isinstance(feature.values[own], Interval)
    return {c for c, v in enumerate(feature.values) if not number or isinstance(v, Interval)}


def said(feature: Feature, text: str) -> set[int]:
    """The cells that a characteristic's text means, found by writing every set of cells."""
    every = range(len(feature.values))
    sets = (s for size in every for s in itertools.combinations(every, size) if s)
    return next(set(cells) for cells in sets if feature.says(cells) == text)


def test_a_model_of_yes_and_no_has_no_widened_reason_and_no_note_about_it() -> None:
    found = post(client_of(MODELS["formula"][0]()), "explain", instance=MODELS["formula"][1])
    assert found["widened"] is None
    assert found["notes"] == []


def test_reasons_of_a_searched_model_suffice_and_are_minimal() -> None:
    make, instance = MODELS["forest"]
    client, decision = client_of(make()), make().decide(instance)
    found = post(client, "explain", instance=instance)
    shown = found["sufficient_reasons"]["shown"]
    every = [str(term) for term in decision.each_sufficient_reason()]
    assert found["sufficient_reasons"]["count"] == str(len(every))
    assert sorted(texts(shown)) == sorted(every)
    few = post(client, "explain", instance=instance, limit=1)["sufficient_reasons"]
    assert len(few["shown"]) == 1
    assert (few["count"] is None) == (len(every) > 1)
    assert few["count"] or "not all of them" in few["note"]


def test_one_change_to_each_other_label_is_shown() -> None:
    found = post(client_of(loans()), "explain", instance=MODELS["loans"][1])
    assert {change["label"] for change in found["changes"]} == {"refuse", "grant"}


@pytest.mark.parametrize("name", ["formula", "loans", "constraint", "clauses"])
def test_even_if_agrees_with_brute_force_for_every_change_of_one_feature(name: str) -> None:
    make, instance = MODELS[name]
    classifier = make()
    client, decision = client_of(classifier), classifier.decide(instance)
    for index, feature in enumerate(classifier.features):
        for cell in range(len(feature.values)):
            if cell == decision.instance.cells[index]:
                continue
            change = {feature.name: json_value(feature.raw(cell))}
            changed = decision._after(index, cell)
            if changed is None:
                assert post(client, "even-if", 400, instance=instance, change=change)["error"]
                continue
            found = post(client, "even-if", instance=instance, change=change)
            assert found["sticks"] == (changed.label == decision.label)
            assert (found["before"], found["after"]) == (decision.label, changed.label)
            unchanged = [
                str(term) for term in changed.sufficient_reasons() if feature.name not in term
            ]
            assert bool(found["because"]) == bool(found["sticks"] and unchanged)
            assert set(texts(found["because"])) <= set(unchanged)


def test_the_sentence_of_a_change_says_what_the_package_says() -> None:
    client, instance = client_of(formula()), MODELS["formula"][1]

    def said(**change: bool) -> Any:
        return post(client, "even-if", instance=instance, change=change)["sentence"]

    still = "The decision would still be True even if "
    assert said(G=False) == f"{still}G were false, because E and R."
    assert said(E=False) == "The decision would be False if E were false."
    assert said(W=True) == f"{still}W were true, because E and G (not the only reason)."


def test_biases_carry_witnesses_that_are_decided_otherwise(asked: Any) -> None:
    client, classifier, instance = asked
    for name in classifier.schema.names:
        found = post(client, "bias", instance=instance, protected=[name])
        decision = classifier.decide(instance)
        assert found["decision"]["biased"] == bool(decision.bias(name))
        assert found["classifier"]["biased"] == bool(classifier.bias(name))
        if found["decision"]["biased"]:
            witness = found["decision"]["witness"]
            assert {n for n in witness if witness[n] != instance[n]} == {name}
            label = post(client, "decide", instance=witness)["label"]
            assert label == found["decision"]["witness_label"] != json_value(decision.label)
        if found["classifier"]["biased"]:
            one, other = found["classifier"]["pair"]
            assert {n for n in one if one[n] != other[n]} == {name}
            assert len(set(found["classifier"]["labels"])) == 2


# Graphs


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


def everything(classifier: Classifier) -> Iterator[tuple[int, ...]]:
    return itertools.product(*(range(len(f.values)) for f in classifier.features))


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


def wide() -> Classifier:
    """A circuit of some thousand nodes: terms drawn at random."""
    rng = random.Random(0)
    names = [f"x{i}" for i in range(22)]
    terms = ([rng.choice("~ ") + name for name in rng.sample(names, 5)] for _ in range(30))
    found = reasons.compile(" | ".join(f"({' & '.join(term)})" for term in terms))
    assert 1_000 < len(found.circuit) < 5_000
    return found


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


# Values


def test_hostile_names_values_and_labels_come_back_as_they_are() -> None:
    classifier = hostile()
    client = client_of(classifier, name=HOSTILE)
    model = client.get("/api/v1/model").json()
    assert model["name"] == HOSTILE
    assert model["labels"] == model["label_texts"] == [HOSTILE, "(3, 4)"]
    kind, flag = model["features"]
    raws = [value["raw"] for value in kind["values"]]
    assert raws == [HOSTILE, "(1, 2)", str(2**60), "inf", 1.5, None, ""]
    for cell, raw in enumerate(raws):
        instance = {kind["name"]: raw, flag["name"]: False}
        found = post(client, "decide", instance=instance)
        assert found["cells"] == [cell, 0]
        assert found["instance"] == instance
        assert found["label"] == ("(3, 4)" if cell % 2 == 0 else HOSTILE)


def test_numbers_that_json_does_not_hold_are_texts_and_are_read_back() -> None:
    classifier = loans()
    client = client_of(classifier)
    for raw, cell in ((float("inf"), 2), (float("-inf"), 0), (2**70, 2), (None, 3)):
        told = instance_view(classifier.decide({"age": raw, "job": "clerk", "home": 1}).instance)
        assert told["age"] == (None if raw is None else str(raw))
        assert post(client, "decide", instance=told)["cells"][0] == cell


def test_numpy_values_and_labels_are_plain_in_answers() -> None:
    import numpy
    import pandas

    frame = pandas.DataFrame({"age": numpy.array([33, 70]), "job": ["clerk", "smith"]})
    frame["home"] = numpy.array([True, False])
    found = client_of(loans(), rows=frame).get("/api/v1/rows").json()
    assert found["rows"][0]["instance"] == {"age": 33, "job": "clerk", "home": True}
    assert [row["label"] for row in found["rows"]] == ["grant", "ask"]


def one_feature(feature: reasons.Feature, **options: Any) -> reasons.Classifier:
    build = reasons.Builder([feature], ["no", "yes"], **options)
    yes, no = build.leaf("yes"), build.leaf("no")
    return build.build(build.decide(feature.name, {True: yes, False: no}))


HALF = "a\ud800"


@pytest.mark.parametrize(
    "clf",
    [
        one_feature(reasons.Feature.boolean(HALF)),
        one_feature(reasons.Feature.boolean("E", phrases={True: HALF, False: "x"})),
        one_feature(reasons.Feature.boolean("E", phrases={True: "x", False: ("y", HALF)})),
        one_feature(reasons.Feature.boolean("E"), wording=reasons.Wording(HALF)),
        one_feature(reasons.Feature.boolean("E"), wording=reasons.Wording("x", HALF)),
        one_feature(
            reasons.Feature.boolean("E"), wording=reasons.Wording("x", "", {"yes": ("is", HALF)})
        ),
    ],
)
def test_half_characters_are_refused_before_anything_is_served(clf: reasons.Classifier) -> None:
    with pytest.raises(reasons.InputError, match="half a character"):
        app_of(clf)


def test_a_name_with_half_a_character_is_served_without_it() -> None:
    client = client_of(one_feature(reasons.Feature.boolean("E")), name="m\udcff.reasons")
    assert client.get("/api/v1/model").json()["name"] == "m?.reasons"
    assert client.get("/").status_code == 200


# Rows


def test_rows_are_shown_with_labels_and_problems(tmp_path: Any) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("age,job,home,extra\n33,nurse,1,x\nold,nurse,0,y\n,clerk,0,z\n", "utf-8")
    client = client_of(loans(), rows=[str(path)])
    found = client.get("/api/v1/rows?count=10").json()
    assert (found["total"], found["columns"]) == (3, ["age", "job", "home"])
    good, bad, missing = found["rows"]
    assert (good["label"], good["instance"]) == ("grant", {"age": 33, "job": "nurse", "home": True})
    assert "'old'" in bad["problem"]
    assert missing["instance"]["age"] is None
    assert client.get("/api/v1/rows/0").json() == good
    assert client.get("/api/v1/rows/3").status_code == 404
    assert client.get("/api/v1/rows?start=3").json()["rows"] == []
    assert client.get("/api/v1/model").json()["rows"] == 3


def test_without_rows_there_are_none() -> None:
    answer = client_of(formula()).get("/api/v1/rows")
    assert answer.status_code == 404
    assert "--data" in answer.json()["error"]["message"]


def test_rows_beyond_the_limit_are_not_kept() -> None:
    rows = [{"a": True, "b": i % 2 == 0} for i in range(50)]
    app = client_of(reasons.compile("a & b"), rows=rows, limits=Limits(rows=20))
    assert app.get("/api/v1/rows?count=100").json()["total"] == 20
    assert app.get("/api/v1/model").json()["notes"] == [
        "20 rows: the first ones, more are not kept"
    ]
    just = client_of(reasons.compile("a & b"), rows=rows, limits=Limits(rows=50))
    assert just.get("/api/v1/model").json()["notes"] == []
    assert app.get("/api/v1/rows?count=201").status_code == 422


# The first case


def declared() -> Classifier:
    """Usual values are impossible here: true, the first category, the middle of the numbers."""
    age = reasons.Feature.numeric("age", cuts=[20, 40])
    job = reasons.Feature.categorical("job", ["clerk", "driver"])
    build = reasons.Builder([age, job, reasons.Feature.boolean("home")], ["no", "yes"])
    no, yes, never = build.leaf("no"), build.leaf("yes"), build.impossible()
    young, middle, old = age.values
    by_home = build.decide("home", {True: never, False: yes})
    by_job = build.decide("job", {"clerk": by_home, "driver": never})
    return build.build(build.decide("age", {young: no, middle: by_job, old: never}))


@pytest.mark.parametrize("name", MODELS)
def test_the_first_case_is_possible_and_an_example_in_the_description(name: str) -> None:
    client = client_of(MODELS[name][0]())
    first = client.get("/api/v1/model").json()["first"]
    assert first["row"] is None
    post(client, "decide", instance=first["instance"])
    told = client.get("/api/v1/openapi.json").json()["components"]["schemas"]["Decide"]
    assert told["properties"]["instance"]["examples"] == [first["instance"]]


def test_where_usual_values_are_impossible_the_nearest_possible_ones_are_first() -> None:
    classifier = declared()
    usual = (1, 0, 1)
    assert classifier.backend.decide(usual) > 1
    first = classifier.decide(first_of(classifier)).instance.cells

    def changes(cells: tuple[int, ...]) -> int:
        return sum(a != b for a, b in zip(cells, usual, strict=True))

    possible = [cells for cells in everything(classifier) if classifier.backend.decide(cells) < 2]
    assert changes(first) == min(map(changes, possible)) == 1


def test_the_first_row_that_is_possible_is_the_first_case() -> None:
    rows = [
        {"age": 30, "job": "clerk", "home": True},
        {"age": 30, "job": "painter", "home": False},
        {"age": 10, "job": "driver", "home": True},
        {"age": 30, "job": "clerk", "home": False},
    ]
    client = client_of(declared(), rows=rows)
    first = client.get("/api/v1/model").json()["first"]
    assert first == {"row": 2, "instance": rows[2]}
    none = client_of(declared(), rows=rows[:2]).get("/api/v1/model").json()["first"]
    assert none["row"] is None
    post(client, "decide", instance=none["instance"])


def test_a_searched_model_with_a_declared_domain_begins_with_a_possible_case() -> None:
    import numpy
    import pandas
    from sklearn.ensemble import RandomForestClassifier

    rng = numpy.random.default_rng(0)
    rows = pandas.DataFrame(rng.integers(0, 9, (200, 3)), columns=["a", "b", "c"])
    model = RandomForestClassifier(8, max_depth=3, random_state=0).fit(rows, rows.a > rows.b)
    found = reasons.compile(model, method="search", constraint="a < 1 and b < 1")
    assert found.method == "search"
    post(client_of(found), "decide", instance=first_of(found))


def first_of(classifier: Classifier) -> Any:
    return client_of(classifier).get("/api/v1/model").json()["first"]["instance"]


# Errors


@pytest.fixture(scope="module")
def client() -> TestClient:
    return client_of(formula())


@pytest.mark.parametrize(
    ("way", "body", "status", "kind"),
    [
        ("decide", {"instance": {"E": 1}}, 400, "InputError"),
        ("decide", {"instance": {"Q": 1}}, 400, "UnknownFeature"),
        ("decide", {"instance": {**MODELS["formula"][1], "E": "maybe"}}, 400, "InputError"),
        ("decide", {"instance": {**MODELS["formula"][1], "E": []}}, 422, "Malformed"),
        ("decide", {"instance": {}, "more": 1}, 422, "Malformed"),
        ("decide", [], 422, "Malformed"),
        ("decide", {}, 422, "Malformed"),
        ("explain", {"instance": MODELS["formula"][1], "limit": 201}, 422, "Malformed"),
        ("explain", {"instance": MODELS["formula"][1], "limit": -1}, 422, "Malformed"),
        (
            "explain",
            {"instance": MODELS["formula"][1], "protected": ["q"]},
            400,
            "UnknownFeature",
        ),
        ("bias", {"protected": []}, 422, "Malformed"),
        ("bias", {"protected": ["q"]}, 400, "UnknownFeature"),
        ("even-if", {"instance": MODELS["formula"][1], "change": {}}, 422, "Malformed"),
        ("even-if", {"instance": MODELS["formula"][1], "change": {"E": 1}}, 400, "InputError"),
        ("graph", {"what": "reason"}, 400, "InputError"),
        ("graph", {"what": "story"}, 422, "Malformed"),
        ("nothing", {}, 404, "NotFound"),
        ("model", {}, 405, "MethodNotAllowed"),
    ],
)
def test_errors_have_one_shape(
    client: TestClient, way: str, body: Any, status: int, kind: str
) -> None:
    is_error(client.post(f"/api/v1/{way}", json=body), status, kind)


def test_a_node_that_is_not_there_cannot_be_expanded() -> None:
    client = client_of(wide())
    for text in ("x", "-1", "99999999", "9" * 500, "1.5", "²"):
        is_error(client.post("/api/v1/graph", json={"expand": [text]}), 400, "InputError")


def test_a_number_of_thousands_of_digits_is_a_value_that_is_not_there() -> None:
    client = client_of(loans())
    body = b'{"instance": {"age": ' + b"9" * 4_000 + b', "job": "clerk", "home": true}}'
    is_error(client.post("/api/v1/decide", content=body, headers=JSON), 400, "InputError")


def test_a_parse_error_names_its_place() -> None:
    from reasons.server.errors import error_view

    with pytest.raises(reasons.ParseError) as caught:
        reasons.compile("a &\n& b")
    found = error_view(caught.value, Limits(), "")["error"]
    assert (found["kind"], found["line"], found["column"]) == ("ParseError", 2, 1)


def test_a_failure_of_our_own_is_told_without_details(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any) -> Any:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr("reasons.views.decision.decision_view", broken)
    answer = client.post("/api/v1/decide", json={"instance": MODELS["formula"][1]})
    assert "secret" not in is_error(answer, 500, "InternalError")
    assert "secret" in caplog.text


def test_changes_leave_immutable_features_as_they_are_and_are_the_smallest_such() -> None:
    classifier = loans()
    client, names = client_of(classifier), classifier.schema.names
    raw = [
        [feature.example(i) for i in range(len(feature.values))] for feature in classifier.features
    ]
    every = [
        classifier.decide(dict(zip(names, values, strict=True)))
        for values in itertools.product(*raw)
    ]
    one = every[len(every) // 2]
    told = {name: json_value(value) for name, value in one.instance.items()}
    least = {}
    for fixed in itertools.chain.from_iterable(itertools.combinations(names, n) for n in range(4)):
        found = post(client, "explain", instance=told, immutable=list(fixed))["changes"]
        smallest: dict[Any, int] = {}
        for other in every:
            apart = {
                f
                for f, (a, b) in enumerate(
                    zip(one.instance.cells, other.instance.cells, strict=True)
                )
                if a != b
            }
            if other.label != one.label and not apart & set(classifier.schema.indices(fixed)):
                smallest[other.label] = min(len(apart), smallest.get(other.label, len(apart)))
        assert {each["label"]: len(each["changed"]) for each in found} == smallest
        least[fixed] = smallest
    assert len({str(sorted(each.items())) for each in least.values()}) > 2
    is_error(
        client.post("/api/v1/explain", json={"instance": told, "immutable": ["Q"]}),
        400,
        "UnknownFeature",
    )


def test_the_built_page_is_served_and_hides_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "static").mkdir()
    (tmp_path / "static" / "index.html").write_text("<!doctype html><title>it</title>", "utf-8")
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    monkeypatch.setattr("reasons.server.app.STATIC", tmp_path / "static")
    client = client_of(formula())
    page = client.get("/")
    assert "<title>it</title>" in page.text
    assert_guarded(page)
    is_error(client.post("/api/v1/model"), 405, "MethodNotAllowed")
    for path in ("/api/v1/model/", "/none", "/../secret.txt", "/%2e%2e/secret.txt"):
        is_error(client.get(path), 404, "NotFound")
    is_error(client.post("/"), 405, "MethodNotAllowed")


def test_a_page_that_is_built_after_the_start_is_found_and_its_style_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reasons.server.app.STATIC", tmp_path / "static")
    client = client_of(formula())
    before = client.get("/")
    assert "make webapp" in before.text
    assert_guarded(before)
    is_error(client.get("/page.js"), 404, "NotFound")
    (tmp_path / "static").mkdir()
    built = "<!doctype html><style>p { color: red }</style><body></body>"
    (tmp_path / "static" / "index.html").write_text(built, "utf-8")
    after = client.get("/")
    assert '<script type="application/json" id="model">' in after.text
    (style,) = style_hashes(built)
    assert style in after.headers["content-security-policy"]
    assert style not in before.headers["content-security-policy"]
    is_error(client.get("/page.js"), 404, "NotFound")


def test_every_way_has_a_group_that_is_described_and_a_summary_of_its_own() -> None:
    found = client_of(formula()).get("/api/v1/openapi.json").json()
    told = [each for path in found["paths"].values() for each in path.values()]
    assert {tag for each in told for tag in each["tags"]} == {x["name"] for x in found["tags"]}
    assert all(x["description"] for x in found["tags"])
    summaries = [each["summary"] for each in told]
    assert "The decision on an instance, and why" in summaries
    assert len(set(summaries)) == len(told) > 10
    assert all(len(each["tags"]) == 1 and "422" in each["responses"] for each in told)


# Bounds


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("LOCALHOST:1", 200),
        ("127.0.0.1:8765", 200),
        ("[::1]:8765", 200),
        ("box.example:8765", 200),
        ("evil.example", 421),
        ("localhost.evil.example", 421),
        ("127.0.0.1.evil.example:8765", 421),
        ("localhost:8765@evil.example", 421),
        ("", 421),
        ("::1", 421),
        ("[::1]evil", 421),
    ],
)
def test_only_known_hosts_are_answered(host: str, status: int) -> None:
    client = client_of(formula(), hosts=["box.example"])
    answer = client.get("/api/v1/model", headers={"host": host})
    assert answer.status_code == status
    assert_guarded(answer)
    if status == 421:
        is_error(answer, 421, "WrongHost")


def test_two_hosts_are_none(client: TestClient) -> None:
    for pair in (("evil.example", "localhost"), ("localhost", "evil.example")):
        answer = client.get("/api/v1/model", headers=[("host", host) for host in pair])
        is_error(answer, 421, "WrongHost")


def test_every_answer_has_the_headers(client: TestClient) -> None:
    for path in ("/", "/api/v1/model", "/api/v1/openapi.json", "/api/docs", "/none", "/api/docs/x"):
        assert_guarded(client.get(path))
    assert_guarded(client.request("TRACE", "/api/v1/model"))
    assert client.get("/api/v1/model").headers["cache-control"] == "no-store"


def test_a_body_that_is_too_large_is_refused(client: TestClient) -> None:
    body = b'{"instance": {"E": "' + b"x" * (1 << 20) + b'"}}'
    is_error(client.post("/api/v1/decide", content=body, headers=JSON), 413, "TooLarge")


def test_a_body_without_a_length_is_counted_as_it_comes(client: TestClient) -> None:
    seen = 0

    def parts() -> Iterator[bytes]:
        nonlocal seen
        for _ in range(100):
            seen += 1
            yield b" " * (1 << 16)

    answer = client.post("/api/v1/decide", content=parts(), headers=JSON)
    assert "content-length" not in answer.request.headers
    is_error(answer, 413, "TooLarge")


@pytest.mark.parametrize("length", ["-1", "x", "1e3", "9" * 30])
def test_a_length_that_is_no_number_is_refused(client: TestClient, length: str) -> None:
    headers = {**JSON, "content-length": length}
    assert client.post("/api/v1/decide", content=b"{}", headers=headers).status_code == 413


def test_a_set_that_outgrows_its_budget_is_a_note_and_the_rest_is_answered() -> None:
    classifier = reasons.compile(" & ".join(f"(a{i} | b{i})" for i in range(30)))
    client = client_of(classifier, limits=Limits(nodes=10))
    instance = dict.fromkeys(classifier.schema.names, True)
    found = post(client, "explain", instance=instance)
    assert found["sufficient_reasons"]["count"] is None
    assert found["sufficient_reasons"]["shown"] == []
    assert "budget exceeded" in found["sufficient_reasons"]["note"]
    hint = "a request has 10 seconds here: more with --seconds"
    assert found["notes"][-1] == {"part": None, "text": hint}
    assert found["sentences"]
    text = found["complete_reason"]["text"]
    assert text == str(classifier.decide(instance).reason)
    assert text == " & ".join(f"(a{i} | b{i})" for i in range(30))


def test_work_that_has_no_budget_is_cut_off_from_its_request(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import time

    monkeypatch.setattr("reasons.server.executor._GRACE", 0.05)
    monkeypatch.setattr(Decision, "replace", lambda *_: time.sleep(0.5))
    client = client_of(formula(), limits=Limits(seconds=0.05, workers=1))
    body = {"instance": MODELS["formula"][1], "change": {"G": False}}
    message = is_error(client.post("/api/v1/even-if", json=body), 503, "BudgetExceeded")
    assert message == (
        "the request: not done within the 0.05 seconds that a request has on this server; start "
        "it with more --seconds"
    )


def test_a_limit_is_told_as_the_server_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a search that had a part of the time, and of limits other than time."""
    spent: dict[str, Any] = {"seconds": 0.02766, "limit": 0.02666}

    def exceeds(*_: Any, **__: Any) -> None:
        raise reasons.BudgetExceeded("compilation", **spent)

    monkeypatch.setattr("reasons.server.routes.overview", exceeds)
    monkeypatch.setattr("reasons.server.routes.audited", exceeds)
    client = client_of(formula(), limits=Limits(seconds=3), rows=[MODELS["formula"][1]])
    body = {"instance": MODELS["formula"][1]}
    message = is_error(client.post("/api/v1/explain", json=body), 503, "BudgetExceeded")
    assert "0.02" not in message
    assert "within the 3 seconds" in message
    assert "--seconds" in message
    asked = {"ask": ["reason"], "data": "rows"}
    message = is_error(client.post("/api/v1/audit", json=asked), 503, "BudgetExceeded")
    assert "within the 60 seconds that an audit" in message
    assert "--seconds" not in message
    spent = {"nodes": 11, "limit": 10}
    message = is_error(client.post("/api/v1/explain", json=body), 503, "BudgetExceeded")
    assert "nodes 11, limit 10; this is the limit of one request" in message


def test_hundreds_of_requests_at_once_are_all_answered() -> None:
    app = app_of(formula(), limits=Limits(workers=2))
    body = {"instance": MODELS["formula"][1]}

    async def asked() -> list[Any]:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            ways = ["explain", "decide", "graph"] * 100
            return await asyncio.gather(*(client.post(f"/api/v1/{way}", json=body) for way in ways))

    answers = asyncio.run(asked())
    assert {answer.status_code for answer in answers} == {200}
    assert not app.state.work.is_busy


def test_a_listing_stops_at_its_limit() -> None:
    classifier = reasons.compile(" | ".join(f"x{i}" for i in range(300)))
    instance = dict.fromkeys(classifier.schema.names, True)
    found = post(client_of(classifier), "explain", instance=instance, limit=200)
    assert found["sufficient_reasons"]["count"] == "300"
    assert len(found["sufficient_reasons"]["shown"]) == 200


def test_counts_beyond_what_numbers_hold_are_exact_texts() -> None:
    text = " & ".join(f"(a{i} | b{i} | c{i})" for i in range(42))
    classifier = reasons.compile(text)
    instance = dict.fromkeys(classifier.schema.names, 1)
    found = post(client_of(classifier), "explain", instance=instance, limit=1)
    assert found["sufficient_reasons"]["count"] == str(3**42)
