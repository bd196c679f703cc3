"""Validation: classifiers compared with the `predict` of the model that they come from.

Front ends compare sampled instances after compiling. `check` does so on demand, and replays the
claims of a decision or an audit.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, Protocol

from reasons import _core
from reasons.budget import UNLIMITED, Budget
from reasons.classifier import Classifier
from reasons.decision import Decision
from reasons.errors import InputError, PropertyError
from reasons.features.terms import Instance, instance_of
from reasons.frontends.cell_values import numbers_within
from reasons.frontends.options import Options
from reasons.frontends.registry import is_layers
from reasons.text import comma_list, plural

Predict = Callable[[Sequence[Sequence[Any]]], Sequence[Any]]

SAMPLE = 200
_TRIES = 10  # per instance, where some are impossible
_ROWS = 100  # that a library predicts at once
_STAGE = "comparing with the model's predict"


@dataclass(frozen=True, slots=True)
class Check:
    """How many instances were compared, and where the model disagrees.

    It is true if all agree. `wrong` lists instances with the expected label and the model's.
    """

    compared: int
    wrong: tuple[tuple[Instance, Any, Any], ...]

    def __bool__(self) -> bool:
        return not self.wrong

    def __str__(self) -> str:
        if self:
            verb = "agrees" if self.compared == 1 else "agree"
            return f"{plural(self.compared, 'instance')} {verb} with the model"
        instance, ours, theirs = self.wrong[0]
        first = f"the first is {instance}: {theirs!r} instead of {ours!r}"
        differ = "differs" if len(self.wrong) == 1 else "differ"
        return f"{len(self.wrong):,} of {plural(self.compared, 'instance')} {differ}; {first}"


class Replayable(Protocol):
    """Claims about the labels of instances, as an audit makes them."""

    classifier: Classifier

    def replayed(self, sample: int, seed: int) -> list[tuple[Instance, Any]]:
        """Instances with the labels they must get."""


def check(
    subject: Classifier | Decision | Replayable,
    model: Any = None,
    rows: Any = None,
    *,
    sample: int = 1_000,
    seed: int = 0,
) -> Check:
    """Compare a classifier, or the claims of a decision, with the model's own `predict`.

    `model` is the trained model, or a function from a list of rows of raw values to labels;
    without, the one that the classifier was compiled from. A classifier is compared on
    `sample` instances drawn from its cells, and on `rows`. Of a decision these are replayed: its
    label, one sufficient reason (on `sample` instances that have it), and the smallest change
    to another label. Of an audit, `sample` rows are: their labels, witnesses, reasons and changes.
    """
    classifier = subject if isinstance(subject, Classifier) else subject.classifier
    predict = _predict(classifier, model)
    if rows is not None and subject is not classifier:
        raise InputError(
            "{option} is for classifiers; a decision or an audit has its own rows", option="rows"
        )
    if isinstance(subject, Decision):
        return _decision(subject, predict, sample, seed)
    if not isinstance(subject, Classifier):
        claims = subject.replayed(sample, seed)
        instances, labels = [x for x, _ in claims], [label for _, label in claims]
        return Check(len(claims), tuple(contradictions(instances, labels, predict)))
    instances = sample_instances(classifier, sample, seed)
    if rows is not None:
        instances += [instance_of(classifier.schema, row) for row in _listed(classifier, rows)]
    return Check(len(instances), tuple(disagreements(classifier, instances, predict)))


def _predict(classifier: Classifier, model: Any) -> Predict:
    if model is None:
        if classifier.model_predict is None:
            raise InputError("say which model to compare with: reasons.check(classifier, model)")
        return classifier.model_predict
    if is_layers(model):
        from reasons.frontends.bnn.compiler import neural_predict, read_neural

        network = read_neural(model, classifier.model_options or Options())
        if network.inputs != len(classifier.schema) or network.labels != len(classifier.labels):
            raise InputError(
                f"the network has {network.inputs} inputs and {network.labels} labels, the "
                f"classifier {len(classifier.schema)} and {len(classifier.labels)}"
            )
        return neural_predict(network, classifier.labels)
    if not hasattr(model, "predict") and callable(model):
        return model  # type: ignore[no-any-return]
    from reasons.frontends.models import model_inputs

    inputs = model_inputs(model, classifier.model_options or Options())
    names = tuple(column.name for column in inputs.columns)
    if names != classifier.schema.names or inputs.predict is None:
        raise InputError(
            f"the model has the columns {comma_list(names)}, the classifier "
            f"{comma_list(classifier.schema.names)}; give a function from rows to labels instead"
        )
    return inputs.predict


def _listed(classifier: Classifier, rows: Any) -> list[Any]:
    if hasattr(rows, "columns"):
        absent = [name for name in classifier.schema.names if name not in rows.columns]
        if absent:
            raise InputError(f"the rows lack the columns: {comma_list(absent)}")
        columns = [list(rows[name]) for name in classifier.schema.names]
        return [list(row) for row in zip(*columns, strict=True)]
    return list(rows)


def _decision(decision: Decision, predict: Predict, sample: int, seed: int) -> Check:
    classifier, reason = decision.classifier, decision.sufficient_reason()
    rng = Random(seed)
    same = [decision.instance]
    for instance in sample_instances(classifier, sample, rng.randrange(1 << 30)):
        cells = list(instance.cells)
        for feature in reason.limits:
            cells[feature] = decision.instance.cells[feature]
        same.append(decision.instance.changed(cells))
    wrong = [
        contradiction
        for contradiction in contradictions(same, [decision.label] * len(same), predict)
        if _possible(classifier, contradiction[0])
    ]
    change = decision.counterfactual()
    if change is not None:
        theirs = predict([list(change.instance.values())])[0]
        if theirs != change.label:
            wrong.append((change.instance, change.label, theirs))
    return Check(len(same) + (change is not None), tuple(wrong))


def _possible(classifier: Classifier, instance: Instance) -> bool:
    return classifier.backend.decide(instance.cells) != _core.IMPOSSIBLE


def sample_instances(
    classifier: Classifier, number: int, seed: int = 0, budget: Budget = UNLIMITED
) -> list[Instance]:
    """Possible instances; the cells of a feature are equally likely.

    Half of them have raw values from all over the cells, also near cuts, where faults show.
    """
    rng = Random(seed)
    instances: list[Instance] = []
    inside = cache(lambda feature, cell: numbers_within(classifier.schema[feature], cell))
    for _ in budget.each(range(number * _TRIES), _STAGE):
        if len(instances) == number:
            break
        cells = [rng.randrange(len(feature.values)) for feature in classifier.features]
        if classifier.backend.decide(cells) == _core.IMPOSSIBLE:
            continue
        if rng.random() < 0.5:
            instances.append(Instance.of_cells(classifier.schema, cells))
        else:
            raw = [rng.choice(inside(feature, cell)) for feature, cell in enumerate(cells)]
            instances.append(Instance(classifier.schema, raw, cells))
    if len(instances) < number and classifier.backend.compiled_circuit is not None:
        instances += _by_label(classifier, number - len(instances), rng)
    return instances


def _by_label(classifier: Classifier, number: int, rng: Random) -> list[Instance]:
    """Possible instances where these are rare, equally many of each label."""
    present = [label for label in classifier.labels if classifier.count(label)]
    each = -(-number // max(1, len(present)))
    return [x for label in present for x in classifier.sample(label, each, rng)][:number]


def disagreements(
    classifier: Classifier,
    instances: Sequence[Instance],
    predict: Predict,
    budget: Budget = UNLIMITED,
) -> list[tuple[Instance, Any, Any]]:
    """The instances that the classifier and a model decide differently, with both labels."""
    ours = [classifier.labels[classifier.backend.decide(instance.cells)] for instance in instances]
    return contradictions(instances, ours, predict, budget)


def contradictions(
    instances: Sequence[Instance],
    expected: Sequence[Any],
    predict: Predict,
    budget: Budget = UNLIMITED,
) -> list[tuple[Instance, Any, Any]]:
    """The instances that a model decides differently than expected, with both labels.

    A matrix product can differ in its last digit between one row and many. The reference is the
    decision on one row, so a row that differs among many is decided again alone.
    """
    rows = [list(instance.values()) for instance in instances]
    theirs: list[Any] = []
    for start in budget.each(range(0, len(rows), _ROWS), _STAGE):
        theirs += predict(rows[start : start + _ROWS])
    for at, mine in enumerate(budget.each(expected, _STAGE)):
        if theirs[at] != mine:
            theirs[at] = predict([rows[at]])[0]
    triples = zip(instances, expected, theirs, strict=True)
    return [(instance, mine, their) for instance, mine, their in triples if mine != their]


def require_agreement(
    classifier: Classifier,
    reference: str,
    number: int = SAMPLE,
    also: Sequence[Instance] = (),
    budget: Budget = UNLIMITED,
) -> None:
    """Compare sampled instances with the model's predict, called `reference`, and note it.

    Raises `PropertyError` where they differ. `also` are instances that a front end drew itself.
    """
    if classifier.model_predict is None:
        return
    instances = [*sample_instances(classifier, number, budget=budget), *also]
    if not instances:
        circuit = classifier.backend.compiled_circuit
        if circuit is not None and circuit.has_impossible:
            raise InputError(f"no instance is possible under: {classifier.constraint}")
        return
    wrong = disagreements(classifier, instances, classifier.model_predict, budget)
    if wrong:
        instance, mine, their = wrong[0]
        raise PropertyError(
            f"the model decides {their!r} on {instance}, where {mine!r} was expected; "
            f"{len(wrong)} of {len(instances)} instances differ. This is a fault of this package "
            "or of a version of the library that it does not know; please report it"
        )
    classifier.notes += (f"{len(instances):,} sampled instances agree with {reference}",)
