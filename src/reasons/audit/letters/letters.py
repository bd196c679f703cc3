"""Principal reasons of refusals, as adverse-action notices state them.

For each row without the favourable label, one sufficient reason is chosen. Features are dropped as
long as the others still force the decision: first those that are never cited, then from the last
feature of the user's table to the first. So a feature that is never cited stays only if every
reason includes one; then no code is given, and the note says why. Necessary characteristics come
first (changing one alone can change the decision), then the others in the order of the table.
Features that share a code are one reason. Four reasons are named, and `reasons` is their full
number. `whole` and `statement` are the whole reason, and `protected` lists its protected
characteristics.
"""

import os
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

from reasons.audit.letters.reason_codes import Codes, codes_of
from reasons.audit.letters.result import Letters
from reasons.audit.letters.writer import WRITERS, letters_file
from reasons.audit.outputs.parquet_parts import write_errors
from reasons.audit.outputs.paths import require_no_overwrite
from reasons.audit.summary.summary import require_favourable
from reasons.audit.verdicts.answers import Answers
from reasons.audit.verdicts.passthrough import copied, taken
from reasons.audit.verdicts.worker import VerdictWorker
from reasons.budget import Budget
from reasons.errors import InputError
from reasons.features.tables import Problems, cells_of_batch, pieces
from reasons.features.terms import Term
from reasons.formats.rows.source import PART
from reasons.fs import atomic_file
from reasons.text import capitalised

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

    from reasons.audit.audit import Audit

MOST = 4
"""Principal reasons that are named."""

_NAMED = 3  # rows without a label that are named
_KEPT_BACK = "every reason includes a feature that is never cited"
_ALWAYS = "the decision is the same whatever the values are"
_UNKNOWN = "not known"


def write_letters(
    audit: "Audit", path: str | os.PathLike[str], codes: Any, budget: Budget | None = None
) -> Letters:
    """Write the principal reasons of every row that did not get the favourable label.

    Cost: that of a sufficient reason a row, and one pass over the data.
    """
    limits = budget or Budget(seconds=None)
    target = letters_file(path)
    require_no_overwrite([audit.path, target], audit.source, [codes])
    writer = WRITERS[target.suffix.lower()]
    letters = _Letters(audit, codes_of(audit.classifier.schema, codes))
    batches, rows = letters.batches(), 0
    first = next(batches)
    with (
        write_errors(target),
        atomic_file(target) as file,
        writer(file, first.schema) as write,
    ):
        for batch in chain([first], batches):
            write(batch)
            rows += batch.num_rows
            limits.report("letters", letters.read, audit.source.rows)
            limits.check("letters")
    wanted = audit.verdict_schema.written(require_favourable(audit))
    return Letters(
        target,
        rows,
        letters.notes.total(),
        letters.undecided,
        wanted,
        letters.read - rows - letters.undecided,
        dict(letters.notes.most_common()),
        letters.problems,
    )


class _Letters:
    """Batches of letters for the rows of an audit's data."""

    def __init__(self, audit: "Audit", codes: Codes) -> None:
        self.audit, self.codes, self.verdict_schema = audit, codes, audit.verdict_schema
        self.favourable = audit.verdict_schema.labels.index(require_favourable(audit))
        schema = audit.classifier.schema
        self.rank = {schema.index(name): i for i, name in enumerate(codes.of)}
        self.never = set(schema.indices(codes.never))
        self.protected = set(schema.indices(audit.options.protected_features))
        self.dropped = [*sorted(self.never, reverse=True), *reversed(self.rank)]
        self.verdicts = VerdictWorker(audit.classifier, audit.options)
        self.undecided = self.read = 0
        self.problems: dict[int, str] = {}
        self.notes: Counter[str] = Counter()
        for name in audit.options.keep:
            if name in dict(self._types()):
                raise InputError(
                    "letters have a column {value}; leave yours out of {option}",
                    value=name,
                    option="keep",
                )

    def batches(self) -> "Iterator[pa.RecordBatch]":
        keep = self.audit.options.keep
        columns = tuple(dict.fromkeys((*self.verdict_schema.features, *keep)))
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
        impossible = whole[answers.labels[answers.kind_of] < 0]
        self._count(first, len(cells), problems, impossible.tolist())
        letters = self._of_kinds(answers, refused)
        own_letter = (np.cumsum(refused) - 1)[answers.kind_of[chosen]]
        for letter, rows_of in zip(
            letters, np.bincount(own_letter, minlength=len(letters)), strict=True
        ):
            if letter["note"] is not None:
                self.notes[letter["kind"]] += int(rows_of)
        at = pa.array(own_letter)
        rows = pa.array(whole[chosen])
        kept = {
            name: taken(copied(piece.column(name), name), rows, name)
            for name in self.audit.options.keep
        }
        own = {
            name: pa.array([letter[name] for letter in letters], kind).take(at)
            for name, kind in self._types()
        }
        columns = {"row": pa.array(first + whole[chosen], pa.int64()), **kept, **own}
        return pa.record_batch(list(columns.values()), list(columns))

    def _count(self, first: int, rows: int, problems: Problems, impossible: list[int]) -> None:
        """Count the rows of a piece, and those that have no label."""
        odd = {**problems, **dict.fromkeys(impossible, "it is impossible under what was declared")}
        self.read += rows
        self.undecided += len(odd)
        for row in sorted(odd)[: _NAMED - len(self.problems)]:
            self.problems[first + row] = odd[row]

    def _types(self) -> Iterator[tuple[str, Any]]:
        import pyarrow as pa

        yield "label", self.verdict_schema.label
        yield "reasons", pa.int32()
        for i in range(1, MOST + 1):
            for name in ("code", "text", "characteristic"):
                yield f"{name}_{i}", pa.string()
        for name in ("whole", "statement", "protected", "note"):
            yield name, pa.string()

    def _of_kinds(self, answers: Answers, refused: "np.ndarray") -> list[dict[str, Any]]:
        """A letter for each kind of row that is refused, in order."""
        import numpy as np

        kinds = np.flatnonzero(refused).tolist()
        if not kinds:
            return []
        necessary, reason = answers.necessary(), answers.sufficient(self.dropped)
        letters = []
        for kind in kinds:
            label = self.verdict_schema.labels[answers.labels[kind]]
            if kind in reason.failed:
                letters.append(self._letter(label, {}, unknown=reason.failed[kind]))
                continue
            features = np.flatnonzero(reason.yes[kind]).tolist()
            ranked = sorted(
                features, key=lambda f: (not necessary.yes[kind][f], self.rank.get(f, -1))
            )
            letters.append(self._letter(label, {f: int(answers.cells[kind][f]) for f in ranked}))
        return letters

    def _letter(
        self, label: Any, cells: dict[int, int], unknown: str | None = None
    ) -> dict[str, Any]:
        """The letter of a refusal. `cells` are those of its reason, the principal ones first;
        `unknown` says why there is none. A note has a `kind`, by which notes are counted."""
        says = {
            f: self.verdict_schema.texts[self.verdict_schema.offsets[f] + cell]
            for f, cell in cells.items()
        }
        letter: dict[str, Any] = {name: None for name, _ in self._types()}
        letter["label"] = self.verdict_schema.written(label)
        letter["protected"] = "; ".join(says[f] for f in says if f in self.protected) or None
        kept_back = [says[f] for f in says if f in self.never]
        if unknown is not None:
            return letter | {"kind": _UNKNOWN, "note": f"{_UNKNOWN}: {unknown}"}
        if kept_back:
            note = f"{_KEPT_BACK}; one has {'; '.join(kept_back)}"
            return letter | {"kind": _KEPT_BACK, "note": note}
        if not cells:
            return letter | {"kind": _ALWAYS, "note": _ALWAYS}
        cited: dict[Any, list[str]] = {}
        for feature, text in says.items():
            cited.setdefault(self.codes.of[self.verdict_schema.features[feature]], []).append(text)
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
        return f"{capitalised(classifier.wording.decided(label))} because {facts}."
