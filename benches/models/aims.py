"""What default models should take, and by how much they miss it."""

import statistics
from collections.abc import Callable, Iterator
from typing import NamedTuple

from benches.harness.subprocess_runner import Line
from benches.models.tables import KINDS


class Aim(NamedTuple):
    """A figure of a model of some families, and the most that it may be."""

    name: str
    families: tuple[str, ...]
    most: float
    figure: Callable[[list[Line]], float | None]


def _compiled(lines: list[Line]) -> float | None:
    return next((line["compile"] for line in lines if "compile" in line), None)


def _memory(lines: list[Line]) -> float | None:
    before = next(line["peak"] for line in lines if "before" in line)
    return (max(line["peak"] for line in lines) - before) / 1e3


def _seconds(lines: list[Line], question: str) -> list[float]:
    return [line["clock"] for line in lines if line.get("question") == question]


def _median(question: str) -> Callable[[list[Line]], float | None]:
    return lambda lines: statistics.median(_seconds(lines, question) or [0.0])


def _worst(question: str) -> Callable[[list[Line]], float | None]:
    return lambda lines: max(_seconds(lines, question), default=None)


def _widening(lines: list[Line]) -> float | None:
    simple, wide = sum(_seconds(lines, "reason")), sum(_seconds(lines, "widened"))
    return wide / simple if simple else None


def _past(lines: list[Line]) -> float | None:
    return next((max(x["overshoot"].values()) for x in lines if "overshoot" in x), None)


_ALL = ("booster", "depth 6", "default", "linear")
AIMS = [
    Aim("compile, s", ("booster",), 1.0, _compiled),
    Aim("compile, s", ("default", "depth 6"), 5.0, _compiled),
    Aim("memory, GB", ("default", "depth 6"), 1.5, _memory),
    Aim("reason, median s", ("depth 6",), 0.5, _median("reason")),
    Aim("reason, worst s", ("depth 6",), 5.0, _worst("reason")),
    Aim("reason, median s", ("default",), 5.0, _median("reason")),
    Aim("reason, worst s", ("default",), 60.0, _worst("reason")),
    Aim("widened / reason, sums", _ALL, 3.0, _widening),
    Aim("statements, worst s", ("booster",), 2.0, _worst("statements")),
    Aim("past 1 s, s", _ALL, 0.3, _past),
]


def verdicts(measured: dict[str, list[Line]]) -> Iterator[str]:
    """The aims that are missed, and how many are met."""
    met = 0
    for kind, lines in measured.items():
        refused = [line["refused"] for line in lines if "refused" in line]
        if refused:
            yield f"refused: {kind}: {refused[0]}"
            continue
        for aim in AIMS:
            figure = aim.figure(lines) if KINDS[kind].family in aim.families else None
            if figure is None:
                continue
            if figure <= aim.most:
                met += 1
            else:
                yield f"missed by {kind}: {aim.name} {figure:.3g}, the aim is {aim.most:g}"
    yield f"aims met: {met}"
