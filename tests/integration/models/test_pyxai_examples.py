"""Explanations that others published, of a tree and of a forest over Boolean features.

The orchid tree (Audemard et al., On the explanatory power of Boolean decision trees, 2022)
and the cattleya forest (Audemard et al., Trading complexity for sparsity, 2022), with the
explanations of their papers and of PyXAI. "Direct" explanations (the path of the instance,
and, of a forest, its paths together) are no sufficient reasons, only sufficient; majoritary
reasons are a different notion, and the file has none.
"""

import json
from itertools import product
from typing import Any

import pytest

import reasons
from tests.support.folders import SHARED

FILE = SHARED / "ensembles" / "small_published.json"
NAMES = ("1", "2", "3", "4")
PUBLISHED = {"orchid_dt": 11, "cattleya_rf": 10}
"""How many explanations there are to compare: each list or term under a key known below."""

Tree = int | list[Any]

pytestmark = pytest.mark.skipif(not FILE.exists(), reason=f"{FILE} is not there")


def published(name: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(FILE.read_text())[name]
    return content


def orchid() -> reasons.Classifier:
    """The tree, node by node, left for 0 and right for 1."""
    builder = reasons.Builder(NAMES)

    def node(tree: Tree) -> int:
        if isinstance(tree, int):
            return builder.leaf(bool(tree))
        feature, left, right = tree
        return builder.decide(str(feature), {False: node(left), True: node(right)})

    return builder.build(node(published("orchid_dt")["tree"]))


def formula(tree: Tree) -> str:
    if isinstance(tree, int):
        return "true" if tree else "false"
    feature, left, right = tree
    return f'("{feature}" & {formula(right)} | ~"{feature}" & {formula(left)})'


def value(tree: Tree, instance: tuple[int, ...]) -> int:
    while not isinstance(tree, int):
        tree = tree[1 + instance[tree[0] - 1]]
    return tree


def cattleya() -> reasons.Classifier:
    """The majority of the trees, as a truth table."""
    trees = published("cattleya_rf")["trees"]
    rows = [
        {**dict(zip(NAMES, x, strict=True)), "label": sum(value(t, x) for t in trees) >= 2}
        for x in product((0, 1), repeat=4)
    ]
    return reasons.from_table(rows)


def cattleya_by_formula() -> reasons.Classifier:
    """The same as a formula: two of the three trees say yes."""
    one, two, three = map(formula, published("cattleya_rf")["trees"])
    return reasons.compile(f"{one} & {two} | {one} & {three} | {two} & {three}")


def term(literals: list[int]) -> dict[str, bool]:
    return {str(abs(literal)): literal > 0 for literal in literals}


def terms(found: reasons.TermSet) -> list[dict[str, bool]]:
    return sorted((dict(each) for each in found), key=str)


def listed(sets: list[list[int]]) -> list[dict[str, bool]]:
    return sorted(map(term, sets), key=str)


def compare(classifier: reasons.Classifier, case: dict[str, Any]) -> int:
    """Assert that the package says of a case what was published; how much that was."""
    values = dict(zip(NAMES, case["instance"], strict=True))
    decision = classifier.decide(values)
    assert decision.label == bool(case["class"])
    sufficient, contrastive = decision.sufficient_reasons(), decision.contrastive_sets()
    seen = 0
    for key, explanation in case.items():
        if key in ("instance", "class"):
            continue
        if key in ("all_sufficient", "computed_all_sufficient"):
            assert terms(sufficient) == listed(explanation)
        elif key in ("computed_all_contrastive", "all_contrastive_stored_in_DT_orchid.explainer"):
            assert terms(contrastive) == listed(explanation)
        elif key == "minimal":
            assert term(explanation) in sufficient.all_shortest()
            assert len(sufficient.shortest()) == len(explanation)
        elif key == "one_sufficient":
            assert term(explanation) in sufficient
        elif key == "direct":
            assert decision.is_sufficient(term(explanation))
        else:
            raise AssertionError(f"an explanation of a kind not known here: {key}")
        seen += 1
    return seen


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("orchid_dt", orchid),
        ("cattleya_rf", cattleya),
        ("cattleya_rf", cattleya_by_formula),
    ],
)
def test_all_published_explanations_are_ours(name: str, make: Any) -> None:
    classifier = make()
    found = [compare(classifier, case) for case in published(name)["cases"]]
    assert sum(found) == PUBLISHED[name]


def test_the_tree_and_the_forest_are_what_the_file_says() -> None:
    for x in product((0, 1), repeat=4):
        values = dict(zip(NAMES, x, strict=True))
        assert orchid().decide(values).label == value(published("orchid_dt")["tree"], x)
        votes = sum(value(tree, x) for tree in published("cattleya_rf")["trees"])
        assert cattleya().decide(values).label == (votes > 1)
        assert cattleya_by_formula().decide(values).label == (votes > 1)
