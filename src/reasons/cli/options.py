"""Options that several commands share, each defined once."""

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from reasons.budget import Budget
from reasons.classifier import Classifier
from reasons.cli.arguments import classifier_of
from reasons.cli.progress import stage_progress

Source = Annotated[
    str, typer.Argument(help="A file, a formula, or - for a formula on standard input.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
InstanceText = Annotated[
    str | None, typer.Option("--instance", "-i", help='An instance, such as "E, ~F, age = 33".')
]
Output = Annotated[Path, typer.Option("--output", "-o", help="The file to write.")]
Protected = Annotated[str, typer.Option(help="Protected features: R,sex")]


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How a command reads its classifier, and within which limits."""

    constraint: Annotated[
        str | None, typer.Option(help="Formula that holds for all possible instances.")
    ] = None
    compiler: Annotated[
        str | None,
        typer.Option(
            help="Compiler of a CNF file: d4, c2d, minic2d or dsharp, from PATH. "
            "Its circuit is checked."
        ),
    ] = None
    options: Annotated[
        list[str] | None,
        typer.Option(
            "--with",
            metavar="OPTION=VALUE",
            help="Option of a file's reader, can be repeated: names=comments, root=NAME, "
            "threshold=0.3, missing=false, "
            "\"domain={'age': range(18, 100), 'rooms': {1, 2}}\", ...",
        ),
    ] = None
    background: Annotated[
        Path | None,
        typer.Option(
            help="Data that shows which values the columns of a trained model take: a CSV or "
            "Parquet file, or a folder."
        ),
    ] = None
    seconds: Annotated[
        float | None, typer.Option(help="Time limit in seconds; beyond it the exit code is 3.")
    ] = None
    nodes: Annotated[
        int | None, typer.Option(help="Limit on circuit nodes; beyond it the exit code is 3.")
    ] = None

    @contextmanager
    def classifier(self, source: str, lazily: bool = False) -> Iterator[tuple[Classifier, Budget]]:
        """The classifier of a source, and what is left of the limits."""
        with stage_progress(self.seconds, self.nodes) as budget:
            yield (
                classifier_of(
                    source,
                    self.constraint,
                    budget,
                    self.compiler,
                    self.options,
                    lazily=lazily,
                    background=self.background,
                ),
                budget,
            )


def with_reading(command: Callable[..., None]) -> Callable[..., None]:
    """A command whose parameter `reading` is replaced by the options of `Reading`.

    An option that the command defines itself is left to it.
    """
    signature = inspect.signature(command)
    own = signature.parameters
    if "reading" not in own:
        return command
    shared = {field.name: field for field in fields(Reading) if field.name not in own}

    @wraps(command)
    def run(**values: Any) -> None:
        reading = Reading(**{name: values.pop(name) for name in shared})
        command(**values, reading=reading)

    options = [
        own["reading"].replace(name=name, default=field.default, annotation=field.type)
        for name, field in shared.items()
    ]
    at = list(own).index("reading")
    parameters = [*list(own.values())[:at], *options, *list(own.values())[at + 1 :]]
    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run
