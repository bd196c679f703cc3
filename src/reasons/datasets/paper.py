"""The paper's examples: four admission classifiers and their applicants.

Greg and Scott are two different instances in different sections of the paper; both are here.
The formulas of the paper are compiled, not its prose.
"""

from dataclasses import dataclass
from functools import cache

from reasons.classifier import Classifier
from reasons.decision import Decision
from reasons.explain.wording import Wording
from reasons.features.feature import Feature, Phrase
from reasons.frontends.builder import Builder
from reasons.frontends.formula.compiler import compile_formula

_PHRASES: dict[str, tuple[Phrase, Phrase]] = {
    "E": ("passed the entrance exam", "did not pass the entrance exam"),
    "F": (
        ("is a first time applicant", "were a first time applicant"),
        ("is not a first time applicant", "were not a first time applicant"),
    ),
    "G": (
        ("has a high GPA", "had a high GPA"),
        ("does not have a high GPA", "did not have a high GPA"),
    ),
    "W": (
        ("has work experience", "had work experience"),
        ("does not have work experience", "did not have work experience"),
    ),
    "R": (
        ("comes from a rich hometown", "came from a rich hometown"),
        ("does not come from a rich hometown", "did not come from a rich hometown"),
    ),
    "M": (("is male", "were male"), ("is not male", "were not male")),
}

_ADMISSION = {
    True: ("is admitted", "would be admitted"),
    False: ("is denied admission", "would be denied admission"),
}


@dataclass(frozen=True, slots=True)
class Admission:
    """One of the paper's classifiers."""

    key: str
    formula: str
    features: str
    protected: tuple[str, ...]
    where: str


ADMISSIONS = (
    Admission("C1", "E & (~F | G | W)", "EFGW", (), "Section 2, Figure 1 left"),
    Admission("C2", "E & (~F | G | W | R)", "EFGWR", ("R",), "Section 2, Figure 1 right"),
    Admission("C3", "(G & E) | (G & M) | (G & R)", "GEMR", ("M", "R"), "Section 7, Equation 1"),
    Admission(
        "C4",
        "(E & ((F & (G | W)) | (~F & R))) | (G & R & W)",
        "EFGWR",
        ("R",),
        "Section 9, the case study",
    ),
)


@dataclass(frozen=True, slots=True)
class Applicant:
    """Someone the paper describes; `even_if` are its counterfactuals: (change, because)."""

    name: str
    pronoun: str
    admission: str
    instance: str
    where: str
    even_if: tuple[tuple[str, str], ...] = ()


APPLICANTS = (
    Applicant("Greg", "he", "C1", "E, ~F, ~G, W", "Section 3"),
    Applicant("Greg", "he", "C1", "E, ~F, G, W", "Section 6, another instance"),
    Applicant("Susan", "she", "C1", "E, F, G, ~W", "Sections 1, 4 and 6"),
    Applicant("Jackie", "she", "C1", "~E, ~F, ~G, W", "Section 6", (("G", "~E"),)),
    Applicant("Susan", "she", "C2", "E, F, G, ~W, R", "Sections 1 and 6", (("~G", "E, R"),)),
    Applicant("Bob", "he", "C3", "G, ~E, M, R", "Section 7"),
    Applicant("Nancy", "she", "C3", "G, ~E, ~M, ~R", "Section 7"),
    Applicant("Scott", "he", "C3", "G, ~E, M, ~R", "Section 7"),
    Applicant("Lisa", "she", "C3", "G, E, ~M, R", "Section 7"),
    Applicant("Heather", "she", "C3", "G, ~E, ~M, R", "Section 7"),
    Applicant("Scott", "he", "C4", "E, ~F, G, W, R", "Section 9, another instance"),
    Applicant("Robin", "she", "C4", "E, F, G, W, R", "Section 9"),
    Applicant("April", "she", "C4", "E, F, G, W, ~R", "Section 9", (("~W", "E, F, G"),)),
)


def feature(name: str) -> Feature:
    """A feature of the examples, with its phrases."""
    yes, no = _PHRASES[name]
    return Feature.boolean(name, phrases={True: yes, False: no})


@cache
def classifier(key: str, subject: str = "the applicant", pronoun: str = "they") -> Classifier:
    """A classifier of the examples, with the subject of its sentences."""
    admission = next(a for a in ADMISSIONS if a.key == key)
    return compile_formula(
        admission.formula,
        features=[feature(name) for name in admission.features],
        wording=Wording(subject, pronoun, _ADMISSION),
    )


def decision(applicant: Applicant) -> Decision:
    """The decision on an applicant."""
    clf = classifier(applicant.admission, applicant.name, applicant.pronoun)
    return clf.decide(applicant.instance)


def figure_classifier() -> Classifier:
    """A function with four decision nodes, for the paper's figure of the steps.

    The paper does not define the function that it draws. This is the majority of three.
    """
    build = Builder(["A", "B", "C"])
    no, yes = build.leaf(False), build.leaf(True)
    c = build.decide("C", {True: yes, False: no})
    either, both = (build.decide("B", {True: a, False: b}) for a, b in ((yes, c), (c, no)))
    return build.build(build.decide("A", {True: either, False: both}))
