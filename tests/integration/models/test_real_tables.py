"""Models of real tables: decided as `predict` decides all rows, explained as CP-SAT confirms."""

import warnings
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

import pytest

import reasons

pytest.importorskip("sklearn")
pytest.importorskip("ortools")
xgboost = pytest.importorskip("xgboost")
lightgbm = pytest.importorskip("lightgbm")

import pandas
from sklearn import ensemble, tree
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from tests.support.models import cp_sat as cp_check
from tests.support.models.cp_sat import Checker, Column
from tests.support.models.real_tables import bundled, fairness, words_and_numbers

UNHEARD = "unheard of"


class Case(NamedTuple):
    """A fitted model, its table, and what CP-SAT makes of its dump."""

    model: Any
    frame: Any
    checker: Checker

    def predict(self, row: Any) -> Any:
        """What the library decides on one row of raw values."""
        frame = pandas.DataFrame([dict(row)])[list(self.frame.columns)]
        words, numbers = words_and_numbers(self.frame)
        frame = frame.astype(dict.fromkeys(numbers, float))
        for name in words:
            heard = [UNHEARD if str(v) == "<other>" else v for v in frame[name]]
            frame[name] = pandas.Series(heard, dtype=object)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return self.model.predict(frame).tolist()[0]


def of_numbers(table: tuple[Any, Any], model: Any, dump: Callable[[Any], cp_check.Dump]) -> Case:
    frame, y = table
    _, numbers = words_and_numbers(frame)
    frame = frame[numbers].rename(columns=lambda name: name.replace(" ", "_"))
    model.fit(frame, y)
    return Case(model, frame, Checker(dump(model), [Column(name) for name in frame]))


def of_pipeline(table: tuple[Any, Any], final: Any, dump: Callable[[Any], cp_check.Dump]) -> Case:
    """Numbers filled where they are missing, words one-hot."""
    frame, y = table
    words, numbers = words_and_numbers(frame)
    fill, hot = SimpleImputer(strategy="median"), OneHotEncoder(handle_unknown="ignore")
    prepared = make_column_transformer((fill, numbers), (hot, words))
    model = make_pipeline(prepared, final).fit(frame, y)
    fill, hot = (prepared.named_transformers_[n] for n in ("simpleimputer", "onehotencoder"))
    columns = [
        Column(name, filled=float(number))
        for name, number in zip(numbers, fill.statistics_, strict=True)
    ]
    known = dict(zip(words, (list(map(str, c)) for c in hot.categories_), strict=True))
    columns += [Column(name, word=word) for name in words for word in known[name]]
    return Case(model, frame, Checker(dump(final), columns, known))


def forest(trees: int, depth: int) -> Any:
    return ensemble.RandomForestClassifier(trees, max_depth=depth, random_state=0, n_jobs=1)


def boosted(trees: int, depth: int) -> Any:
    return xgboost.XGBClassifier(n_estimators=trees, max_depth=depth, n_jobs=1, random_state=0)


def light(trees: int) -> Any:
    return lightgbm.LGBMClassifier(n_estimators=trees, num_leaves=8, n_jobs=1, verbose=-1)


CASES: dict[str, Callable[[], Case]] = {
    "wine, forest": lambda: of_numbers(bundled("wine"), forest(10, 4), cp_check.forest_dump),
    "cancer, tree": lambda: of_numbers(
        bundled("breast_cancer"),
        tree.DecisionTreeClassifier(random_state=0),
        cp_check.forest_dump,
    ),
    "cancer, xgboost": lambda: of_numbers(
        bundled("breast_cancer"), boosted(20, 3), cp_check.xgboost_dump
    ),
    "wine, xgboost": lambda: of_numbers(bundled("wine"), boosted(8, 2), cp_check.xgboost_dump),
    "cancer, lightgbm": lambda: of_numbers(
        bundled("breast_cancer"), light(15), cp_check.lightgbm_dump
    ),
    "digits, forest": lambda: of_numbers(bundled("digits"), forest(5, 4), cp_check.forest_dump),
    "german, pipeline": lambda: of_pipeline(
        fairness("german"), forest(10, 4), cp_check.forest_dump
    ),
    "law school, pipeline": lambda: of_pipeline(
        fairness("law_school"), forest(8, 4), cp_check.forest_dump
    ),
    "heloc, gradient": lambda: of_numbers(
        fairness("heloc"),
        ensemble.GradientBoostingClassifier(n_estimators=12, max_depth=3, random_state=0),
        cp_check.gradient_dump,
    ),
}
LARGE: dict[str, Callable[[], Case]] = {
    "cancer, forest of 100": lambda: of_numbers(
        bundled("breast_cancer"), forest(100, 6), cp_check.forest_dump
    ),
    "cancer, extra trees": lambda: of_numbers(
        bundled("breast_cancer"),
        ensemble.ExtraTreesClassifier(30, max_depth=5, random_state=0),
        cp_check.forest_dump,
    ),
    "digits, boosted": lambda: of_numbers(bundled("digits"), boosted(10, 3), cp_check.xgboost_dump),
    "adult, pipeline": lambda: of_pipeline(fairness("adult"), forest(25, 5), cp_check.forest_dump),
    "adult, boosted pipeline": lambda: of_pipeline(
        fairness("adult"),
        ensemble.GradientBoostingClassifier(n_estimators=50, random_state=0),
        cp_check.gradient_dump,
    ),
    "heloc, histograms": lambda: of_numbers(
        fairness("heloc"),
        ensemble.HistGradientBoostingClassifier(max_iter=30, max_leaf_nodes=8, random_state=0),
        cp_check.histogram_dump,
    ),
    "heloc, xgboost": lambda: of_numbers(fairness("heloc"), boosted(60, 3), cp_check.xgboost_dump),
    "german, forest of 50": lambda: of_pipeline(
        fairness("german"), forest(50, 6), cp_check.forest_dump
    ),
    "law school, lightgbm": lambda: of_numbers(
        fairness("law_school"), light(40), cp_check.lightgbm_dump
    ),
}


def fixed(case: Case, term: reasons.Term) -> dict[str, Any]:
    """A reason in the words of the checker."""
    said: dict[str, Any] = {}
    for name, value in term.items():
        if isinstance(value, reasons.Interval):
            said[name] = (value.low, value.high)
        elif str(value) == "<missing>" and name not in case.checker.is_word:
            said[name] = cp_check.MISSING
        else:
            known = str(value) in case.checker.is_word[name]
            said[name] = str(value) if known else cp_check.OTHER
    return said


def require_reason(case: Case, label: Any, term: reasons.Term) -> None:
    """The term forces the label, and no fewer of its characteristics do, says CP-SAT."""
    position = list(case.model.classes_).index(label)
    kept = fixed(case, term)
    narrow = case.checker.other(position, kept, for_sure=False)
    if narrow is not None:
        assert case.predict(narrow) == label, (term, narrow)
        assert case.checker.other(position, kept, for_sure=True) is None, term
    for name in kept:
        fewer = {other: value for other, value in kept.items() if other != name}
        found = case.checker.other(position, fewer, for_sure=True)
        if found is None:
            found = case.checker.other(position, fewer, for_sure=False)
        assert found is not None, (term, name)
        assert case.predict(found) != label, (term, name, found)


def require_all(
    case: Case, classifier: reasons.Classifier, instances: int, large: bool = False
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wanted = case.model.predict(case.frame)
    assert (classifier.predict(case.frame) == wanted).all()
    for at in Random(0).sample(range(len(case.frame)), instances):
        decision = classifier.decide(case.frame.iloc[at].to_dict())
        assert decision.label == wanted[at]
        require_reason(case, decision.label, decision.sufficient_reason())
        require_change(case, decision, large)


def require_change(case: Case, decision: reasons.Decision, large: bool) -> None:
    """The cheapest change and counter-examples really flip the library's decision.

    Of a large model the budget may be spent before a change is proved to be the cheapest.
    """
    try:
        change = decision.counterfactual()
    except reasons.BudgetExceeded:
        assert large
        return
    assert change is not None
    assert case.predict(change.instance) == change.label != decision.label
    kept = {name: v for name, v in decision.cells.items() if name not in change.given_up}
    assert decision.counterexample(kept) is not None
    assert len(change.given_up) == change.cost
    for name in decision.necessary_property:
        others = {other: v for other, v in decision.cells.items() if other != name}
        found = decision.counterexample(others)
        assert found is not None
        assert case.predict(found) != decision.label


@pytest.mark.parametrize("method", ["compiled", "search"])
@pytest.mark.parametrize("name", CASES)
def test_real_tables(name: str, method: Any) -> None:
    case = CASES[name]()
    budget = reasons.Budget(nodes=3_000_000, seconds=5)
    try:
        classifier = reasons.compile(case.model, method=method, budget=budget)
    except reasons.BudgetExceeded:
        assert method == "compiled"
        pytest.skip("it does not compile within the budget; search answers it")
    require_all(case, classifier, instances=3)


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_larger_models_of_real_tables(name: str) -> None:
    case = LARGE[name]()
    classifier = reasons.compile(case.model, budget=reasons.Budget(nodes=1_000_000, seconds=10))
    try:
        require_all(case, classifier, instances=6, large=True)
    except TimeoutError:
        pytest.skip("CP-SAT ran out of time")


def test_the_checker_can_fail() -> None:
    """Reasons of another instance, and reasons with one characteristic less or more."""
    case = CASES["cancer, xgboost"]()
    classifier = reasons.compile(case.model, method="search")
    decision = classifier.decide(case.frame.iloc[3].to_dict())
    term = decision.sufficient_reason()
    require_reason(case, decision.label, term)
    less = reasons.Term(classifier.schema, dict(list(term.limits.items())[1:]))
    with pytest.raises(AssertionError):
        require_reason(case, decision.label, less)
    unused = next(f for f in range(len(classifier.schema)) if f not in term.limits)
    cells = {**term.limits, unused: decision.cells.limits[unused]}
    with pytest.raises(AssertionError):
        require_reason(case, decision.label, reasons.Term(classifier.schema, cells))
    with pytest.raises(AssertionError):
        require_reason(case, 1 - decision.label, term)
