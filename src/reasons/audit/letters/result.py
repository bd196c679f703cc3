"""How many letters were written, and which rows have none: in words."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reasons.text import legible, plural


@dataclass(frozen=True)
class Letters:
    """Where the letters are, for how many rows, and which rows have none.

    `without` of these have no codes, and a note; `notes` counts what the notes say. No letter is
    for the rows that got the `favourable` label, `granted` many, and those that were not decided:
    `undecided` many, of which `problems` are the first, by row.
    """

    path: Path
    rows: int
    without: int
    undecided: int
    favourable: Any
    granted: int
    notes: Mapping[str, int]
    problems: Mapping[int, str]

    def __str__(self) -> str:
        return "\n".join((f"{self.path}: {plural(self.rows, 'letter')}", *self._lines()))

    def _lines(self) -> Iterator[str]:
        if self.rows:
            yield f"  {self.rows - self.without:,} give the reasons of a refusal"
        for note, rows in self.notes.items():
            yield f"  {rows:,} give no reason: {note}"
        if self.granted:
            label = legible(str(self.favourable))
            yield f"  no letter: {plural(self.granted, 'row')} that got {label}"
        if self.undecided:
            yield f"  no letter: {plural(self.undecided, 'row')} that could not be decided"
        for row, why in self.problems.items():
            yield f"    row {row}: {legible(why)}"
        if more := self.undecided - len(self.problems):
            yield f"    ... and {more:,} more, see the audit's problems"
