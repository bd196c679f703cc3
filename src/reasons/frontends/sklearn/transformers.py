"""Transformers of scikit-learn: which of the user's columns each column comes from, and how.

Rules exist only for transformers that work column by column. A rule says where columns come from
and whether they are monotone; the values are always computed by the step itself.
"""

import copy
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy
from numpy.typing import NDArray

from reasons.ensembles.inputs import Edges
from reasons.errors import UnsupportedModel
from reasons.features.floats import Closed
from reasons.features.values import is_missing
from reasons.text import comma_list

Floats = NDArray[numpy.float64]


@dataclass(slots=True)
class Reading:
    """What the steps show about one of the user's columns."""

    touched: bool = False
    categories: dict[Any, None] | None = None
    missing: Any = numpy.nan
    edges: list[Edges] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Slot:
    """A column within the pipeline: the user's column `source`, and how it depends on it.

    "raw": unchanged, unless missing; "number": monotone in the user's number; "steps": changes only
    at the edges of the reading; "code": depends on the category. `path` are the transformers of a
    number, each with its position before and after. In an `odd` one, an imputer replaced values
    other than missing ones.
    """

    source: int
    state: Literal["raw", "number", "steps", "code"] = "raw"
    path: tuple[tuple[Any, int, int], ...] = ()
    odd: bool = False


Slots = list[Slot]
Readings = list[Reading]
Rule = Callable[[Any, Slots, Readings, str], Slots]


def follow(step: Any, slots: Slots, readings: Readings, name: str) -> Slots:
    """The columns after a fitted step."""
    if step is None or (isinstance(step, str) and step == "passthrough"):
        return slots
    is_known = type(step).__module__.startswith("sklearn.")
    rule = _RULES.get(type(step).__name__) if is_known else None
    if rule is None and _selects(step):
        rule = _selected
    if rule is None:
        raise UnsupportedModel(
            f"step {name!r}: {type(step).__name__} is not supported in front of a model; supported "
            f"are {comma_list([*sorted(_RULES), 'feature selection'], most=99)}. Transform the "
            "columns first and compile the model on what comes out"
        )
    return rule(step, slots, readings, name)


def value_at(path: Sequence[tuple[Any, int, int]], numbers: Floats) -> Floats:
    """A user's numbers after the transformers of a path."""
    with quiet():
        for step, before, after in path:
            table = numpy.zeros((len(numbers), step.n_features_in_))
            table[:, before] = numbers
            numbers = numpy.asarray(step.transform(table), dtype=float)[:, after]
    return numbers


@contextmanager
def quiet() -> Iterator[None]:
    """Suppress warnings about unknown categories, lost names and large numbers."""
    with warnings.catch_warnings(), numpy.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def _selects(step: Any) -> bool:
    """Whether a step only selects columns, by `get_support`."""
    mixin = next((base for base in type(step).__mro__ if base.__name__ == "SelectorMixin"), None)
    return mixin is not None and type(step).transform is mixin.__dict__["transform"]


def _refuse(name: str, step: Any, why: str) -> UnsupportedModel:
    return UnsupportedModel(f"step {name!r}: {type(step).__name__} {why}")


def _pipeline(step: Any, slots: Slots, readings: Readings, name: str) -> Slots:
    for inner, part in step.steps:
        slots = follow(part, slots, readings, f"{name}.{inner}")
    return slots


def _union(step: Any, slots: Slots, readings: Readings, name: str) -> Slots:
    if step.transformer_weights:
        raise _refuse(name, step, "with transformer_weights is not supported; leave them out")
    parts = [(inner, part) for inner, part in step.transformer_list if str(part) != "drop"]
    return [
        slot for inner, part in parts for slot in follow(part, slots, readings, f"{name}.{inner}")
    ]


def _column_transformer(step: Any, slots: Slots, readings: Readings, name: str) -> Slots:
    if step.transformer_weights:
        raise _refuse(name, step, "with transformer_weights is not supported; leave them out")
    after: Slots = []
    for inner, part, _ in step.transformers_:
        columns = step._transformer_to_input_indices[inner]
        if (isinstance(part, str) and part == "drop") or len(columns) == 0:
            continue
        made = follow(part, [slots[c] for c in columns], readings, f"{name}.{inner}")
        place = step.output_indices_[inner]
        if (place.start, place.stop) != (len(after), len(after) + len(made)):
            raise _refuse(name, step, f"makes other columns of {inner!r} than expected")
        after += made
    return after


def _identity(step: Any, slots: Slots, _: Readings, name: str) -> Slots:
    if step.func is not None:
        raise _refuse(name, step, "with a function is not supported: it can be anything")
    return slots


def _rising(step: Any, slots: Slots, readings: Readings, name: str) -> Slots:
    if getattr(step, "method", None) == "box-cox":
        raise _refuse(name, step, "with box-cox is not supported; use method='yeo-johnson'")
    return [
        _number(step, slot, at, at, readings, name) if slot.state in ("raw", "number") else slot
        for at, slot in enumerate(slots)
    ]


def _number(step: Any, slot: Slot, before: int, after: int, readings: Readings, name: str) -> Slot:
    _read_number(step, slot, readings, name)
    return replace(slot, state="number", path=(*slot.path, (step, before, after)))


def _read_number(step: Any, slot: Slot, readings: Readings, name: str) -> None:
    readings[slot.source].touched = True
    if slot.odd:
        why = "follows an imputer that replaces numbers; let its missing_values be NaN"
        raise _refuse(name, step, why)


def _jumping(
    step: Any,
    slots: Slots,
    readings: Readings,
    name: str,
    points: Callable[[int], Iterable[float]],
    closed: Closed,
) -> Slots:
    """The columns as step functions of the user's numbers; the edges are noted."""
    after = []
    for at, slot in enumerate(slots):
        if slot.state in ("raw", "number"):
            _read_number(step, slot, readings, name)
            of = _compared(slot, getattr(step, "dtype", None))
            edges = Edges(of, tuple(float(point) for point in points(at)), closed)
            readings[slot.source].edges.append(edges)
            slot = replace(slot, state="steps")
        after.append(slot)
    return after


def _compared(slot: Slot, dtype: Any) -> Callable[[Floats], Floats]:
    def of(numbers: Floats) -> Floats:
        values = value_at(slot.path, numbers)
        with numpy.errstate(over="ignore"):
            return values if dtype is None else values.astype(dtype).astype(float)

    return of


def _binned(step: Any, slots: Slots, readings: Readings, name: str) -> Slots:
    made = _jumping(step, slots, readings, name, lambda at: step.bin_edges_[at][1:-1], "left")
    if step.encode == "ordinal":
        return made
    return [slot for slot, bins in zip(made, step.n_bins_, strict=True) for _ in range(bins)]


def _binarized(step: Any, slots: Slots, readings: Readings, name: str) -> Slots:
    return _jumping(step, slots, readings, name, lambda _: (step.threshold,), "right")


def _imputed(step: Any, slots: Slots, readings: Readings, name: str) -> Slots:
    for slot in slots:
        readings[slot.source].touched = True
        if step.missing_values is None:
            readings[slot.source].missing = None
    odd = not is_missing(step.missing_values)
    names = _names(step)
    place = {name_before: at for at, name_before in enumerate(names)}
    after: Slots = []
    for made in step.get_feature_names_out(names):
        at = place.pop(made, None)
        if at is not None:
            after.append(replace(slots[at], odd=slots[at].odd or odd))
            continue
        marked = slots[list(names).index(made.removeprefix("missingindicator_"))]
        if odd and marked.state in ("raw", "number"):
            raise _refuse(name, step, "with add_indicator needs missing_values=NaN")
        after.append(replace(marked, state="code" if marked.state == "code" else "steps"))
    return after


def _names(step: Any) -> Sequence[str]:
    known = getattr(step, "feature_names_in_", None)
    return [f"x{at}" for at in range(step.n_features_in_)] if known is None else known


def _one_hot(step: Any, slots: Slots, readings: Readings, name: str) -> Slots:
    made = _ordinal(step, slots, readings, name)
    encoder = copy.copy(step)
    encoder.feature_name_combiner = lambda feature, _: feature
    names = list(_names(step))
    return [made[names.index(feature)] for feature in encoder.get_feature_names_out(names)]


def _ordinal(step: Any, slots: Slots, readings: Readings, name: str) -> Slots:
    after = []
    for slot, categories in zip(slots, step.categories_, strict=True):
        if slot.state == "number":
            raise _refuse(name, step, "takes numbers that were scaled for categories")
        if slot.state == "raw":
            reading, known = readings[slot.source], dict.fromkeys(categories.tolist())
            reading.touched = True
            reading.categories = (reading.categories or {}) | {
                category: None for category in known if not is_missing(category)
            }
            reading.missing = None if None in known else reading.missing
            slot = replace(slot, state="code")
        after.append(slot)
    return after


def _selected(step: Any, slots: Slots, readings: Readings, _: str) -> Slots:
    for slot in slots:
        readings[slot.source].touched = True
    return [
        slot for slot, is_selected in zip(slots, step.get_support(), strict=True) if is_selected
    ]


_RULES: dict[str, Rule] = {
    "Pipeline": _pipeline,
    "FeatureUnion": _union,
    "ColumnTransformer": _column_transformer,
    "FunctionTransformer": _identity,
    "StandardScaler": _rising,
    "MinMaxScaler": _rising,
    "MaxAbsScaler": _rising,
    "RobustScaler": _rising,
    "PowerTransformer": _rising,
    "QuantileTransformer": _rising,
    "Binarizer": _binarized,
    "KBinsDiscretizer": _binned,
    "SimpleImputer": _imputed,
    "OneHotEncoder": _one_hot,
    "OrdinalEncoder": _ordinal,
}
