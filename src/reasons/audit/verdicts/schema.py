"""The columns of an audit's table, and the metadata of its file."""

import json
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import accumulate
from math import isfinite
from typing import TYPE_CHECKING, Any

from reasons.audit.options import AuditOptions
from reasons.audit.verdicts.passthrough import copied_type
from reasons.classifier import Classifier
from reasons.errors import InputError, Option
from reasons.features.feature import Feature
from reasons.features.grammar.tokens import quoted
from reasons.features.values import MISSING, Special
from reasons.text import short_repr
from reasons.views.values import json_tree, json_value, python_value, utf8

if TYPE_CHECKING:
    import pyarrow as pa

KEY = b"reasons.audit"
UNSEEN = "unseen"
"""The column of the values of a row that the model has not seen."""
VERSION = 2
_LISTS = ("labels", "features", "sizes", "texts", "idle", "special")


@dataclass(frozen=True)
class VerdictSchema:
    """The columns of an audit's table, and the characteristics in them.

    A characteristic is a feature's cell as text, `sex = male`. `texts` lists those of all
    features, one feature after another; `special` are the places of <other> and <missing>. `idle`
    are the protected features whose numbers are all one cell: their groups are the values of the
    data.
    """

    options: AuditOptions
    labels: tuple[Any, ...]
    features: tuple[str, ...]
    sizes: tuple[int, ...]
    texts: tuple[str, ...]
    idle: tuple[str, ...]
    special: tuple[int, ...]

    @classmethod
    def of(cls, classifier: Classifier, options: AuditOptions) -> "VerdictSchema":
        """The schema of an audit of a classifier."""
        features, protected = classifier.features, options.protected_features
        values = [value for f in features for value in f.values]
        texts = tuple(f.says((cell,)) for f in features for cell in range(len(f.values)))
        if len(set(texts)) != len(texts):
            twice = next(text for i, text in enumerate(texts) if text in texts[:i])
            raise InputError(f"two values of a feature are written alike: {twice}; rename one")
        made = cls(
            options,
            tuple(map(python_value, classifier.labels)),
            classifier.schema.names,
            tuple(len(f.values) for f in features),
            texts,
            tuple(f.name for f in features if _is_idle(f) and f.name in protected),
            tuple(i for i, x in enumerate(values) if isinstance(x, Special)),
        )
        made._require_encodable()
        made._require_distinct_names()
        made._require_distinct_labels()
        return made

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """Where the characteristics of each feature start."""
        return (0, *accumulate(self.sizes))[:-1]

    @cached_property
    def place(self) -> dict[str, tuple[int, int]]:
        """The feature and the cell of each characteristic."""
        every = ((f, cell) for f, size in enumerate(self.sizes) for cell in range(size))
        return dict(zip(self.texts, every, strict=True))

    @property
    def answers(self) -> "pa.Schema":
        """The columns that depend on the cells of a row, with their types."""
        import pyarrow as pa

        one, many = self.characteristic, pa.list_(self.characteristic)
        asked, fields = self.options.ask, [("label", self.label)]
        if "bias" in asked:
            for name in self.options.protected:
                fields.append((joined("biased", name), pa.bool_()))
                if "witness" in asked:
                    fields.append((joined("witness", name), many))
                    fields.append((joined("witness_label", name), self.label))
            single = set(self.options.single_features) - set(self.options.protected)
            for name in self.options.protected_features:
                if name in single:
                    fields.append((joined("biased", name), pa.bool_()))
        for question, columns in (
            ("necessary", [("necessary", many)]),
            ("reason", [("reason", many)]),
            ("shortest", [("shortest", many), ("shortest_proved", pa.bool_())]),
            ("count", [("reasons", pa.int64())]),
            ("change", [("change", many), ("change_label", self.label)]),
        ):
            fields += columns if question in asked else []
        groups = [(joined("group", name), one) for name in self.telling]
        return pa.schema([*groups, *fields, ("problem", pa.string())])

    @property
    def telling(self) -> tuple[str, ...]:
        """The protected features whose groups are their cells."""
        return tuple(x for x in self.options.protected_features if x not in self.idle)

    @property
    def characteristic(self) -> "pa.DataType":
        """The type of a characteristic."""
        import pyarrow as pa

        return pa.dictionary(pa.int32(), pa.string())

    @property
    def label(self) -> "pa.DataType":
        """The type of a label: that of the labels, or text where one type does not hold all."""
        import pyarrow as pa

        kinds = {type(label) if _is_plain(label) else str for label in self.labels}
        for kind, found in ((bool, pa.bool_()), (int, pa.int64()), (float, pa.float64())):
            if kinds == {kind}:
                return found
        return pa.string()

    def written(self, label: Any) -> Any:
        """A label as the table holds it."""
        import pyarrow as pa

        own = python_value(label)
        return str(own) if self.label == pa.string() else own

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The features as characteristics name them: in quotes where they need some."""
        return tuple(map(quoted, self.features))

    def schema(self, data: "pa.Schema") -> "pa.Schema":
        """The whole table's, for data of a schema; the order of the columns is part of it."""
        import pyarrow as pa

        q, answers = self.options, {field.name: field for field in self.answers}
        fields = [pa.field("row", pa.int64())]
        fields += [pa.field(name, copied_type(data.field(name).type)) for name in q.keep]
        fields.append(answers.pop("label"))
        if q.logged is not None:
            fields += [pa.field("logged", self.label), pa.field("agrees", pa.bool_())]
        texts = {joined("group", name): pa.string() for name in self.idle}
        for name in (joined("group", feature) for feature in q.protected_features):
            fields.append(answers.pop(name, None) or pa.field(name, texts[name]))
        fields += [pa.field(joined("group", name), pa.string()) for name in q.groups]
        fields += [*answers.values(), pa.field(UNSEEN, pa.list_(pa.string()))]
        return pa.schema(fields, metadata={KEY: self.about})

    @cached_property
    def about(self) -> bytes:
        """The metadata of a file: this schema as JSON."""
        options = asdict(self.options) | {"ask": sorted(self.options.ask)}
        options["logged_as"] = list(self.options.logged_as.items())  # keys may be no texts
        about = {
            "version": VERSION,
            **{name: getattr(self, name) for name in _LISTS},
            "labels": list(map(json_value, self.labels)),  # a tuple is its text
            "questions": options,
        }
        return json.dumps(json_tree(about), ensure_ascii=False).encode()

    @classmethod
    def read(cls, schema: "pa.Schema") -> "VerdictSchema":
        """The schema of an audit's table, or `InputError` if the table is not from an audit."""
        about = (schema.metadata or {}).get(KEY)
        if about is None:
            raise InputError("this table was not written by an audit")
        try:
            kept = json.loads(about)
            _require_version(kept["version"])
            kept_options = kept["questions"]
            favourable = kept_options["favourable"]
            own = int if str(schema.field("label").type) == "int64" else python_value
            options = AuditOptions(
                protected={name: tuple(names) for name, names in kept_options["protected"].items()},
                ask=frozenset(kept_options["ask"]),
                logged=kept_options["logged"],
                logged_as={value: own(label) for value, label in kept_options["logged_as"]},
                keep=tuple(kept_options["keep"]),
                groups=tuple(kept_options["groups"]),
                favourable=None if favourable is None else own(favourable),
                seconds=kept_options["seconds"],
            )
            lists = {name: tuple(kept[name]) for name in _LISTS}
            return cls(options, **lists | {"labels": tuple(map(own, kept["labels"]))})
        except InputError:
            raise
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise InputError(f"the metadata of the table is damaged: {error}") from None

    def _require_distinct_names(self) -> None:
        """No column of the user may have the name of a column of the audit."""
        q = self.options
        own = ["row", "logged", "agrees", *self.answers.names, UNSEEN]
        own += [joined("group", name) for name in (*self.idle, *q.groups)]
        for name in (*q.keep, *own):
            if (*q.keep, *own).count(name) > 1:
                raise InputError(
                    "two columns of the audit would be named {value}; leave it out of {option}, "
                    "or rename the set of protected features",
                    value=name,
                    option="keep",
                )

    def _require_distinct_labels(self) -> None:
        texts = [str(label) for label in self.labels]
        for i, text in enumerate(texts):
            if text in texts[:i]:
                raise InputError(f"two labels are written alike: {text}; rename one")

    def _require_encodable(self) -> None:
        """Every text and name must be one that a file can hold."""
        q = self.options
        meanings = (*q.logged_as, *q.logged_as.values())
        names = (*self.features, *q.protected, *q.keep, *q.groups, q.logged)
        for text in map(str, (*names, *self.labels, *self.texts, *meanings)):
            if utf8(text) != text:
                raise InputError(
                    f"a name, a label or a value cannot be written as UTF-8: {short_repr(text)}; "
                    "rename it"
                )


def joined(what: str, name: str) -> str:
    """The name of a column about a set or a feature: `biased_sex`; of the set "", `biased`."""
    return f"{what}_{name}" if name else what


def _is_idle(feature: Feature) -> bool:
    """Whether all its numbers are one cell."""
    return feature.kind == "numeric" and sum(x is not MISSING for x in feature.values) == 1


def _is_plain(label: Any) -> bool:
    """Whether a typed column and JSON hold it: no number too large, infinite, or none at all."""
    if isinstance(label, float):
        return isfinite(label)
    return not isinstance(label, int) or -(2**63) <= label < 2**63


def _require_version(version: Any) -> None:
    if version == VERSION:
        return
    if isinstance(version, int) and version < VERSION:
        raise InputError(
            "this table was written by an audit of an older release (version {version}; this "
            "one reads {own}): run the audit again, with {restart}",
            version=version,
            own=VERSION,
            restart=Option("restart", True),
        )
    raise InputError(
        f"this table is of version {short_repr(version)}, and this release reads {VERSION}: "
        "read it with the release that wrote it"
    )
