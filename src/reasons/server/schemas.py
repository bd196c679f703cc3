"""Schemas of requests and responses (pydantic); the OpenAPI description is made of them."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr

Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Value = StrictBool | StrictInt | Number | StrictStr | None
"""A raw value or a label; null is missing. A value that JSON cannot hold exactly is its text."""

Instance = dict[str, Value]
Names = Annotated[list[StrictStr], Field(max_length=10_000)]


class RequestBody(BaseModel):
    """A request; a key that it does not have is an error."""

    model_config = ConfigDict(extra="forbid")


class Decide(RequestBody):
    """An instance: a raw value for every feature."""

    instance: Instance


class DecideMany(RequestBody):
    """Several instances."""

    instances: list[Instance]


class Explain(RequestBody):
    """An instance, protected features, and how many terms to list of each set.

    `immutable` features stay as they are in the smallest changes.
    """

    instance: Instance
    protected: Names = []
    immutable: Names = []
    limit: int = Field(default=20, ge=0, le=200)


class EvenIf(RequestBody):
    """An instance and new values for some of its features."""

    instance: Instance
    change: Annotated[Instance, Field(min_length=1)]


class AskBias(RequestBody):
    """Protected features, and optionally an instance whose decision is examined."""

    protected: Annotated[Names, Field(min_length=1)]
    instance: Instance | None = None


class AskGraph(RequestBody):
    """The classifier's graph or a decision's reason.

    `expand` lists nodes whose children are sent, `all` requests everything that may be sent, and
    the truth of a reason's parts is that after `change`.
    """

    what: Literal["classifier", "reason"] = "classifier"
    instance: Instance | None = None
    change: Instance = {}
    expand: Annotated[list[StrictStr], Field(max_length=1_000)] = []
    all: bool = False


class CellValue(BaseModel):
    """One value of a feature; `raw` falls into it."""

    cell: int
    text: str
    says: str
    raw: Value


class Feature(BaseModel):
    """A feature with its first 1,000 values, missing and other; `cells` is their full number."""

    name: str
    kind: Literal["boolean", "categorical", "numeric"]
    cells: int
    cuts: list[float]
    closed: Literal["right", "left"]
    whole: bool
    within: list[Value] | None
    values: list[CellValue]


class Bounds(BaseModel):
    """Limits on requests and responses."""

    body: int
    audit_body: int
    seconds: float
    audit_seconds: float
    rows: int
    page: int
    reasons: int


class First(BaseModel):
    """The first case: the first row that can be decided, or default values."""

    row: int | None
    instance: Instance


class Model(BaseModel):
    """The served model."""

    api: int
    version: str
    name: str
    method: Literal["compiled", "search", "clauses"]
    labels: list[Value]
    label_texts: list[str]
    nodes: int | None
    notes: list[str]
    constraint: str | None
    protected: list[str]
    rows: int | None
    first: First
    limits: Bounds
    features: list[Feature]


class Interval(BaseModel):
    """Numbers between two bounds, one of which is included; null is no bound."""

    low: float | None
    high: float | None
    closed: Literal["right", "left"]


class Characteristic(BaseModel):
    """A feature with its values, intervals joined; `cell` is the cell of the instance."""

    feature: str
    text: str
    cell: int
    values: list[Interval | Value]


class Term(BaseModel):
    """A set of characteristics."""

    text: str
    characteristics: list[Characteristic]


class Decided(BaseModel):
    """A decision."""

    label: Value
    label_text: str
    instance: Instance
    cells: list[int]
    characteristics: list[Characteristic]


class Cells(BaseModel):
    """The cell of each value in feature order; null where `problems` say why it has none."""

    instance: Instance
    cells: list[int | None]
    problems: dict[str, str]


class DecidedMany(BaseModel):
    """The labels of several instances, in order."""

    labels: list[Value]


class Node(BaseModel):
    """A node; `hidden_children` of it were not sent. Literals list the cells they are true of."""

    id: str
    kind: Literal["decision", "leaf", "impossible", "and", "or", "literal", "true", "false"]
    text: str
    on_path: bool
    true: bool | None = None
    hidden_children: int
    feature: str | None = None
    cells: list[int] | None = None


class Edge(BaseModel):
    """An edge from a node to one of its inputs."""

    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True)

    start: str = Field(alias="from")
    to: str
    text: str
    on_path: bool


class Graph(BaseModel):
    """Nodes and edges; the whole graph has `total` nodes."""

    nodes: list[Node]
    edges: list[Edge]
    root: str
    total: int


class CompleteReason(BaseModel):
    """The disjunction of all sufficient reasons."""

    text: str
    graph: Graph


class Share(BaseModel):
    """The share of the terms that mention a feature."""

    feature: str
    share: float


class Terms(BaseModel):
    """Terms of a set, shortest first; `count` is exact, in decimal digits, or null."""

    count: str | None
    shown: list[Term]
    shares: list[Share]
    exceeded: bool
    note: str | None


class Changed(BaseModel):
    """One feature's value before and after."""

    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True)

    feature: str
    start: Value = Field(alias="from")
    to: Value


class Change(BaseModel):
    """A smallest change that gives another label."""

    label: Value
    label_text: str
    instance: Instance
    changed: list[Changed]


class DecisionBias(BaseModel):
    """Whether a decision is biased; the witness differs on protected features only."""

    biased: bool
    witness: Instance | None
    witness_label: Value
    proof: str


class ClassifierBias(BaseModel):
    """Whether any decision is biased, with a pair that shows it; null where `note` says why."""

    biased: bool | None
    pair: list[Instance] | None
    labels: list[Value]
    proof: str | None
    exceeded: bool
    note: str | None


class Bias(BaseModel):
    """Verdicts on protected features."""

    protected: list[str]
    decision: DecisionBias | None
    classifier: ClassifierBias


class Note(BaseModel):
    """Why a part of an explanation is null or empty; a note without a part is about the limits."""

    part: str | None
    text: str


class Explained(Decided):
    """A decision and why; `notes` say what could not be answered, which is null or empty.

    `unanswered` names these parts, and `exceeded` all parts for which the budget was too small.
    `unseen` are values that the model does not know, and decides as any other.
    `widened` is the sufficient reason with every value widened as far as the label still holds. It
    is null where all features have two values; so is the text `general_reason` where all are
    Boolean.
    """

    unseen: Instance
    method: Literal["compiled", "search", "clauses"]
    constraint: str | None
    sentences: list[str]
    sufficient_reason: Term | None
    widened: Term | None
    complete_reason: CompleteReason | None
    general_reason: str | None
    sufficient_reasons: Terms
    necessary: Term | None
    necessary_reason: Term | None
    changes: list[Change]
    contrastive_sets: Terms
    bias: Bias | None
    unanswered: list[str]
    exceeded: list[str]
    notes: list[Note]
    model_notes: list[str]


class Sticks(BaseModel):
    """Whether a decision stays after a change, because of what did not change."""

    before: Value
    after: Value
    sticks: bool
    because: list[Term]
    sentence: str


class Row(BaseModel):
    """A row of the user's data: an instance with its label, or what is wrong with it.

    `others` are its values in columns that are no features, such as ids.
    """

    row: int
    others: Instance = {}
    instance: Instance | None = None
    label: Value = None
    label_text: str | None = None
    problem: str | None = None


class Rows(BaseModel):
    """Some rows; `others` are columns that are no features, the first 20."""

    total: int
    start: int
    columns: list[str]
    others: list[str]
    rows: list[Row]


class Said(BaseModel):
    """An error: its kind, a message, and its place in a source."""

    kind: str
    message: str
    source: str | None = None
    line: int | None = None
    column: int | None = None


class Error(BaseModel):
    """The body of every error response."""

    error: Said
