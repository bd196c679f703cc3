"""A generated log of applications, for the demo of an audit: the paper's admissions, widened.

Applicants collect points. The hometown gives some, so it can change decisions. Sex gives none, but
men have more work experience in this log and are admitted more often. So one protected feature
shows disparate treatment, and the other disparate impact without it. Some logged decisions
overrule the points, and some hometowns are invalid.
"""

from functools import cache
from typing import TYPE_CHECKING

from reasons.audit.api import audit
from reasons.classifier import Classifier
from reasons.explain.wording import Wording
from reasons.frontends.scorecards.api import from_points

if TYPE_CHECKING:
    import pyarrow as pa

PROTECTED = ("hometown", "sex")
_ODD = 40
_OVERRULED = 0.012

_CARD = {
    "exam": {"< 50": 0, "[50, 65)": 14, "[65, 80)": 26, ">= 80": 38},
    "gpa": {"< 2.5": 0, "[2.5, 3)": 8, "[3, 3.5)": 15, ">= 3.5": 22},
    "work years": {"< 1": 0, "[1, 3)": 6, "[3, 6)": 11, ">= 6": 15},
    "applied before": {"no": 4, "yes": 0},
    "letters": {"none": 0, "one": 4, "two": 7, "three": 9},
    "hometown": {"modest": 0, "average": 3, "rich": 9},
    "sex": {"female": 0, "male": 0},
}
_PHRASES = {
    "admitted": ("is admitted", "would be admitted"),
    "refused": ("is refused", "would be refused"),
}


@cache
def points_card() -> Classifier:
    """The scorecard: 55 points admit."""
    rows = [
        {"feature": name, "bin": each, "points": points}
        for name, own in _CARD.items()
        for each, points in own.items()
    ]
    wording = Wording("the applicant", "", _PHRASES)
    return from_points(rows, threshold=55, labels=("refused", "admitted"), wording=wording)


def applications(rows: int = 100_000, seed: int = 7) -> "pa.Table":
    """A log of that many applications; reproducible."""
    import numpy as np
    import pyarrow as pa

    rng = np.random.default_rng(seed)
    male = rng.random(rows) < 0.52
    rich = rng.choice(3, rows, p=[0.45, 0.38, 0.17])
    talent = rng.normal(size=rows) + 0.25 * (rich - 0.7)
    columns = {
        "application": np.arange(1, rows + 1),
        "exam": np.clip(np.round(63 + 13 * talent + 7 * rng.normal(size=rows)), 0, 100),
        "gpa": np.clip(np.round(2.95 + 0.4 * talent + 0.3 * rng.normal(size=rows), 1), 0, 4),
        "work years": np.floor(rng.gamma(1.2, np.where(male, 4.2, 0.9))),
        "applied before": np.where(rng.random(rows) < 0.22, "yes", "no"),
        "letters": rng.choice(["none", "one", "two", "three"], rows, p=[0.2, 0.3, 0.3, 0.2]),
        "hometown": np.array(["modest", "average", "rich"])[rich],
        "sex": np.where(male, "male", "female"),
        "region": rng.choice(["east", "north", "south", "west"], rows, p=[0.3, 0.35, 0.34, 0.01]),
    }
    verdicts = audit(points_card(), pa.table(columns), ask=()).table
    decided = verdicts.column("label").to_numpy()
    overruled = rng.random(rows) < _OVERRULED
    other = np.where(decided == "admitted", "refused", "admitted")
    columns["decision"] = np.where(overruled, other, decided)
    odd = rng.choice(rows, min(_ODD, rows), replace=False)
    columns["hometown"] = columns["hometown"].astype(object)
    columns["hometown"][odd] = "n/a"
    return pa.table(columns)
