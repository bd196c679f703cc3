"""Every sentence of `Decision.statements` is read back and checked by the oracle.

Only the plain wording is read; phrases replace its words, not its meaning.
"""

import re
from collections.abc import Callable
from random import Random

import pytest

from tests.support import oracle
from tests.support.comparison import Subject
from tests.support.generators import boolean_function, instances_of
from tests.support.oracle import Function, Instance, Term
from tests.support.specs import Case

PROTECTED = frozenset({0, 1})


def literals(text: str) -> Term:
    """The term of "A, ~B and C"."""
    parts = text.replace(" and ", ", ").split(", ")
    return frozenset(("ABCD".index(part[-1]), int(part[0] != "~")) for part in parts)


def supposed(text: str) -> dict[int, int]:
    """The change of "A were true, B were false and C were true"."""
    parts = [part.split(" were ") for part in text.replace(" and ", ", ").split(", ")]
    return {"ABCD".index(name): ("false", "true").index(value) for name, value in parts}


def after(function: Function, x: Instance, change: str) -> str:
    return str(function.label(oracle.changed(x, supposed(change))))


def is_bias(function: Function, x: Instance, label: str, change: str) -> bool:
    inside = set(supposed(change)) <= PROTECTED
    return inside and after(function, x, change) == label != str(function.label(x))


READINGS: dict[str, Callable[..., bool]] = {
    r"The decision is (\w+) whatever the values are\.": lambda f, x, label: (
        label == str(f.label(x)) and oracle.because(f, x, frozenset())
    ),
    r"The decision is (\w+) because ([^()]+)\.": lambda f, x, label, term: (
        label == str(f.label(x)) and oracle.because(f, x, literals(term))
    ),
    r"The decision is (\w+) because (.+) \(not the only reason\)\.": lambda f, x, label, term: (
        label == str(f.label(x))
        and literals(term) in (every := oracle.sufficient_reasons(f, x))
        and len(every) > 1
    ),
    r"The decision would be (\w+) if (.+), all else equal\.": lambda f, x, label, change: (
        label == after(f, x, change) != str(f.label(x))
    ),
    r"The decision is biased on A and B: .+ would be (\w+) if (.+), all else equal\.": is_bias,
    r"The decision is not biased on A and B: .+\.": lambda f, x: (
        not oracle.is_decision_biased(f, x, PROTECTED)
    ),
    r"The decision would still be (\w+) even if (.+), because (.+)\.": lambda f, x, label, c, t: (
        label == str(f.label(x)) and oracle.even_if_because(f, x, supposed(c), literals(t))
    ),
}


def is_true(sentence: str, function: Function, x: Instance) -> bool:
    for pattern, reading in READINGS.items():
        if found := re.fullmatch(pattern, sentence):
            return bool(reading(function, x, *found.groups()))
    raise AssertionError(f"cannot read {sentence!r}")


def sentences(case: Case, x: Instance) -> list[str]:
    decision = case.classifier.decide(Subject(*case).user_instance(x))
    return decision.statements(protected=["A", "B"], limit=100)


@pytest.mark.parametrize("part", range(4))
def test_every_sentence_is_true(part: int) -> None:
    for number in range(part, 2**16, 600):
        case = boolean_function(4, number)
        function = Function(case.domains, case.table)
        for x in instances_of(case, Random(number), most=2):
            for sentence in sentences(case, x):
                assert is_true(sentence, function, x), (number, x, sentence)


def test_a_false_sentence_is_noticed() -> None:
    case = boolean_function(4, 0b1000)
    function = Function(case.domains, case.table)
    x = next(x for x, label in case.table.items() if label)
    assert not is_true("The decision is True because ~A.", function, x)
    assert not is_true("The decision is not biased on A and B: nothing.", function, x)
    only = ", ".join(f"{'' if cell else '~'}{name}" for name, cell in zip("ABCD", x, strict=True))
    assert is_true(f"The decision is True because {only}.", function, x)
    assert not is_true(f"The decision is True because {only} (not the only reason).", function, x)
    assert not is_true("The decision would be True if A were true, all else equal.", function, x)
