"""Schemas of audits (pydantic): the request, the summary, and rows of verdicts.

The summary is `reasons.audit(...).summary.as_dict()`. What is not known is null, and a `why`
beside it says why.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, Field, StrictInt, StrictStr

from reasons.server.schemas import Changed, Instance, Names, RequestBody, Value

Count = StrictInt | StrictStr
"""A number of possible instances; beyond 2^53 it is a text."""


class AskAudit(RequestBody):
    """An audit of the server's rows, or of instances.

    `ask` is some of bias, witness, necessary, reason, shortest, count and change; `favourable` is
    the label that people want.
    """

    data: Literal["rows"] | list[Instance] = "rows"
    protected: Names = Field(default=[])
    ask: Annotated[list[StrictStr], Field(max_length=10)] | None = None
    favourable: Value = None


class ProblemCount(BaseModel):
    """A problem and how many rows have it."""

    problem: str
    rows: int


class Problems(BaseModel):
    """How many rows have a problem, and the most frequent problems."""

    rows: int
    most_frequent: list[ProblemCount]


class ValueCount(BaseModel):
    """A value that the model has not seen, and how many rows have it."""

    value: str
    rows: int


class UnseenValues(BaseModel):
    """The values of a feature that the model has not seen; whether such rows are decided."""

    feature: str
    rows: int
    decided: bool
    values: list[ValueCount]


class LabelCount(BaseModel):
    """A label, how many rows got it, and their share of the decided rows."""

    label: Value
    rows: int
    share: float | None


class Disagreement(BaseModel):
    """A logged decision that differs from the model's: how many rows, and the first of them."""

    logged: Value
    label: Value
    rows: int
    first: int


class LogComparison(BaseModel):
    """How the logged decisions compare with the model's."""

    column: str
    agree: int
    disagree: int
    not_comparable: int
    share: float | None
    disagreements: list[Disagreement]


class ReasonCounts(BaseModel):
    """Rows that were explained: with a necessary characteristic, with exactly one reason, with a
    reason of one characteristic."""

    asked: int
    some_necessary: int | None
    only_one: int | None
    alone: int | None


class FeatureCount(BaseModel):
    """In how many rows a feature is necessary, and in how many it is in the reason."""

    feature: str
    necessary: int | None
    necessary_share: float | None
    in_reason: int | None
    in_reason_share: float | None


class BiasCount(BaseModel):
    """Of how many decisions the bias is known, and how many are biased."""

    known: int
    biased: int
    share: float | None


class LabelBias(BiasCount):
    """Biased decisions among those with a label."""

    label: Value


class GroupBias(BiasCount):
    """Biased decisions among the rows of a group; `says` is the group with its column."""

    column: str
    group: str
    says: str


class BiasCounts(BiasCount):
    """Biased decisions, by label and by group.

    `only_unseen` of them change only for a value that is missing or that the model has not seen.
    """

    by_label: list[LabelBias]
    by_group: list[GroupBias]
    only_unseen: int | None


class WitnessPair(BaseModel):
    """Two possible instances that differ on protected features only, and their labels."""

    one: Instance
    other: Instance
    labels: list[Value]
    changed: list[Changed]


class ModelBias(BaseModel):
    """Whether any decision of the model is biased, with a pair that shows it."""

    biased: bool | None
    proof: str | None
    why: str | None
    witness: WitnessPair | None


class BiasShare(BaseModel):
    """The share of all possible instances that are biased; an interval where it is estimated."""

    known: bool
    exact: bool | None
    proof: str | None
    biased: Count | None
    instances: Count | None
    share: float | None
    interval: list[float] | None
    weighted_share: float | None
    weighted_interval: list[float] | None
    weighting: str
    why: str | None


class ProtectedSet(BaseModel):
    """Protected features together: biased decisions, the model, all possible instances."""

    name: str
    features: list[str]
    decisions: BiasCounts
    classifier: ModelBias
    domain: BiasShare


class Treatment(BaseModel):
    """Disparate treatment, which is exact."""

    kind: str
    why: str | None
    sets: list[ProtectedSet]


class SelectionRate(BaseModel):
    """How often a group gets the favourable label, and the ratio to the best-off group's rate."""

    group: str
    says: str
    rows: int
    favourable: int
    rate: float | None
    low: float | None
    high: float | None
    small: bool
    best_off: bool
    ratio: float | None
    ratio_low: float | None
    ratio_high: float | None
    below: bool | None


class ColumnImpact(BaseModel):
    """The selection rates of the groups of a column."""

    column: str
    best_off: str | None
    lowest_ratio: float | None
    without_group: int
    why: str | None
    groups: list[SelectionRate]


class Impact(BaseModel):
    """Disparate impact, which is statistical."""

    kind: str
    interval: str
    computed_with: str | None
    why: str | None
    columns: list[ColumnImpact]


class Summary(BaseModel):
    """What the verdicts of an audit say together."""

    rows: int
    decided: int
    problems: Problems
    unseen: list[UnseenValues]
    labels: list[LabelCount]
    favourable: Value
    logged: LogComparison | None
    reasons: ReasonCounts
    features: list[FeatureCount]
    treatment: Treatment
    impact: Impact


class Audited(BaseModel):
    """An audit's id, under which its rows are served, and its summary."""

    id: str
    rows: int
    summary: Summary


class Column(BaseModel):
    """A column of verdicts."""

    name: str
    kind: Literal["number", "text", "boolean", "list"]


class AuditRows(BaseModel):
    """Some of the verdicts; `total` are as asked for."""

    total: int
    start: int
    columns: list[Column]
    rows: list[dict[str, Value | list[str]]]
