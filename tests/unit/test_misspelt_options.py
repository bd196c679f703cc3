"""A misspelt option of a Python function is an error of ours that suggests the right one."""

import re
from collections.abc import Callable

import pytest

import reasons


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: reasons.compile("a & b", constrain="a"),  # type: ignore[arg-type]
            "a formula takes no constrain= (did you mean 'constraint'?), but features=",
        ),
        (
            lambda: reasons.compile(lambda rows: rows, features=["a"], most_cell=3),  # type: ignore[arg-type]
            "takes no most_cell= (did you mean 'most_cells'?), but ",
        ),
        (
            lambda: reasons.audit(reasons.compile("a"), [{"a": True}], favorable=True),  # type: ignore[arg-type]
            "audit takes no favorable= (did you mean 'favourable'?), but protected=, ask=, ",
        ),
        (
            lambda: reasons.from_points([], treshold=3),  # type: ignore[arg-type]
            "from_points takes no treshold= (did you mean 'threshold'?), but ",
        ),
        (
            lambda: reasons.from_rules("if a then b", defualt="c"),  # type: ignore[arg-type]
            "from_rules takes no defualt= (did you mean 'default'?), but features=, ",
        ),
        (
            lambda: reasons.from_table([], lable="y"),  # type: ignore[arg-type]
            "from_table takes no lable= (did you mean 'label'?), but label=, otherwise=, ",
        ),
        (
            lambda: reasons.load(__file__, format="cnf", nams="comments"),
            "takes no nams= (did you mean 'names'?), but budget=, ",
        ),
    ],
)
def test_a_misspelt_option_is_named_with_the_one_that_was_meant(
    call: Callable[[], object], message: str
) -> None:
    with pytest.raises(reasons.InputError, match=re.escape(message)):
        call()


def test_a_model_suggests_its_own_options() -> None:
    tree = pytest.importorskip("sklearn.tree").DecisionTreeClassifier().fit([[0], [1]], [0, 1])
    with pytest.raises(reasons.InputError, match=r"treshold= \(did you mean 'threshold'\?\)"):
        reasons.compile(tree, treshold=0.3)  # type: ignore[arg-type]
