"""The paper's classifiers and applicants, and short ways to write its terms.

Ten names; Greg and Scott stand for two instances each, in different sections.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import product

import reasons

Literals = frozenset[tuple[str, bool]]

C1 = reasons.compile("E & (~F | G | W)", features=["E", "F", "G", "W"])
C2 = reasons.compile("E & (~F | G | W | R)", features=["E", "F", "G", "W", "R"])
C3 = reasons.compile("(G & E) | (G & M) | (G & R)", features=["G", "E", "M", "R"])
STUDY = reasons.compile(
    "(E & ((F & (G | W)) | (~F & R))) | (G & R & W)", features=["E", "F", "G", "W", "R"]
)
TWINS = reasons.compile("(X & Y & Z) | (~X & ~Y & Z)", features=["X", "Y", "Z"])
COVERED = reasons.compile("(X & Z) | (Y & ~Z)", features=["X", "Y", "Z"])

FORMULAS: Mapping[str, tuple[reasons.Classifier, Callable[..., object]]] = {
    "C1": (C1, lambda E, F, G, W: E and (not F or G or W)),
    "C2": (C2, lambda E, F, G, W, R: E and (not F or G or W or R)),
    "C3": (C3, lambda G, E, M, R: (G and E) or (G and M) or (G and R)),
    "case study": (
        STUDY,
        lambda E, F, G, W, R: (E and ((F and (G or W)) or (not F and R))) or (G and R and W),
    ),
    "section 5": (TWINS, lambda X, Y, Z: (X and Y and Z) or (not X and not Y and Z)),
    "section 8": (COVERED, lambda X, Y, Z: (X and Z) or (Y and not Z)),
}

GREG = "E, ~F, ~G, W"
"""Sections 3 and 4."""
GREG_IN_SECTION_6 = "E, ~F, G, W"
SUSAN = "E, F, G, ~W"
"""Sections 4 and 6."""
RICH_SUSAN = "E, F, G, ~W, R"
"""Sections 1 and 6; the same Susan, seen by a classifier with one feature more."""
JACKIE = "~E, ~F, ~G, W"
BOB = "G, ~E, M, R"
NANCY = "G, ~E, ~M, ~R"
SCOTT_IN_SECTION_7 = "G, ~E, M, ~R"
LISA = "G, E, ~M, R"
HEATHER = "G, ~E, ~M, R"
SCOTT = "E, ~F, G, W, R"
"""Section 9, Figure 5."""
ROBIN = "E, F, G, W, R"
APRIL = "E, F, G, W, ~R"


def literals(text: str) -> Literals:
    """The term of a text such as "E, ~F".

    >>> sorted(literals("E, ~F"))
    [('E', True), ('F', False)]
    """
    names = [part.strip() for part in text.split(",") if part.strip()]
    return frozenset((name.lstrip("~"), not name.startswith("~")) for name in names)


def term(text: str) -> dict[str, bool]:
    return dict(literals(text))


def terms(text: str) -> set[Literals]:
    """The terms of a text such as "(E, ~F) (E, W)"."""
    return {literals(part.strip(" (")) for part in text.split(")") if part.strip()}


def shown(found: Iterable[Mapping[str, object]]) -> set[Literals]:
    return {frozenset((name, bool(value)) for name, value in each.items()) for each in found}


def instances(names: Iterable[str]) -> list[dict[str, bool]]:
    every = list(names)
    return [
        dict(zip(every, values, strict=True))
        for values in product((False, True), repeat=len(every))
    ]


def names_of(classifier: reasons.Classifier) -> list[str]:
    return [feature.name for feature in classifier.features]


def means(
    classifier: reasons.Classifier, reason: reasons.ReasonCircuit, formula: Callable[..., object]
) -> bool:
    """Whether a reason has exactly the models of a Python formula of the features."""
    every = instances(names_of(classifier))
    return all(bool(reason.evaluate(x)) == bool(formula(**x)) for x in every)


def is_reason(
    classifier: reasons.Classifier, instance: str, formula: Callable[..., object]
) -> bool:
    """Whether the formula is the complete reason for the decision on the instance."""
    return means(classifier, classifier.decide(instance).reason, formula)
