"""Every answer about a trained model, compiled and by search, against brute force.

What the two methods share with other classifiers is compared by `compare_decision`. Here are
the answers that only models make interesting: changes that the library itself must confirm.
"""

from fractions import Fraction
from random import Random
from typing import Any, Literal

import reasons
from tests.support import oracle
from tests.support.compare import compare_decision
from tests.support.models.model_table import ModelSubject, Predict
from tests.support.oracle import IMPOSSIBLE, Instance

METHODS: tuple[Literal["compiled", "search"], ...] = ("compiled", "search")


def instances_of(subject: ModelSubject, number: int, seed: int) -> list[Instance]:
    """Possible instances, of different labels where there are several."""
    rng = Random(seed)
    pool = list(subject.function.allowed)
    rng.shuffle(pool)
    first = {subject.function.table[x]: x for x in reversed(pool)}
    return list(dict.fromkeys([*first.values(), *pool]))[:number]


def compare_labels(subject: ModelSubject) -> None:
    """Raise Mismatch unless every cell is decided as the library decides its raw row."""
    function = subject.function
    rows = [subject.user_instance(x) for x in function.allowed]
    wanted = [function.table[x] for x in function.allowed]
    subject.expect("predict", subject.classifier.predict(rows).tolist(), wanted)
    for x in set(function.instances()) - set(function.allowed):
        try:
            subject.classifier.decide(subject.user_instance(x))
        except reasons.InputError:
            continue
        subject.expect(f"{x} is refused", False, True)


def compare_model(subject: ModelSubject, instance: Instance) -> reasons.Term:
    """Raise Mismatch unless all answers about a decision are right; one sufficient reason."""
    decision = subject.classifier.decide(subject.user_instance(instance))
    compare_decision(subject, decision, instance)
    _shortest(subject, decision, instance)
    _cheapest(subject, decision, instance)
    _flips(subject, decision)
    return decision.sufficient_reason()


def _shortest(subject: ModelSubject, decision: reasons.Decision, instance: Instance) -> None:
    wanted = oracle.sufficient_reasons(subject.function, instance)
    found = decision.shortest_reason()
    subject.expect("the shortest reason is one", subject.term(found.term) in wanted, True)
    subject.expect("its length", len(found.term), min(map(len, wanted)))
    subject.expect("it is proved", (found.proved, found.at_least), (True, len(found.term)))


def _cheapest(subject: ModelSubject, decision: reasons.Decision, instance: Instance) -> None:
    """The cheapest change, freely and under random constraints, by trying all instances."""
    rng = Random(repr(instance))
    features = list(subject.function.features)
    for step in range(4):
        kept = [f for f in features if step and rng.random() < 0.3]
        costs = {f: rng.choice([1, 2, 5]) for f in features if step > 1}
        allowed = {f: _cells(subject, rng, f) for f in features if step > 2 and f not in kept}
        _one_change(subject, decision, instance, kept, costs, allowed)


def _cells(subject: ModelSubject, rng: Random, feature: int) -> list[int]:
    size = subject.function.domains[feature]
    return rng.sample(range(size), rng.randrange(1, size + 1))


def _one_change(
    subject: ModelSubject,
    decision: reasons.Decision,
    instance: Instance,
    kept: list[int],
    costs: dict[int, int],
    allowed: dict[int, list[int]],
) -> None:
    function = subject.function
    label = function.label(instance)

    def is_open(x: Instance) -> bool:
        return all(
            f not in kept and x[f] in allowed.get(f, [x[f]]) for f in oracle.differing(instance, x)
        )

    prices = [
        sum(Fraction(costs.get(f, 1)) for f in oracle.differing(instance, x))
        for x in function.allowed
        if function.table[x] != label and is_open(x)
    ]
    options: dict[str, Any] = {
        "immutable": subject.names(kept),
        "costs": {subject.features[f].name: cost for f, cost in costs.items()},
        "allowed": {
            subject.features[f].name: _listed(subject, f, cells) for f, cells in allowed.items()
        },
    }
    change = decision.counterfactual(**options)
    subject.expect(f"a change within {options}", change is not None, bool(prices))
    if change is None:
        return
    found = subject.instance(change.instance)
    moved = oracle.differing(instance, found)
    subject.expect(f"{found} is within {options}", is_open(found), True)
    subject.expect("its cost", change.cost, float(min(prices)))
    paid = sum(costs.get(f, 1) for f in moved)
    subject.expect("what it costs indeed", paid, min(prices))
    subject.expect("what it gives up", set(change.given_up), subject.names(moved))
    subject.expect("its label", change.label, function.table[found])
    subject.expect("it flips", change.label in (label, IMPOSSIBLE), False)
    subject.expect("the library says so", subject.predicted(change.instance), change.label)


def _listed(subject: ModelSubject, feature: int, cells: list[int]) -> list[Any]:
    """Values as a user may list them: intervals, categories, None where they are missing."""
    values = subject.features[feature].values
    return [None if str(values[cell]) == "<missing>" else values[cell] for cell in cells]


def _flips(subject: ModelSubject, decision: reasons.Decision) -> None:
    """Every contrastive set: an instance that gives it up, and the library decides otherwise."""
    names = {feature.name for feature in subject.features}
    for given_up in decision.contrastive_sets():
        kept = {name: decision.cells[name] for name in names - set(given_up)}
        other = decision.counterexample(kept)
        subject.expect(f"{given_up} can be given up", other is not None, True)
        if other is not None:
            flipped = subject.predicted(other) != decision.label
            subject.expect(f"the library flips at {other}", flipped, True)


def require_all_answers(
    model: Any, predict: Predict, seed: int, instances: int, **options: Any
) -> None:
    """Both methods against the same table, which `predict` makes, and against each other."""
    subjects = [
        ModelSubject(reasons.compile(model, method=method, **options), predict, seed=seed)
        for method in METHODS
    ]
    for subject, method in zip(subjects, METHODS, strict=True):
        subject.expect("the method", subject.classifier.method, method)
        compare_labels(subject)
        compare_labels(ModelSubject(subject.classifier, predict, seed=seed + 1))
        compare_bias(subject)
    for x in instances_of(subjects[0], instances, seed):
        compiled, searched = (compare_model(subject, x) for subject in subjects)
        subjects[0].expect("one reason by both methods", compiled, searched)


def compare_bias(subject: ModelSubject) -> None:
    """Classifier bias for every set of features."""
    function = subject.function
    for protected in oracle.subsets(function.features):
        bias = subject.classifier.bias(subject.names(protected))
        wanted = oracle.is_classifier_biased(function, protected)
        subject.expect(f"classifier bias {set(protected)}", bool(bias), wanted)
        if wanted:
            one, other = bias.witness
            apart = oracle.differing(subject.instance(one), subject.instance(other))
            subject.expect(f"{one} and {other} differ there only", apart <= protected, True)
            differ = subject.predicted(one) != subject.predicted(other)
            subject.expect("the library decides them differently", differ, True)
