"""Names that are not there: the error says which was probably meant, wherever one is looked up."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas
import pytest

import reasons
from tests.support.audit.loans import ROWS, loans


def audited(**options: Any) -> Any:
    return reasons.audit(loans(), pandas.DataFrame(ROWS), **options)


LOOKED_UP: dict[str, tuple[Callable[[], Any], str]] = {
    "a protected feature": (lambda: audited(protected="Sex"), "'sex'"),
    "a protected feature in a set": (lambda: audited(protected={"a": ["jop"]}), "'job'"),
    "a logged column": (lambda: audited(logged="decison"), "'decision'"),
    "a kept column": (lambda: audited(keep=["ID"]), "'id'"),
    "a column of groups": (lambda: audited(groups="rase"), "'race'"),
    "two columns": (lambda: audited(groups="rase", keep="idd"), "'id', 'race'"),
    "a favourable label": (lambda: audited(favourable="grant"), "'granted'"),
    "a label of the log": (
        lambda: audited(logged="decision", logged_as={"ok": "Granted"}),
        "'granted'",
    ),
    "a question": (lambda: audited(ask="reasons"), "'reason'"),
    "a column of the model": (
        lambda: reasons.audit(loans(), pandas.DataFrame(ROWS).rename(columns={"income": "Income"})),
        "'Income'",
    ),
    "a column of rows": (
        lambda: loans().predict(pandas.DataFrame(ROWS).rename(columns={"job": "jobs"})),
        "'jobs'",
    ),
    "a label to count": (lambda: loans().count("grantd"), "'granted'"),
    "a label of a leaf": (lambda: reasons.Builder(["a"], ["no", "yes"]).leaf("yess"), "'yes'"),
    "a feature of codes": (
        lambda: audited(favourable="granted").letters("x.csv", {"incme": ("1", "x")}),
        "'income'",
    ),
    "the label of a table": (
        lambda: reasons.from_table([{"a": 0, "y": 0}, {"a": 1, "y": 1}], label="Y"),
        "'y'",
    ),
    "a format": (lambda: reasons.load(__file__, format="cnff"), "'cnf'"),
    "a format to write": (
        lambda: reasons.write(reasons.compile("a"), Path("x"), to="nnf-c2"),
        "'nnf-c2d'",
    ),
}


@pytest.mark.parametrize("what", LOOKED_UP)
def test_an_unknown_name_is_answered_by_the_one_that_was_meant(what: str) -> None:
    look_up, name = LOOKED_UP[what]
    with pytest.raises(reasons.InputError) as error:
        look_up()
    assert f"did you mean {name}?" in str(error.value)


@pytest.mark.parametrize(
    "look_up",
    [
        lambda: audited(protected="q"),
        lambda: audited(logged="q"),
        lambda: audited(favourable="q"),
        lambda: audited(ask="q"),
        lambda: loans().count(7),
    ],
)
def test_what_is_like_nothing_is_not_guessed_at(look_up: Callable[[], Any]) -> None:
    with pytest.raises(reasons.InputError) as error:
        look_up()
    assert "did you mean" not in str(error.value)


def test_a_logged_decision_that_is_misspelt_is_answered_in_its_row() -> None:
    rows = pandas.DataFrame({**ROWS, "decision": ["grantd"] * 6})
    found = reasons.audit(loans(), rows, logged="decision").table["problem"].to_pylist()
    assert sum("did you mean 'granted'?" in text for text in found) == 5  # one has an odd sex


def test_the_shell_says_what_was_meant(run: Any, tmp_path: Path) -> None:
    loans().save(tmp_path / "loans.reasons")
    pandas.DataFrame(ROWS).rename(columns={"sex": "Sex"}).to_csv(tmp_path / "rows.csv")
    model, rows = tmp_path / "loans.reasons", tmp_path / "rows.csv"
    for arguments, name in (
        (("audit", model, rows, "--favourable", "grant"), "'granted'"),
        (("audit", model, rows, "--keep", "idd"), "'Sex', 'id'"),
        (("explain", model, "--data", rows, "--row", 1), "'Sex'"),
    ):
        done = run(*arguments)
        assert done.code == 2
        assert f"did you mean {name}?" in done.err
