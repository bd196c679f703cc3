"""Compiles binarised neural networks: threshold units, within a region around an image."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy
from numpy.typing import NDArray

from reasons import _core
from reasons.budget import Budget
from reasons.circuits.circuit import Circuit, native_budget
from reasons.classifier import Classifier
from reasons.errors import BudgetExceeded, PropertyError, UnsupportedModel, require_options
from reasons.explain.wording import Wording
from reasons.features.feature import Feature
from reasons.features.schema import Schema
from reasons.frontends.agreement import require_agreement
from reasons.frontends.bnn.fold import Folded, fold
from reasons.frontends.bnn.from_layers import read_layers
from reasons.frontends.bnn.model import NeuralModel, Scores
from reasons.frontends.bnn.region import FREE, Region, region_of
from reasons.frontends.options import LAYER_OPTIONS, Options
from reasons.text import plural

Predict = Callable[[Sequence[Sequence[Any]]], Sequence[Any]]
MOST_TRIED = 1 << 16
"""The most inputs that are decided one by one where rounding leaves a unit open."""
_MOST_SAMPLED, _FEWEST_SAMPLED = 1 << 22, 32


def read_neural(source: Any, options: Options) -> NeuralModel:
    """The network as its source computes it."""
    present = {name: value for name, value in vars(options).items() if value is not None}
    require_options("a neural network", present, LAYER_OPTIONS)
    low, high = (0, 1) if options.inputs == "01" else (-1, 1)
    if isinstance(source, list | tuple):
        return read_layers(source, low, high, options.threshold)
    from reasons.frontends.bnn.from_torch import read_module

    return read_module(source, low, high, options.threshold)


def compile_layers(
    source: Any,
    *,
    wording: Wording | None = None,
    budget: Budget | None = None,
    **options: Any,
) -> Classifier:
    """The classifier of a network's inputs, which are Boolean features. Can explode: budgeted."""
    checked = Options(**options)
    return classifier_of(read_neural(source, checked), checked, wording=wording, budget=budget)


def classifier_of(
    model: NeuralModel,
    options: Options,
    *,
    wording: Wording | None = None,
    budget: Budget | None = None,
) -> Classifier:
    """The classifier of a network that was read."""
    names = options.column_names([f"x{i}" for i in range(model.inputs)])
    schema = Schema([Feature.boolean(name) for name in names])
    labels = options.class_labels(
        (False, True) if len(model.last.weights) == 1 else range(model.labels)
    )
    region = region_of(options.region, schema)
    native, note = _compiled(model, region, budget or Budget())
    classifier = Classifier(
        Circuit(native, schema, labels),
        wording=wording,
        constraint=region.text,
        predict=neural_predict(model, labels),
        notes=[model.library, note],
        options=options,
    )
    require_agreement(classifier, "the network")
    return classifier


def neural_predict(model: NeuralModel, labels: Sequence[Any]) -> Predict:
    """The network's own decisions on rows of Boolean values."""

    def predict(rows: Sequence[Sequence[Any]]) -> list[Any]:
        table = numpy.array([[bool(value) for value in row] for row in rows], dtype=bool)
        decided = model.decide(table.reshape(len(rows), model.inputs))
        return [labels[at] for at in decided]

    return predict


def _compiled(model: NeuralModel, region: Region, budget: Budget) -> tuple[_core.Circuit, str]:
    folded, stats = fold(model), _core.CompileNetworkStats()
    try:
        native = _threshold_circuit(model, folded, region, budget, stats)
    except BudgetExceeded as error:
        raise BudgetExceeded(
            "compiling a network (a region makes it look at fewer inputs)", **error.spent
        ) from None
    except PropertyError as error:
        return _tried_out(model, region, budget, error)
    note = f"compiled to {plural(len(native), 'node')} by way of {plural(stats.states, 'state')}"
    if stats.settled:
        note += f", {stats.settled:,} close calls settled"
    return native, note


def _threshold_circuit(
    model: NeuralModel,
    folded: Folded,
    region: Region,
    budget: Budget,
    stats: _core.CompileNetworkStats,
) -> _core.Circuit:
    def settle(parts: Sequence[int]) -> int:
        return model.settle(folded.read.values(numpy.array(parts, bool))[None, :])

    is_settled = isinstance(model.last, Scores) and model.hidden
    return _core.compile_network(
        layers=folded.layers,
        labels=folded.labels,
        scores=folded.scores,
        least_lead=folded.least_lead,
        settle=settle if is_settled else None,
        fixed=region.fixed,
        flips=region.flips,
        centre=region.centre,
        order=_by_influence(model, region),
        budget=native_budget(budget),
        stats=stats,
    )


def _tried_out(
    model: NeuralModel, region: Region, budget: Budget, error: PropertyError
) -> tuple[_core.Circuit, str]:
    """The circuit of all inputs, each decided by the network itself, where there are few."""
    count = model.inputs
    if 1 << count > MOST_TRIED:
        raise UnsupportedModel(
            f"{error}: the network's own arithmetic may decide either way. Use weights and "
            "biases with few digits in binary, such as whole numbers, or float64; or fewer inputs"
        )
    budget.check("trying out a network", nodes=1 << count)
    cells = numpy.arange(1 << count)
    rows = (cells[:, None] >> numpy.arange(count)[::-1] & 1).astype(bool)
    values = numpy.array([_alone(model, row, budget) for row in rows], numpy.uint32)
    values[~_inside(rows, region)] = _core.IMPOSSIBLE
    native = _core.from_values(
        [2] * count, model.labels, list(range(count)), values, native_budget(budget)
    )
    return (
        native,
        f"compiled to {plural(len(native), 'node')}, by trying out all inputs since {error}",
    )


def _alone(model: NeuralModel, row: NDArray[numpy.bool_], budget: Budget) -> int:
    """The label of one row; a matrix product of many rows may round differently."""
    budget.check("trying out a network")
    return int(model.decide(row[None, :])[0])


def _inside(rows: NDArray[numpy.bool_], region: Region) -> NDArray[numpy.bool_]:
    fixed = numpy.array(region.fixed)
    inside = ((fixed == FREE) | (rows == fixed)).all(axis=1)
    if region.flips is not None:
        inside &= (rows != numpy.array(region.centre, bool)).sum(axis=1) <= region.flips
    return numpy.asarray(inside)


def _by_influence(model: NeuralModel, region: Region) -> list[int]:
    """The fixed inputs, then the others by how often they change the label in a sample.

    Measured on a network of 25 inputs: 1.2 million nodes instead of 1.7 million.
    """
    fixed = [at for at, value in enumerate(region.fixed) if value != FREE]
    free = [at for at, value in enumerate(region.fixed) if value == FREE]
    number = min(2048, _MOST_SAMPLED // model.inputs**2)
    if number < _FEWEST_SAMPLED or region.flips == 0:
        return fixed + free
    rng = numpy.random.default_rng(0)
    rows = rng.random((number, model.inputs)) < 0.5
    if region.flips is not None:
        wanted = rng.random((number, model.inputs)) < region.flips / model.inputs
        rows = wanted ^ numpy.array(region.centre, bool)
    for at in fixed:
        rows[:, at] = bool(region.fixed[at])
    flipped = numpy.repeat(rows[None], len(free), axis=0)
    flipped[numpy.arange(len(free)), :, free] ^= True
    after = model.decide(flipped.reshape(-1, model.inputs)).reshape(len(free), number)
    changed = (after != model.decide(rows)).sum(axis=1)
    return fixed + [free[at] for at in numpy.argsort(-changed, kind="stable")]
