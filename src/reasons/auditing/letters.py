"""Principal reasons of refusals, as adverse-action notices state them.

The rule. Of each row whose label is not the favourable one, one sufficient reason is taken:
features are dropped as long as the others still force the decision, those never to be cited
first, then from the last of the user's table to the first. So a feature that is never to be cited
stays only if every reason has one; then no code is given, and the note says why. Necessary
characteristics come first (each of them, changed alone, can change the decision), then the
others, in the order of the table; features that share a code are one reason; four are named, and
`reasons` says how many there are. Whatever is cut, `whole` and `statement` are the whole reason,
and `protected` lists its protected characteristics.
"""

import csv
import io
import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from reasons.auditing.answers import Answers
from reasons.auditing.apart import require_apart, target_of
from reasons.auditing.binning import cells_of_batch, pieces
from reasons.auditing.codes import Codes, codes_of
from reasons.auditing.copied import copied, taken
from reasons.auditing.inputs import PART
from reasons.auditing.parts import appearing, parquet, put
from reasons.auditing.summary import require_favourable
from reasons.auditing.treatment import plain_value
from reasons.auditing.verdicts import Verdicts
from reasons.budget import Budget
from reasons.errors import InputError
from reasons.terms import Term

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

    from reasons.auditing.result import Audit

MOST = 4
"""Principal reasons that are named."""

Write = Callable[["pa.RecordBatch"], None]


@dataclass(frozen=True)
class Letters:
    """Where the letters are, and for how many rows.

    `without` of these have no codes, and a note that says why; `undecided` rows of the data have
    no label, and no letter.
    """

    path: Path
    rows: int
    without: int
    undecided: int

    def __str__(self) -> str:
        some = f"; {self.without:,} of them without codes, see their notes" if self.without else ""
        none = f"; {self.undecided:,} rows were not decided" if self.undecided else ""
        return f"{self.path}: principal reasons of {self.rows:,} rows{some}{none}"


def write_letters(audit: "Audit", path: str | os.PathLike[str], codes: Any) -> Letters:
    """Write the principal reasons of every row that did not get the favourable label.

    Cost: that of a sufficient reason a row, and one pass over the data.
    """
    target = letters_file(path)
    require_apart([audit.path, target], audit.source, [codes])
    writer = _WRITERS[target.suffix.lower()]
    told = _Letters(audit, codes_of(audit.classifier.schema, codes))
    batches = told.batches()
    first = next(batches)
    rows, without = first.num_rows, _noted(first)
    with appearing(target) as file, writer(file, first.schema) as write:
        write(first)
        for batch in batches:
            write(batch)
            rows, without = rows + batch.num_rows, without + _noted(batch)
    return Letters(target, rows, without, told.undecided)


def letters_file(path: str | os.PathLike[str]) -> Path:
    """The file that letters go to, or `InputError` if it is of no kind that can be written."""
    target = target_of(path)
    if target.suffix.lower() not in _WRITERS:
        raise InputError(f"cannot write {target}: letters go to .csv, .jsonl or .parquet")
    return target


def _noted(batch: "pa.RecordBatch") -> int:
    return int(batch.num_rows - batch.column("note").null_count)


class _Letters:
    """Batches of letters for the rows of an audit's data."""

    def __init__(self, audit: "Audit", codes: Codes) -> None:
        self.audit, self.codes, self.layout = audit, codes, audit.layout
        self.favourable = audit.layout.labels.index(require_favourable(audit))
        schema = audit.classifier.schema
        self.rank = {schema.index(name): i for i, name in enumerate(codes.of)}
        self.never = set(schema.indices(codes.never))
        self.protected = set(schema.indices(audit.questions.protected_features))
        self.dropped = [*sorted(self.never, reverse=True), *reversed(self.rank)]
        self.verdicts = Verdicts(audit.classifier, audit.questions)
        self.undecided = 0
        for name in audit.questions.keep:
            if name in dict(self._types()):
                raise InputError(f"letters have a column {name!r}; leave yours out of keep=")

    def batches(self) -> "Iterator[pa.RecordBatch]":
        keep = self.audit.questions.keep
        columns = tuple(dict.fromkeys((*self.layout.features, *keep)))
        for number, part in enumerate(self.audit.source.parts(columns)):
            for at, piece in pieces(self.audit.classifier.schema, part):
                yield self._batch(piece, number * PART + at)

    def _batch(self, piece: "pa.RecordBatch", first: int) -> "pa.RecordBatch":
        """The letters for the rows of a piece that are refused, in order."""
        import numpy as np
        import pyarrow as pa

        cells, problems, _ = cells_of_batch(self.audit.classifier.schema, piece)
        whole = np.delete(np.arange(len(cells)), list(problems))
        answers = self.verdicts.answers(cells[whole], Budget(seconds=None))
        refused = (answers.labels >= 0) & (answers.labels != self.favourable)
        chosen = np.flatnonzero(refused[answers.kind_of])
        self.undecided += len(problems) + int((answers.labels[answers.kind_of] < 0).sum())
        letters = self._said(answers, refused)
        at = pa.array((np.cumsum(refused) - 1)[answers.kind_of[chosen]])
        rows = pa.array(whole[chosen])
        kept = {
            name: taken(copied(piece.column(name), name), rows, name)
            for name in self.audit.questions.keep
        }
        own = {
            name: pa.array([letter[name] for letter in letters], kind).take(at)
            for name, kind in self._types()
        }
        columns = {"row": pa.array(first + whole[chosen], pa.int64()), **kept, **own}
        return pa.record_batch(list(columns.values()), list(columns))

    def _types(self) -> Iterator[tuple[str, Any]]:
        import pyarrow as pa

        yield "label", self.layout.label
        yield "reasons", pa.int32()
        for i in range(1, MOST + 1):
            for name in ("code", "text", "characteristic"):
                yield f"{name}_{i}", pa.string()
        for name in ("whole", "statement", "protected", "note"):
            yield name, pa.string()

    def _said(self, answers: Answers, refused: "np.ndarray") -> list[dict[str, Any]]:
        """A letter for each kind of row that is refused, in order."""
        import numpy as np

        kinds = np.flatnonzero(refused).tolist()
        if not kinds:
            return []
        necessary, reason = answers.necessary(), answers.sufficient(self.dropped)
        letters = []
        for kind in kinds:
            label = self.layout.labels[answers.labels[kind]]
            if kind in reason.failed:
                letters.append(self._letter(label, {}, f"not known: {reason.failed[kind]}"))
                continue
            features = np.flatnonzero(reason.yes[kind]).tolist()
            ranked = sorted(
                features, key=lambda f: (not necessary.yes[kind][f], self.rank.get(f, -1))
            )
            letters.append(self._letter(label, {f: int(answers.cells[kind][f]) for f in ranked}))
        return letters

    def _letter(self, label: Any, cells: dict[int, int], note: str | None = None) -> dict[str, Any]:
        """What is said of a refusal: `cells` are those of its reason, the principal ones first."""
        says = {f: self.layout.texts[self.layout.offsets[f] + cell] for f, cell in cells.items()}
        letter: dict[str, Any] = {name: None for name, _ in self._types()}
        letter["label"] = self.layout.written(label)
        letter["protected"] = "; ".join(says[f] for f in says if f in self.protected) or None
        kept_back = [says[f] for f in says if f in self.never]
        if kept_back:
            note = f"every reason has what is never to be cited; one has {'; '.join(kept_back)}"
        elif note is None and not cells:
            note = "the decision is the same whatever the values are"
        letter["note"] = note
        if note is not None:
            return letter
        cited: dict[Any, list[str]] = {}
        for feature, text in says.items():
            cited.setdefault(self.codes.of[self.layout.features[feature]], []).append(text)
        letter["reasons"] = len(cited)
        for i, (code, texts) in enumerate(list(cited.items())[:MOST], 1):
            letter[f"code_{i}"], letter[f"text_{i}"] = code.code, code.text
            letter[f"characteristic_{i}"] = "; ".join(texts)
        letter["whole"] = "; ".join(says.values())
        letter["statement"] = self._statement(label, cells)
        return letter

    def _statement(self, label: Any, cells: dict[int, int]) -> str:
        """The whole reason as a sentence."""
        classifier = self.audit.classifier
        term = Term(classifier.schema, {f: (cell,) for f, cell in cells.items()})
        facts = classifier.wording.facts(classifier.features, term)
        return f"One reason why {classifier.wording.decided(label)} is that {facts}."


def _rows(batch: "pa.RecordBatch") -> Iterator[tuple[Any, ...]]:
    """The rows as Python values; `InputError` where a column has one that Python lacks."""
    columns = []
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        try:
            columns.append(column.to_pylist())
        except (ValueError, OverflowError) as error:  # Arrow's own are of the first
            raise InputError(
                f"the column {name!r} of type {column.type} cannot be written ({error}); leave it "
                "out of keep="
            ) from None
    return zip(*columns, strict=True)


@contextmanager
def _as_csv(file: IO[bytes], schema: "pa.Schema") -> Iterator[Write]:
    def lines(rows: Iterable[Any]) -> None:
        text = io.StringIO(newline="")
        csv.writer(text).writerows(rows)
        file.write(text.getvalue().encode("utf-8", "replace"))

    lines([schema.names])
    yield lambda batch: lines(_rows(batch))


@contextmanager
def _as_lines(file: IO[bytes], schema: "pa.Schema") -> Iterator[Write]:
    def write(batch: "pa.RecordBatch") -> None:
        for row in _rows(batch):
            plain = dict(zip(schema.names, map(plain_value, row), strict=True))
            line = json.dumps(plain, ensure_ascii=False, allow_nan=False)
            file.write(f"{line}\n".encode("utf-8", "replace"))

    yield write


@contextmanager
def _as_parquet(file: IO[bytes], schema: "pa.Schema") -> Iterator[Write]:
    with parquet(file, schema) as writer:
        yield lambda batch: put(writer, batch)


_WRITERS = {
    ".csv": _as_csv,
    ".jsonl": _as_lines,
    ".ndjson": _as_lines,
    ".parquet": _as_parquet,
    ".pq": _as_parquet,
}
