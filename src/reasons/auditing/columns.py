"""The columns of the table that an audit makes, and what its file says about itself."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from reasons.auditing.questions import Questions
from reasons.classifier import Classifier
from reasons.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

KEY = b"reasons.audit"
VERSION = 1


@dataclass(frozen=True)
class Layout:
    """Which columns there are, and the characteristics that they speak of.

    A characteristic is a feature's cell as text, `sex = male`; `texts` lists those of all
    features, one feature after another.
    """

    questions: Questions
    labels: tuple[Any, ...]
    features: tuple[str, ...]
    sizes: tuple[int, ...]
    texts: tuple[str, ...]

    @classmethod
    def of(cls, classifier: Classifier, questions: Questions) -> "Layout":
        """The layout of an audit of a classifier."""
        features = classifier.features
        texts = tuple(f.says((cell,)) for f in features for cell in range(len(f.values)))
        if len(set(texts)) != len(texts):
            twice = next(text for i, text in enumerate(texts) if text in texts[:i])
            raise InputError(f"two values of a feature are written alike: {twice}; rename one")
        layout = cls(
            questions,
            tuple(classifier.labels),
            classifier.schema.names,
            tuple(len(f.values) for f in features),
            texts,
        )
        layout._require_distinct_names()
        return layout

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
        """The columns that are answered from the cells of a row, with their types."""
        import pyarrow as pa

        one, many = self.characteristic, pa.list_(self.characteristic)
        asked, fields = self.questions.ask, [("label", self.label)]
        if "bias" in asked:
            for name in self.questions.protected:
                fields.append((joined("biased", name), pa.bool_()))
                if "witness" in asked:
                    fields.append((joined("witness", name), many))
                    fields.append((joined("witness_label", name), self.label))
            single = set(self.questions.single_features) - set(self.questions.protected)
            for name in self.questions.protected_features:
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
        groups = [(joined("group", name), one) for name in self.questions.protected_features]
        return pa.schema([*groups, *fields, ("problem", pa.string())])

    @property
    def characteristic(self) -> "pa.DataType":
        """The type of a characteristic."""
        import pyarrow as pa

        return pa.dictionary(pa.int32(), pa.string())

    @property
    def label(self) -> "pa.DataType":
        """The type of a label: that of the labels, or text where they are of several."""
        import pyarrow as pa

        kinds = {type(label) for label in self.labels}
        for kind, found in ((bool, pa.bool_()), (int, pa.int64()), (float, pa.float64())):
            if kinds == {kind}:
                return found
        return pa.string()

    def written(self, label: Any) -> Any:
        """A label as the table holds it."""
        import pyarrow as pa

        return str(label) if self.label == pa.string() else label

    def schema(self, data: "pa.Schema") -> "pa.Schema":
        """The whole table's, for data of a schema; the order of the columns is part of it."""
        import pyarrow as pa

        q, answers = self.questions, {field.name: field for field in self.answers}
        fields = [pa.field("row", pa.int64())]
        fields += [data.field(name).remove_metadata() for name in q.keep]
        fields.append(answers.pop("label"))
        if q.logged is not None:
            fields += [pa.field("logged", self.label), pa.field("agrees", pa.bool_())]
        fields += [answers.pop(joined("group", name)) for name in q.protected_features]
        fields += [pa.field(joined("group", name), pa.string()) for name in q.groups]
        return pa.schema([*fields, *answers.values()], metadata={KEY: self.about})

    @cached_property
    def about(self) -> bytes:
        """What a file says about itself: the layout as JSON."""
        questions = asdict(self.questions) | {"ask": sorted(self.questions.ask)}
        questions["logged_as"] = list(self.questions.logged_as.items())
        about = {
            "version": VERSION,
            "labels": list(self.labels),
            "features": list(self.features),
            "sizes": list(self.sizes),
            "texts": list(self.texts),
            "questions": questions,
        }
        return json.dumps(about, ensure_ascii=False, default=_plain).encode()

    @classmethod
    def read(cls, schema: "pa.Schema") -> "Layout":
        """The layout that a table was written with, or `InputError` if it is no audit's."""
        about = (schema.metadata or {}).get(KEY)
        if about is None:
            raise InputError("this table was not written by an audit")
        try:
            kept = json.loads(about)
            if kept["version"] != VERSION:
                raise InputError(f"this audit's table is of version {kept['version']}")
            asked = kept["questions"]
            questions = Questions(
                protected={name: tuple(names) for name, names in asked["protected"].items()},
                ask=frozenset(asked["ask"]),
                logged=asked["logged"],
                logged_as=dict(asked["logged_as"]),
                keep=tuple(asked["keep"]),
                groups=tuple(asked["groups"]),
                favourable=asked["favourable"],
                seconds=asked["seconds"],
            )
            plain = (tuple(kept[name]) for name in ("labels", "features", "sizes", "texts"))
            return cls(questions, *plain)
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise InputError(f"what the table says about its audit is damaged: {error}") from None

    def _require_distinct_names(self) -> None:
        """No column of the user's may be named as one of ours."""
        q = self.questions
        own = ["row", "logged", "agrees", *self.answers.names]
        own += [joined("group", name) for name in q.groups]
        for name in (*q.keep, *own):
            if (*q.keep, *own).count(name) > 1:
                raise InputError(
                    f"two columns of the audit would be named {name!r}; leave it out of keep=, "
                    "or rename the set of protected features"
                )


def joined(what: str, name: str) -> str:
    """The name of a column about a set or a feature: `biased_sex`; of the set "", `biased`."""
    return f"{what}_{name}" if name else what


def _plain(value: Any) -> Any:
    """A label or value as JSON holds it."""
    if isinstance(value, Mapping):
        return dict(value)
    return value.item() if hasattr(value, "item") else str(value)
