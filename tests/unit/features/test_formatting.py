"""Bounds as they are written: each statement is read by hand and compared with the exact cell."""

import math
import operator
import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import numpy
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.tree import DecisionTreeClassifier

import reasons
from reasons.features import formatting
from reasons.features.cuts import cut_at
from reasons.features.feature import Feature
from reasons.features.floats import Cast, Closed
from reasons.features.formatting import Bound, written_cut
from reasons.features.schema import Schema
from reasons.features.tables import cells_of_rows
from reasons.features.terms import Instance, term_of
from reasons.features.values import number_text

_SIDES = re.compile(r"x (?:(<=|<|>=|>) (\S+)|in ([(\[])(\S+), (\S+)([)\]]))$")

_SIGNS = {"<=": "le", "<": "lt", ">=": "ge", ">": "gt"}


def holds(text: str, number: Decimal) -> bool:
    """Whether a number has a characteristic, by nothing but what is written."""
    match = _SIDES.match(text)
    assert match is not None, text
    sign, end, left, low, high, right = match.groups()
    if sign:
        return bool(getattr(operator, _SIGNS[sign])(number, Decimal(end)))
    above = number > Decimal(low) or (left == "[" and number == Decimal(low))
    return above and (number < Decimal(high) or (right == "]" and number == Decimal(high)))


def exact_cell(feature: Feature, number: Decimal) -> int:
    """The cell by numpy's own comparisons: how many cuts a number is above."""
    kind = numpy.float32 if feature.cast == "float32" else numpy.float64
    with numpy.errstate(over="ignore"):
        value, cuts = kind(float(number)), numpy.array(feature.cuts, kind)
    return int((cuts < value).sum() if feature.closed == "right" else (cuts <= value).sum())


def plain_numbers(cut: float) -> Iterator[Decimal]:
    """Decimals of up to 6 digits, and of up to 2 decimals, around a cut."""
    for digits in range(1, 7):
        near = Decimal(f"{cut:.{digits}g}")
        unit = Decimal(1).scaleb(Decimal(cut).adjusted() - digits + 1)
        yield from (near + unit * step for step in (-2, -1, 0, 1, 2))
    if 0.01 < abs(cut) < 1e12:
        for places in range(3):
            near = Decimal(f"{cut:.{places}f}")
            yield from (near + Decimal(1).scaleb(-places) * step for step in (-2, -1, 0, 1, 2))


def noisy_cuts(rng: Random) -> list[float]:
    """Cuts as scalers leave them, as people write them, and such as lie close together."""
    cuts: list[float] = []
    for _ in range(rng.randint(1, 6)):
        plain = round(rng.uniform(-1, 1) * 10 ** rng.randint(0, 6), rng.randint(0, 3))
        noise = rng.choice([0, 1e-16, 1e-15, 1e-12, 1e-9, 3e-8, 1e-7, 1e-6])
        cuts.append(plain * (1 + noise * rng.uniform(-1, 1)))
        if rng.random() < 0.3:
            cuts.append(cuts[-1] * (1 + rng.choice([1e-16, 3e-16, 1e-12, 1e-8])))
        if rng.random() < 0.2:
            cuts.append(rng.gauss(0, 1) * 10 ** rng.randint(-20, 12))
    return cuts


def features(seed: int, rounds: int) -> Iterator[Feature]:
    rng = Random(seed)
    for _ in range(rounds):
        closed: Closed = rng.choice(["right", "left"])
        cast: Cast = rng.choice(["float64", "float64", "float32"])
        yield Feature.numeric("x", noisy_cuts(rng), closed=closed, cast=cast)


def misstated(feature: Feature) -> list[tuple[str, Decimal]]:
    """The statements that are wrong of a number near a cut, of all cells."""
    texts = [feature.says((cell,)) for cell in range(len(feature.values))]
    wrong = []
    for number in (n for cut in feature.cuts if cut for n in plain_numbers(cut)):
        own = exact_cell(feature, number)
        wrong += [(t, number) for cell, t in enumerate(texts) if holds(t, number) != (cell == own)]
    return wrong


def test_what_is_written_of_a_cell_is_true_of_every_number_of_few_digits() -> None:
    for feature in features(1, 400):
        if feature.cuts:
            assert misstated(feature) == []


def test_always_writing_the_models_own_sign_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    real = formatting.bound

    def careless(cuts: Any, at: int, closed: Closed, *rest: Any) -> Bound:
        return Bound(real(cuts, at, closed, *rest).text, closed == "right")

    monkeypatch.setattr(formatting, "bound", careless)
    assert any(misstated(feature) for feature in features(1, 50))


def test_cuts_are_written_in_order_and_apart_and_are_read_as_they_are_written() -> None:
    rng = Random(2)
    for feature in features(3, 400):
        schema = Schema([feature])
        written = [written_cut(feature, cut) for cut in feature.cuts]
        numbers = [Decimal(each.text) for each in written if each]
        assert numbers == sorted(set(numbers))
        for cell in range(len(feature.values)):
            some = frozenset([*rng.sample(range(len(feature.values)), rng.randint(1, 2)), cell])
            for cells in (frozenset((cell,)), some):
                assert term_of(schema, feature.says(cells)).limits == {0: cells}


def test_exact_bounds_are_read_as_well() -> None:
    for feature in features(4, 200):
        schema, below = Schema([feature]), "<=" if feature.closed == "right" else "<"
        for at, cut in enumerate(feature.cuts):
            limits = term_of(schema, f"x {below} {cut!r}").limits
            assert limits == {0: frozenset(range(at + 1))}


def test_a_cut_is_written_short_with_the_sign_that_is_true() -> None:
    age = Feature.numeric("age", [41.499999999999993, 52.000000000000007])
    assert [age.says((cell,)) for cell in range(3)] == [
        "age < 41.5",
        "age in [41.5, 52]",
        "age > 52",
    ]
    assert age.value_text(1) == "[41.5, 52]"
    assert [age.cell(number) for number in (41.49, 41.5, 52, 52.01)] == [0, 1, 1, 2]
    assert str(age.values[1]) == "(41.49999999999999, 52.00000000000001]"  # exact


def test_a_number_that_somebody_wrote_is_written_as_it_is() -> None:
    for cut in (26.5, 0.123456789, 123456.789, 12345678.905, 1645248840, 1e-9, 2**40 + 0.5):
        text = Feature.numeric("x", [cut]).says((0,)).removeprefix("x <= ")
        assert float(text) == cut


def singles(seed: int, rounds: int) -> Iterator[Feature]:
    """Features of models that round to float32, of all sizes, some of cuts one step apart."""
    rng = Random(seed)
    for _ in range(rounds):
        number = rng.choice([1, -1]) * rng.uniform(1, 10) * 10 ** rng.randint(-3, 9)
        number = rng.choice([number, float(f"{number:.{rng.randint(1, 7)}g}"), round(number)])
        cuts: list[Any] = [numpy.float32(number or 1)]
        if rng.random() < 0.3:
            cuts.append(numpy.nextafter(cuts[0], numpy.float32(rng.choice([1e38, -1e38]))))
        closed: Closed = rng.choice(["right", "left"])
        whole = rng.random() < 0.2
        yield Feature.numeric(
            "x", [float(cut) for cut in cuts], closed=closed, cast="float32", whole=whole
        )


def beside(cut: float) -> Iterator[Decimal]:
    """Decimals around a float32 number, and around the middle of it and its neighbours."""
    yield from plain_numbers(cut)
    for way in (-3e38, 3e38):
        other = float(numpy.nextafter(numpy.float32(cut), numpy.float32(way)))
        yield from plain_numbers((cut + other) / 2)


def misstated_singles(feature: Feature) -> list[tuple[str, Decimal]]:
    texts = [feature.says((cell,)) for cell in range(len(feature.values))]
    numbers = {n for cut in feature.cuts if cut for n in beside(cut)}
    numbers |= {Decimal(n) for t in texts for n in re.findall(r"-?\d[-\d.e+]*", t)}
    wrong = []
    for number in sorted(n for n in numbers if feature.allows(float(n))):
        own = exact_cell(feature, number)
        assert own == feature.cell(float(number))
        wrong += [(t, number) for cell, t in enumerate(texts) if holds(t, number) != (cell == own)]
    return wrong


def test_bounds_of_models_that_round_to_float32_are_true_of_numbers_that_people_write() -> None:
    for feature in singles(11, 500):
        assert misstated_singles(feature) == []
        for cell in range(len(feature.values)):
            assert term_of(Schema([feature]), feature.says((cell,))).limits == {0: {cell}}
        for at, cut in enumerate(feature.cuts):  # by the cut as it is, and its shortest spelling
            for text in (repr(float(cut)), number_text(cut, "float32")):
                below = feature.closed == "right"
                assert cut_at(feature, float(text), below) == feature.cuts[at]


def test_writing_the_cut_itself_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(cuts: Any, at: int, closed: Closed, *_: Any) -> Bound:
        return Bound(number_text(cuts[at], "float32"), closed == "right")

    monkeypatch.setattr(formatting, "bound", careless)
    wrong = [feature for feature in singles(11, 100) if misstated_singles(feature)]
    assert len(wrong) > 10


def test_a_cut_of_a_model_that_rounds_to_float32_is_written_where_numbers_turn() -> None:
    feature = Feature.numeric("n", [272124.8125], cast="float32")
    assert (feature.says([0]), feature.cell(272124.82)) == ("n < 272124.83", 0)
    feature = Feature.numeric("n", [2**24], cast="float32")
    assert [feature.cell(2**24 + 1), feature.cell(2**24 + 2)] == [0, 1]
    assert feature.says([0]) == "n <= 16777217"
    whole = Feature.numeric("n", [1_500_000], cast="float32", whole=True)
    assert whole.says([0]) == "n <= 1500000"
    largest = Feature.numeric("n", [3.4028235e38], cast="float32")
    assert largest.says([0]) == "n <= 3.4028235677973362e+38"


@pytest.mark.parametrize("cut", [26.5, 0.5, 200, 0.1, 1.05, 99999.5, 150000.5, 1e-35, 0])
def test_ordinary_cuts_of_models_that_round_to_float32_look_ordinary(cut: float) -> None:
    single = float(numpy.float32(cut))
    sides: list[tuple[Closed, str]] = [("right", "<="), ("left", "<")]
    for closed, sign in sides:
        feature = Feature.numeric("n", [single], cast="float32", closed=closed)
        assert feature.says([0]) == f"n {sign} {cut}"


def test_whole_numbers_are_written_and_compared_to_the_last_digit() -> None:
    assert Feature.numeric("n", [2**53 + 2]).says([0]) == "n <= 9007199254740994"
    assert Feature.numeric("n", [2**60]).says([0]) == "n <= 1152921504606846976"
    feature = Feature.numeric("n", [2**53 + 4])
    assert [feature.cell(2**53 + n) for n in (3, 4, 6)] == [0, 0, 1]
    schema = Schema([feature])
    for rows in (numpy.array([[2**53 + 5]]), [[2**53 + 5]]):  # as float64 it is the cut
        with pytest.raises(reasons.InputError, match="too large to be exact"):
            cells_of_rows(schema, rows)
    rows = numpy.array([[2**53 + n] for n in (3, 4, 6)])
    assert list(cells_of_rows(schema, rows)[0]) == [0, 0, 1]


def test_cuts_that_would_be_written_alike_keep_their_digits() -> None:
    close = Feature.numeric("x", [41.499999999999993, 41.5])
    assert close.says((1,)) == "x in (41.49999999999999, 41.5]"
    assert Feature.numeric("x", [41.499999999999993, 41.50001]).says((0,)) == "x < 41.5"


def test_a_comparison_with_another_number_or_sign_is_refused() -> None:
    schema = Schema([Feature.numeric("age", [41.499999999999993, 52])])
    told = r"not cut at `<= 41\.5`; its cuts are: < 41\.5, <= 52"
    with pytest.raises(reasons.InputError, match=told):
        term_of(schema, "age <= 41.5")
    for text in (
        "age < 52",
        "age >= 52",
        "age < 41.4999",
        "age in (41.5, 52]",
        "age in {41.5, 52)",
    ):
        with pytest.raises(reasons.InputError):
            term_of(schema, text)


def test_examples_are_short_and_in_their_cells() -> None:
    rng = Random(5)
    for feature in features(6, 300):
        for cell in range(len(feature.values)):
            near = rng.choice([None, rng.uniform(-1e6, 1e6), 7])
            shown = feature.example(cell, near)
            assert feature.cell(shown) == cell
            exact = feature.raw(cell, near)
            assert abs(shown - exact) <= min(1e-4 * abs(exact), 0.02)
    noisy = Feature.numeric("x", [41.499999999999993, 52.000000000000007])
    assert str(Instance.of_cells(Schema([noisy]), [1])) == "x = 52.0"


def rows(seed: int) -> tuple[Any, Any]:
    rng = numpy.random.default_rng(seed)
    size = 300
    whole, cents = rng.integers(18, 90, size), rng.integers(0, 10**7, size) / 100
    shares = rng.random(size).round(3)
    table = numpy.column_stack([whole, cents, shares])
    return table, ((whole > 41) ^ (cents > 47_000) ^ (shares > 0.3)).astype(int)


def models() -> Iterator[Any]:
    from xgboost import XGBClassifier

    for scaler in (StandardScaler(), MinMaxScaler(), None):
        for model in (
            DecisionTreeClassifier(max_depth=1, random_state=0),
            XGBClassifier(n_estimators=1, max_depth=1),
        ):
            yield model if scaler is None else make_pipeline(scaler, model)


@pytest.mark.parametrize("column", range(3))
def test_what_is_written_is_what_the_library_itself_decides(column: int) -> None:
    """Stumps: the label turns where the text says, on numbers of few digits beside it."""
    table, _ = rows(column)
    target = table[:, column] > numpy.median(table[:, column])
    seen = 0
    for model in models():
        model.fit(table, target.astype(int))
        clf = reasons.compile(model)
        feature = clf.features[column]
        assert len(feature.cuts) == 1
        below = feature.says((0,)).replace(f"{feature.name} ", "x ")
        assert len(below) <= len("x <= 12345.678")
        numbers = list(plain_numbers(feature.cuts[0]))
        given = numpy.tile(table[0], (len(numbers), 1))
        given[:, column] = [float(number) for number in numbers]
        low = table[0].copy()
        low[column] = -1e6
        wanted = model.predict(given) == model.predict(low[None])[0]
        assert [holds(below, number) for number in numbers] == list(wanted)
        seen += len(numbers)
    assert seen > 200


def test_exact_numbers_stay_in_values_files_and_answers(tmp_path: Path) -> None:
    from reasons.views.classifier import classifier_view

    build = reasons.Builder([Feature.numeric("x", [41.499999999999993])], labels=["a", "b"])
    clf = build.build(build.decide("x", {0: build.leaf("a"), 50: build.leaf("b")}))
    clf.save(tmp_path / "x.reasons")
    assert reasons.load(tmp_path / "x.reasons").features == clf.features
    reason = clf.decide([41]).sufficient_reason()
    assert (str(reason), reason["x"].high) == ("x < 41.5", 41.499999999999993)
    feature = classifier_view(clf)["features"][0]
    assert feature["cuts"] == [41.499999999999993]
    assert [value["text"] for value in feature["values"]] == ["(-inf, 41.5)", "[41.5, inf)"]
    assert clf.decide([41]).is_sufficient("x < 41.5")
    assert not math.isclose(clf.decide("x >= 41.5").instance["x"], 41.0)
