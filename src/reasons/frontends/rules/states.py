"""What is known of an instance's label after some of the rules, as a number."""

from dataclasses import dataclass
from typing import Any, Protocol

from reasons.errors import BudgetExceeded
from reasons.frontends.rules.parser import Conflict, Mode

MOST_STATES = 1 << 20


@dataclass(frozen=True, slots=True)
class Labels:
    """All labels in the order of the classifier, those of rules as they come, and the default."""

    every: tuple[Any, ...]
    named: tuple[Any, ...]
    default: tuple[Any, ...]


class States(Protocol):
    """How a rule that matches changes what is known."""

    start: int

    def after(self, label: Any) -> list[int]:
        """For every state there is, the one after a rule with this label matches."""

    def label(self, state: int) -> Any:
        """The label of a state, or None where it has none."""


def states_for(labels: Labels, mode: Mode, conflict: Conflict | None) -> States:
    """The states of a list, or of a set that treats conflicts in some way."""
    if mode == "list" or conflict == "first":
        return _First(labels)
    return _Votes(labels) if conflict == "majority" else _Agreed(labels)


class _First:
    """The label of the first rule that matches; the start is the state of what none does."""

    def __init__(self, labels: Labels) -> None:
        self.labels, self.start = labels, len(labels.named)

    def after(self, label: Any) -> list[int]:
        return [*range(self.start), self.labels.named.index(label)]

    def label(self, state: int) -> Any:
        known = (*self.labels.named, *self.labels.default)
        return known[state] if state < len(known) else None


class _Agreed(_First):
    """The label that all matching rules give; a last state is for those that do not agree."""

    def after(self, label: Any) -> list[int]:
        mine, broken = self.labels.named.index(label), self.start + 1
        return [mine if state in (mine, self.start) else broken for state in range(broken + 1)]

    def label(self, state: int) -> Any:
        return None if state > self.start else super().label(state)


class _Votes:
    """How many matching rules give each label."""

    def __init__(self, labels: Labels) -> None:
        self.labels, self.start = labels, 0
        self._counts: list[tuple[int, ...]] = [(0,) * len(labels.named)]
        self._state = {self._counts[0]: 0}

    def after(self, label: Any) -> list[int]:
        mine = self.labels.named.index(label)
        return [self._of((*c[:mine], c[mine] + 1, *c[mine + 1 :])) for c in list(self._counts)]

    def _of(self, counts: tuple[int, ...]) -> int:
        if counts not in self._state:
            if len(self._counts) >= MOST_STATES:
                raise BudgetExceeded("votes of rules", states=len(self._counts), limit=MOST_STATES)
            self._state[counts] = len(self._counts)
            self._counts.append(counts)
        return self._state[counts]

    def label(self, state: int) -> Any:
        counts = self._counts[state]
        if not any(counts):
            return self.labels.default[0] if self.labels.default else None
        return self.labels.named[counts.index(max(counts))]
