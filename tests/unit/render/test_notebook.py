"""What notebooks show: every object, in any theme, bounded, and the user's texts as texts."""

import re
from html.parser import HTMLParser
from typing import Any

import pytest

import reasons
from tests.support.server.classifiers import HOSTILE, forest, formula, hostile, loans


class Read(HTMLParser):
    """The tags, styles and texts of a fragment; tags must be closed as they were opened."""

    def __init__(self, fragment: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.styles: list[str] = []
        self.text = ""
        self.feed(fragment)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.open.append(tag)
        self.tags.append(tag)
        if not any(name == "svg" for name in self.open):
            self.styles.append(dict(attrs).get("style") or "")

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def everything(classifier: Any, instance: Any) -> dict[str, Any]:
    decision = classifier.decide(instance)
    name = classifier.features[-1].name
    found = {
        "classifier": classifier,
        "decision": decision,
        "instance": decision.instance,
        "term": decision.necessary_property,
        "bias of the decision": decision.bias(name),
        "bias of the classifier": classifier.bias(name),
        "amount": classifier.bias_share(name),
    }
    if classifier.method == "search":
        return found
    audit = reasons.audit(classifier, [dict(instance)], [name])
    told = reasons.audit(classifier, [dict(instance)], [name])
    return {
        **found,
        "circuit": classifier.circuit,
        "reason": decision.reason,
        "terms": decision.sufficient_reasons(),
        "summary": told.summary,
        "audit": audit,
        "audit with its summary": told,
    }


CASES = {
    "loans": everything(loans(), {"age": 33, "job": "nurse", "home": False}),
    "hostile": everything(hostile(), {HOSTILE: HOSTILE, hostile().features[1].name: True}),
    "forest": everything(forest(), {"a": 7, "b": 3, "c": 2.5, "d": 0}),
}
SHOWN = [(case, name) for case, found in CASES.items() for name in found]


@pytest.mark.parametrize(("case", "name"), SHOWN)
def test_every_object_shows_itself_in_any_theme_and_as_text(case: str, name: str) -> None:
    read = Read(CASES[case][name]._repr_html_())
    assert read.text.strip()
    assert "script" not in read.tags
    for style in read.styles:
        colours = [part for part in style.split(";") if part.startswith("color:")]
        assert colours in ([], ["color:inherit"])


def test_the_checks_see_markup_and_colours() -> None:
    assert "script" in Read("<b>x<script>y</script></b>").tags
    with pytest.raises(AssertionError):
        Read("<b>x")


def test_they_say_what_matters() -> None:
    shown = {name: Read(found._repr_html_()).text for name, found in CASES["loans"].items()}
    assert "(25, 40]" in shown["classifier"]
    assert "grant" in shown["classifier"]
    assert "biasedyes" in shown["bias of the decision"]
    assert "12 of 32" in shown["amount"]
    assert "6 nodes, 8 edges" in shown["circuit"]
    assert "age33" in shown["instance"]
    assert "1 rows" in shown["audit"]
    assert ".summary" in shown["audit"]
    assert CASES["loans"]["summary"].findings[0] in shown["audit with its summary"]


def test_a_pair_shows_first_what_it_gets_and_what_differs() -> None:
    bias = formula().bias("R")
    read = Read(bias._repr_html_())
    one, other = bias.labels
    assert f"featureone: {one}the other: {other}R" in read.text
    assert {one, other} == {False, True}
    assert any("bold" in style for style in read.styles)


def test_a_biased_decision_shows_the_witness_beside_the_instance_and_marks_what_differs() -> None:
    decision = CASES["loans"]["decision"]
    bias = decision.bias(decision.classifier.schema.names)
    assert bias.pair == (decision.instance, bias.witness)
    assert bias.labels == tuple(decision.classifier.decide(x).label for x in bias.pair)
    shown = bias._repr_html_()
    marked = re.findall(r"<tr><td [^>]*font-weight:bold'>([^<]*)", shown)
    differing = [name for name in bias.witness if bias.witness[name] != decision.instance[name]]
    assert marked == differing
    assert len(differing) == 1
    assert f"the instance: {decision.label}" in shown
    assert f"the witness: {bias.labels[1]}" in shown


def test_one_of_a_kind_is_said_in_the_singular() -> None:
    classifier = reasons.compile("a")
    decision = classifier.decide([1])
    shown = [
        repr(decision.sufficient_reasons()),
        decision.sufficient_reasons()._repr_html_(),
        repr(reasons.compile("True", features=["a"])),
        repr(classifier.circuit),
        str(reasons.check(classifier, lambda rows: [row[0] for row in rows], sample=1)),
    ]
    for text in shown:
        assert re.search(r"\b1 (term|node|feature|instance|edge)\b", text)
        assert not re.search(r"\b1 \w+s\b(?<!agrees)", text), text


def test_what_is_long_is_cut() -> None:
    classifier = reasons.compile(" | ".join(f"x{i}" for i in range(500)))
    decision = classifier.decide([True] * 500)
    for shown in (classifier, decision.instance, classifier.bias("x0")):
        text = Read(shown._repr_html_()).text
        assert "... and 470 more" in text
    assert len(classifier._repr_html_()) < 20_000
