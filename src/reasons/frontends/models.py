"""Trained models, in memory or in files: read, discretised, and compiled or else searched."""

import math
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path as PurePath
from typing import Any

from reasons import _core
from reasons.backends.protocol import Backend
from reasons.budget import UNLIMITED, Budget
from reasons.circuits.circuit import Circuit, native_budget
from reasons.classifier import Classifier
from reasons.ensembles.discretize import over_cells
from reasons.ensembles.domain import Domain, declared
from reasons.ensembles.inputs import Inputs, own
from reasons.ensembles.ir import ScoreModel, TreeModel
from reasons.ensembles.one_hot import grouped, one_hot_suspects
from reasons.ensembles.score_discretize import scores_over_cells
from reasons.errors import BudgetExceeded, InputError, Option, UnsupportedModel
from reasons.explain.wording import Wording
from reasons.features.feature import Feature
from reasons.features.schema import Schema
from reasons.formats.files import Path
from reasons.frontends.agreement import require_agreement
from reasons.frontends.options import Method, Options
from reasons.frontends.registry import EVALUATE_HINT, LIBRARIES, library_of, load_function
from reasons.search.backend import EnsembleBackend
from reasons.text import comma_list, plural

_TRIED = Budget(nodes=1_000_000, seconds=5)
# Of 150 forests and boosters of six real tables, none that covers less than 1e-8 of its instances
# with 10,000 states compiled in ten seconds, and none whose share, were it to go on growing as
# it did from 10,000 to 40,000 states, would reach less than 0.1.
_ESTIMATE_EFFORTS = 10_000, 40_000  # states; some milliseconds
_LEAST_SHARE = 1e-8
_LEAST_REACH = 0.1
_EFFORT_A_SECOND = 4e6
_SIFTED_NODES = 100_000  # below a second; beyond, sifting costs as much as compiling


def compile_trained(
    source: Any, *, wording: Wording | None = None, budget: Budget | None = None, **options: Any
) -> Classifier:
    """The classifier of a trained model, or why it is not supported and what to do instead."""
    try:
        return compile_model(source, Options(**options), wording=wording, budget=budget)
    except UnsupportedModel as error:
        why = error.message if error.data else error.message.replace("{", "{{").replace("}", "}}")
        features = Option("features", text="[...]")
        raise UnsupportedModel(
            f"{why}; {EVALUATE_HINT}", **{**error.data, "features": features}
        ) from None


def load_model(path: Path, *, format: str, budget: Budget | None, **options: Any) -> Classifier:
    """The classifier of a file of a trained model: a library's own, skops, or a pickle.

    A text dump of XGBoost needs `classes` and `base_score`; a pickle needs `allow_pickle`.
    """
    if format == "pickle":
        from reasons.frontends.sklearn.files import load_file

        model = load_file(PurePath(path), allow_pickle=bool(options.pop("allow_pickle", False)))
        return compile_model(model, Options(**options), budget=budget)
    base_score = options.pop("base_score", None)
    checked = Options(**options)
    if format != "xgboost-dump":
        read = load_function(f"{format}.read:read_file")(path, checked)
        return classifier_of(read, checked, budget=budget)
    from reasons.frontends.xgboost.text_dump import read_text

    if checked.classes is None or base_score is None:
        raise InputError(
            "{file} is a text dump of XGBoost, which does not hold all that is needed: say "
            "{classes}, the labels in the model's order, and {base_score}",
            file=str(path),
            classes=Option("classes"),
            base_score=Option("base_score"),
        )
    return classifier_of(read_text(path, checked, base_score), checked, budget=budget)


def compile_predict(source: Any, *, features: Iterable[Any], **options: Any) -> Classifier:
    """The classifier of a function or a `predict`, evaluated in every cell of the features."""
    from reasons.frontends.functions.compiler import compile_function

    listed = list(features)
    by_name = not any(isinstance(feature, Feature) for feature in listed)
    if by_name and library_of(source) and is_read(source, Options()):
        raise InputError(
            "this model's features are its columns; leave {option} out, or give Feature.numeric("
            "...) and Feature.categorical(...) to have its predict evaluated in every cell",
            option="features",
        )
    return compile_function(source, features=listed, **options)


def compile_model(
    model: Any, options: Options, *, wording: Wording | None = None, budget: Budget | None = None
) -> Classifier:
    """The classifier of a trained model, of a whole pipeline in terms of the user's columns."""
    if isinstance(model, type):
        raise InputError(f"{model.__name__} is a class; give a fitted model of it")
    _require_share(model, options.threshold)
    final, inputs = _opened(model, options.threshold)
    read = _read(final, options, budget or UNLIMITED)
    return classifier_of(read, options, inputs, wording=wording, budget=budget)


def _require_share(model: Any, threshold: float | None) -> None:
    if threshold is not None and hasattr(model, "predict_proba") and not 0 <= threshold <= 1:
        raise InputError(
            "{option} is compared with a probability; give a number from 0 to 1",
            option=Option("threshold", threshold),
        )


def model_inputs(model: Any, options: Options) -> Inputs:
    """The user's columns of a trained model, and its `predict` on their raw values."""
    final, inputs = _opened(model, options.threshold)
    return grouped(inputs or own(_read(final, options)), options.groups or {})


def is_read(model: Any, options: Options) -> bool:
    """Whether a trained model has a reader."""
    try:
        _read(_opened(model, options.threshold)[0], options)
    except UnsupportedModel:
        return False
    return True


def _opened(model: Any, threshold: float | None) -> tuple[Any, Inputs | None]:
    """The model at the end of a pipeline, and the user's columns before it."""
    if library_of(model) is not LIBRARIES["sklearn"]:
        return model, None
    from reasons.frontends.sklearn.pipeline import opened

    return opened(model, threshold)


def _read(model: Any, options: Options, budget: Budget = UNLIMITED) -> TreeModel | ScoreModel:
    library = library_of(model)
    if library is None or not library.reader:
        raise UnsupportedModel(f"no reader for a {type(model).__module__}.{type(model).__name__}")
    if options.classes is not None and not library.takes_classes:
        raise InputError(
            "{option} is for models that do not know theirs; this one does", option="classes"
        )
    budget.pause("reading the model")
    limits = {"budget": budget} if library.budgeted else {}
    read: TreeModel | ScoreModel = load_function(library.reader)(model, options, **limits)
    budget.check("reading the model")
    return read


def classifier_of(
    model: TreeModel | ScoreModel,
    options: Options,
    inputs: Inputs | None = None,
    *,
    wording: Wording | None = None,
    budget: Budget | None = None,
) -> Classifier:
    """The classifier of a model that was read: compiled, or searched where it is too large."""
    inputs = inputs or own(model)
    tests = model.tests if isinstance(model, TreeModel) else ()
    suspects = [] if options.groups else one_hot_suspects(model.columns, tests)
    inputs = grouped(inputs, options.groups or {})
    domain = _domain(options, inputs)
    discretised = over_cells if isinstance(model, TreeModel) else scores_over_cells
    limit = budget or UNLIMITED
    schema, native = discretised(model, inputs, domain, limit)  # type: ignore[arg-type]
    limit.pause("compiling")
    backend, notes = backend_of(
        model, schema, native, domain.condition is not None, options.method, budget
    )
    notes = [model.library, *notes, *model.notes]
    notes += [
        f"columns that look one-hot: {comma_list(group)}; see the option groups"
        for group in suspects
    ]
    classifier = Classifier(
        backend,
        wording=wording,
        constraint=domain.text or None,
        predict=inputs.predict,
        notes=notes,
        options=replace(options, data=None),
    )
    require_agreement(classifier, "the model's predict", budget=limit)
    return classifier


def _domain(options: Options, inputs: Inputs) -> Domain:
    """The declared domain, and what data shows of the other columns."""
    missing = options.missing is not False
    if options.data is None:
        return declared(options.domain, options.constraint, missing=missing)
    from reasons.frontends.seen import seen_limits

    columns = [c for c in inputs.columns if c.name not in (options.domain or {})]
    seen, rows = seen_limits(options.data, columns, options.groups or {})
    source = f"values as in {plural(rows, 'row')} of data"
    return declared(options.domain, options.constraint, missing=missing, seen=seen, source=source)


def _tried(budget: Budget | None) -> Budget:
    """The budget of compiling before search takes over; time is always limited."""
    if budget is None:
        return _TRIED.renewed()
    left = budget.seconds_left
    share = _TRIED.seconds if left is None else max(left / 2, 1e-3)
    return replace(budget.renewed(), seconds=share)


def _may_fit(native: _core.Ensemble, budget: Budget) -> bool:
    """Whether compiling can end within a budget, judged by how far a little effort goes."""
    limit = native_budget(Budget(seconds=budget.seconds))
    first, second = _ESTIMATE_EFFORTS
    try:
        early = _core.explored_share(native, first, limit)
        if early < _LEAST_SHARE:
            return False
        late = _core.explored_share(native, second, limit)
    except BudgetExceeded:
        return True  # so that compiling says what it spent
    effort = _EFFORT_A_SECOND * (budget.seconds or 0)
    growth = max(math.log(late / early) / math.log(second / first), 0)
    return late * (effort / second) ** growth >= _LEAST_REACH or late >= _LEAST_REACH


def backend_of(
    model: TreeModel | ScoreModel,
    schema: Schema,
    native: _core.Ensemble,
    guarded: bool,
    method: Method | None,
    budget: Budget | None,
) -> tuple[Backend, list[str]]:
    """The backend of a sum of trees: a circuit, or search where it is too large; and notes."""
    why = "as the method 'search' asks" if method == "search" else ""
    if method is None and not _may_fit(native, _tried(budget)):
        why = "a circuit of it would be too large"
    if not why:
        stats = _core.CompileTreesStats()
        limit = native_budget(_tried(budget) if method is None else budget)
        try:
            compiled = _core.compile_trees(native, [], limit, stats)
        except BudgetExceeded as error:
            if method == "compiled":
                raise
            why = f"compiling it did not fit: {error}"
        else:
            circuit = Circuit(compiled, schema, tuple(model.labels))
            if circuit.is_ordered and len(circuit) <= _SIFTED_NODES:
                circuit = circuit.sifted(budget)
            notes = [f"compiled to {plural(len(circuit), 'node')}"]
            if stats.settled:
                notes[0] += f", {plural(stats.settled, 'close call')} settled"
            return circuit, notes
    seconds = None if budget is None else budget.seconds
    trees = EnsembleBackend(
        native, schema, tuple(model.labels), has_impossible=guarded, why=why, seconds=seconds
    )
    return trees, [f"answered by search: {why}"]
