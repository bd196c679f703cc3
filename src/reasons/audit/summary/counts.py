"""Counts over the verdicts of an audit, in one pass, part by part.

Memory depends on the number of groups, labels and characteristics, not of rows. Texts without a
bound (problems, groups of the user's columns) are counted by name up to a limit, and then together.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from reasons.audit.verdicts.schema import UNSEEN, VerdictSchema, joined
from reasons.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

MOST = 1_000
"""How many different texts are counted by name."""
REST = "(all others)"


class Pattern(NamedTuple):
    """Biased decisions of one kind: the protected values, the changed values, both labels."""

    name: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    label: Any
    other: Any


@dataclass
class RowCount:
    """The number of rows of a kind, and the first of them."""

    rows: int = 0
    first: int = -1

    def add(self, rows: int, first: int) -> None:
        """Count more rows; parts come in order, so the first row stays the first."""
        self.first = first if self.rows == 0 else self.first
        self.rows += rows


@dataclass
class Tally:
    """The counts. `groups[column][group][label]` counts rows, and `known_x` and `yes_x` of each
    column x of bias; the column "" has the one group "", which is everybody. `unseen[feature]`
    counts its values that were never seen, `only_unseen[name]` the rows whose witness of a
    protected set takes such a value or none."""

    verdict_schema: VerdictSchema
    rows: int = 0
    with_problem: int = 0
    problems: Counter[str] = field(default_factory=Counter)
    logged: dict[tuple[Any, Any], RowCount] = field(default_factory=lambda: defaultdict(RowCount))
    groups: dict[str, dict[Any, dict[Any, Counter[str]]]] = field(default_factory=dict)
    answered: Counter[str] = field(default_factory=Counter)
    features: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    alone: dict[tuple[str, Any], RowCount] = field(default_factory=lambda: defaultdict(RowCount))
    patterns: dict[Pattern, RowCount] = field(default_factory=lambda: defaultdict(RowCount))
    unseen: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    only_unseen: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        asked = self.verdict_schema.options
        names = (*asked.protected_features, *asked.groups)
        self._telling = frozenset(self.verdict_schema.telling)
        self.columns = {joined("group", name): name for name in names}
        self.biased = [
            x for x in self.verdict_schema.answers.names if x == "biased" or x[:7] == "biased_"
        ]
        self.groups = {"": {}, **{name: {} for name in names}}

    def add(self, batch: "pa.RecordBatch") -> None:
        """Count a part."""
        import pyarrow as pa

        table = pa.Table.from_batches([batch])
        self.rows += table.num_rows
        self._problems(table.column("problem"))
        self._unseen(batch.column(UNSEEN))
        for column, name in (("", ""), *self.columns.items()):
            self._groups(table, column, name)
        if self.verdict_schema.options.logged is not None:
            pairs = table.group_by(["logged", "label"]).aggregate([([], "count_all"), _FIRST])
            for row in pairs.to_pylist():
                self.logged[row["logged"], row["label"]].add(row["count_all"], row["row_min"])
        self._mentioned(batch)
        if "witness" in self.verdict_schema.options.ask:
            for name, features in self.verdict_schema.options.protected.items():
                self._witnesses(table, name, features)

    def _problems(self, column: "pa.ChunkedArray") -> None:
        said = column.drop_null()
        self.with_problem += len(said)
        for entry in said.value_counts().to_pylist():
            self.problems[_bounded(entry["values"], self.problems)] += entry["counts"]

    def _unseen(self, column: "pa.Array") -> None:
        for entry in column.flatten().value_counts().to_pylist():
            name, value = self._split(entry["values"])
            own = self.unseen[name]
            own[_bounded(value, own)] += entry["counts"]

    def _split(self, text: str) -> tuple[str, str]:
        """The feature and the value; no name with an equals sign in it is without quotes."""
        for name, said in zip(self.verdict_schema.features, self.verdict_schema.names, strict=True):
            if text.startswith(f"{said} = "):
                return name, text[len(said) + 3 :]
        raise InputError(f"the table has an unseen value {text!r} of no feature")

    def _groups(self, table: "pa.Table", column: str, name: str) -> None:
        keys = [column, "label"] if column else ["label"]
        asked = [(biased, what) for biased in self.biased for what in ("sum", "count")]
        found = table.select([*keys, *self.biased]).group_by(keys)
        for row in found.aggregate([*asked, ([], "count_all")]).to_pylist():
            group = row[column] if column else ""
            if group is not None:
                group = _bounded(group, self.groups[name])
            counts = self.groups[name].setdefault(group, {}).setdefault(row["label"], Counter())
            counts["rows"] += row["count_all"]
            for biased in self.biased:
                counts[f"known_{biased}"] += row[f"{biased}_count"]
                counts[f"yes_{biased}"] += row[f"{biased}_sum"] or 0

    def _mentioned(self, batch: "pa.RecordBatch") -> None:
        """Which features are necessary, and which are in the reason; what suffices alone."""
        import pyarrow.compute as pc

        asked = [x for x in ("necessary", "reason") if x in self.verdict_schema.options.ask]
        for question in asked:
            column = batch.column(question)
            self.answered[question] += len(column) - column.null_count
            for entry in column.flatten().value_counts().to_pylist():
                self.features[question][self._feature(entry["values"])] += entry["counts"]
            some = pc.greater(pc.list_value_length(column), 0)
            self.answered[f"some_{question}"] += pc.sum(some).as_py() or 0
        if len(asked) == 2:
            lengths = [pc.list_value_length(batch.column(question)) for question in asked]
            self.answered["only"] += pc.sum(pc.equal(*lengths)).as_py() or 0
        if "reason" in asked:
            self._alone(batch)

    def _alone(self, batch: "pa.RecordBatch") -> None:
        import pyarrow as pa
        import pyarrow.compute as pc

        length = pc.list_value_length(batch.column("reason"))
        one = batch.filter(pc.equal(length, 1))
        self.answered["alone"] += one.num_rows
        table = pa.table(
            {"x": one.column("reason").flatten(), **{n: one.column(n) for n in ("label", "row")}}
        )
        for row in (
            table.group_by(["x", "label"]).aggregate([([], "count_all"), _FIRST]).to_pylist()
        ):
            self.alone[row["x"], row["label"]].add(row["count_all"], row["row_min"])

    def _witnesses(self, table: "pa.Table", name: str, features: Sequence[str]) -> None:
        """Which change of which protected values changes which label, and how often."""
        import pyarrow as pa
        import pyarrow.compute as pc

        witness, other = joined("witness", name), joined("witness_label", name)
        own = [joined("group", feature) for feature in features if feature in self._telling]
        table = table.filter(table.column(joined("biased", name)))
        lists = table.column(witness).combine_chunks()
        # Lists are no keys to group by, and the texts may have any character: join their places.
        places = pc.index_in(lists.values.cast(pa.string()), pa.array(self.verdict_schema.texts))
        lists = pa.ListArray.from_arrays(lists.offsets, places)
        self.only_unseen[name] += _with_some(lists, self.verdict_schema.special)
        table = table.select([*own, "label", other, "row"])
        joined_places = pc.binary_join(lists.cast(pa.list_(pa.string())), " ")
        table = table.append_column("changed", joined_places)
        found = table.group_by([*own, "label", other, "changed"])
        for row in found.aggregate([([], "count_all"), _FIRST]).to_pylist():
            after = tuple(self.verdict_schema.texts[int(place)] for place in row["changed"].split())
            before = tuple(self._before(text, row) for text in after)
            pattern = Pattern(name, before, after, row["label"], row[other])
            if pattern in self.patterns or len(self.patterns) < MOST:
                self.patterns[pattern].add(row["count_all"], row["row_min"])

    def _before(self, text: str, row: dict[str, Any]) -> str:
        """What a characteristic was changed from: of two cells, the other one."""
        feature, cell = self.verdict_schema.place[text]
        name, first = self.verdict_schema.features[feature], self.verdict_schema.offsets[feature]
        if name in self._telling:
            return str(row[joined("group", name)])
        return self.verdict_schema.texts[first + 1 - cell]

    def _feature(self, text: str) -> str:
        return self.verdict_schema.features[self.verdict_schema.place[text][0]]

    def total(self, name: str = "") -> Counter[str]:
        """The counts of everybody, or of the rows whose group in a column is known."""
        own = self.groups[name].items()
        return _sum(c for g, labels in own if g is not None for c in labels.values())

    def of_groups(self, name: str) -> Iterator[tuple[str, Counter[str], dict[Any, Counter[str]]]]:
        """Of each group of a column its counts, together and by label, in the groups' order."""
        known = {group: own for group, own in self.groups[name].items() if group is not None}
        for group in sorted(known, key=self._order):
            yield group, _sum(known[group].values()), known[group]

    def named(self, column: str, group: str) -> dict[str, str]:
        """A group as the table has it, and as text that says of which column it is."""
        own = (
            column in self.verdict_schema.options.protected_features
            and group in self.verdict_schema.place
        )
        return {"group": group, "says": group if own else f"{column} = {group}"}

    def _order(self, group: str) -> tuple[int, tuple[int, int], str]:
        """As the feature has its values; other columns by their texts, the rest last."""
        return group == REST, self.verdict_schema.place.get(group, (-1, -1)), group


_FIRST = ("row", "min")


def _sum(counts: Iterable[Counter[str]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for each in counts:
        total.update(each)
    return total


def _with_some(lists: "pa.ListArray", wanted: Sequence[int]) -> int:
    """How many of some lists of numbers have one of those that are wanted."""
    import pyarrow as pa
    import pyarrow.compute as pc

    has = pc.is_in(lists.flatten(), pa.array(wanted, pa.int32()))
    return int(pc.count_distinct(pc.list_parent_indices(lists).filter(has)).as_py())


def _bounded(text: str, known: Any) -> str:
    return text if text in known or len(known) < MOST else REST


def count_verdicts(verdict_schema: VerdictSchema, batches: "Iterable[pa.RecordBatch]") -> Tally:
    """The counts over all parts. Cost: one pass over the columns that are counted."""
    tally = Tally(verdict_schema)
    for batch in batches:
        tally.add(batch)
    return tally
