"""Arguments of commands as classifiers and decisions."""

import ast
import json
import os
import re
import sys
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from reasons.budget import Budget
from reasons.classifier import Classifier
from reasons.decision import Decision
from reasons.errors import InputError
from reasons.features.csv_values import value_of_text
from reasons.features.tables import require_columns
from reasons.formats.read_csv import open_csv
from reasons.formats.registry import FORMATS
from reasons.frontends.api import compile, load

_SUFFIXES = {".txt", ".formula", ".gz", *(suffix for each in FORMATS for suffix in each.suffixes)}


def classifier_of(
    source: str,
    constraint: str | None,
    budget: Budget,
    compiler: str | None = None,
    options: Sequence[str] | None = None,
    *,
    lazily: bool = False,
    background: Path | None = None,
) -> Classifier:
    """The classifier of a file, of standard input (`-`), or of a formula typed directly.

    A CNF file is compiled by `compiler`, or `lazily`; `options` are texts such as "names=comments"
    for the reader of a file; `background` is data that shows which values there are.
    """
    if source != "-" and os.path.exists(source):
        if constraint is not None:
            raise InputError(
                "--constraint is for a formula; a trained model takes --with constraint=FORMULA"
            )
        chosen = dict(_option(text) for text in options or ())
        if compiler is not None:
            chosen["compiler"] = compiler
        if lazily:
            chosen["compile"] = False
        if background is not None:
            chosen["data"] = str(background)
        return _loaded(source, budget, chosen)
    if _looks_like_a_path(source):
        raise InputError(f"there is no file {source}")
    if background is not None:
        raise InputError("--background is for the file of a trained model")
    if compiler is not None or lazily or options:
        option = "--no-compile" if lazily else "--compiler" if compiler else "--with"
        raise InputError(f"{option} needs a {'' if option == '--with' else 'CNF '}file")
    text = _standard_input() if source == "-" else source
    return compile(text, constraint=constraint, budget=budget)


def _looks_like_a_path(source: str) -> bool:
    """Whether a source has the suffix of a file, or a name that no formula uses."""
    if Path(source).suffix.lower() in _SUFFIXES and " " not in source:
        return True
    return re.fullmatch(r"[\w./\\-]*[A-Za-z_][\w-]*\.[A-Za-z]\w*", source) is not None


def _option(text: str) -> tuple[str, Any]:
    """An option and its value, read as JSON or as a Python literal.

    >>> _option("variables=12"), _option("recompile=true"), _option("names=comments")
    (('variables', 12), ('recompile', True), ('names', 'comments'))
    >>> _option('classes=["no", "yes"]'), _option("domain={'age': range(18, 100)}")
    (('classes', ['no', 'yes']), ('domain', {'age': range(18, 100)}))
    """
    name, sign, value = text.partition("=")
    if not sign or not name.isidentifier():
        raise InputError(f"--with {text}: expected OPTION=VALUE, such as names=comments")
    try:
        return name, json.loads(value)
    except ValueError:
        truth: Any = {"true": True, "false": False}.get(value.lower(), value)
        return name, python_value(value) if value[:1] in ("{", "[", "(") else truth


def python_value(text: str) -> Any:
    """The value of a Python literal: texts, numbers, lists, sets, `range(18, 100)`, `int`.

    Any other text stays a text and is never executed.

    >>> python_value("{'age': (0, None), 'rooms': {1, 2}, 'income': int}")
    {'age': (0, None), 'rooms': {1, 2}, 'income': <class 'int'>}
    >>> python_value("(age > 18)")
    '(age > 18)'
    """
    try:
        return _value(ast.parse(text, mode="eval").body)
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        return text


def _value(node: ast.expr) -> Any:
    match node:
        case ast.Dict():
            keys = [ast.literal_eval(key or node) for key in node.keys]  # no key: `**other`
            return dict(zip(keys, map(_value, node.values), strict=True))
        case ast.List() | ast.Tuple() | ast.Set():
            kind = {ast.List: list, ast.Tuple: tuple, ast.Set: set}[type(node)]
            return kind(_value(each) for each in node.elts)
        case ast.Call(func=ast.Name(id="range"), args=args, keywords=[]):
            return range(*(ast.literal_eval(each) for each in args))
        case ast.Name(id="int"):
            return int
    return ast.literal_eval(node)


def _loaded(path: str, budget: Budget, options: Mapping[str, Any]) -> Classifier:
    """The classifier of a file; its warnings go to standard error, a line each."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        classifier = load(path, budget=budget, **options)
    for warning in caught:
        print(f"reasons: {warning.message}", file=sys.stderr)
    return classifier


def _standard_input() -> str:
    try:
        return sys.stdin.read()
    except UnicodeDecodeError as error:
        raise InputError(f"standard input is not UTF-8 text: {error.reason}") from None


def names_of(text: str) -> list[str]:
    """Names with commas between them.

    >>> names_of("sex, race"), names_of("")
    (['sex', 'race'], [])
    """
    return [name.strip() for name in text.split(",") if name.strip()]


@dataclass(frozen=True)
class Row:
    """A row of a CSV file: its number, and the texts of its cells by column."""

    data: Path
    number: int
    columns: list[str]
    cells: dict[str, str]

    def require(self, names: Sequence[str]) -> None:
        """Raise `InputError` unless every one of these is a column, once."""
        require_columns(self.columns, names, str(self.data))


def row_of(instance: str | None, data: Path | None, row: int | None) -> Row | None:
    """The chosen row of a CSV file; None where the instance is a text."""
    if (instance is None) == (data is None):
        either = "either --instance TEXT, or --data FILE with --row NUMBER"
        raise InputError(f"expected {either}{', not both' if data else ''}")
    if data is None:
        return None
    if row is None:
        raise InputError("--data needs --row NUMBER, counted from 0")
    with open_csv(data) as table:
        chosen = next(islice(table, row, None), None) if row >= 0 else None
    if chosen is None:
        raise InputError(f"{data} has no row {row}; rows are counted from 0")
    columns = table.header.cells
    return Row(data, row, columns, dict(zip(columns, chosen.cells, strict=True)))


def decision_of(classifier: Classifier, instance: str | Row | None) -> Decision:
    """The decision on an instance as text, or on a row of a CSV file."""
    if not isinstance(instance, Row):
        return classifier.decide(instance)
    instance.require(classifier.schema.names)
    return classifier.decide(
        {f.name: value_of_text(f, instance.cells[f.name]) for f in classifier.features}
    )
