"""The API: its answers are those of the package."""

import itertools
from typing import Any

import pytest

import reasons
from reasons import Classifier, Feature
from reasons.features.values import Interval
from reasons.server.app import app_of
from reasons.server.settings import Limits
from reasons.views.values import instance_view, json_value
from tests.support.server.classifiers import HOSTILE, MODELS, everything, formula, hostile, loans
from tests.support.server.client import client_of, post


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
