"""`compile` and `load`: whatever a classifier comes as, told apart here."""

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from reasons import storage
from reasons.budget import Budget
from reasons.classifier import Classifier
from reasons.errors import InputError, ParseError, UnsupportedModel
from reasons.features import Feature
from reasons.frontends.boolean import compile_formula
from reasons.frontends.dddmp import load_dddmp
from reasons.frontends.sdd import load_sdd
from reasons.statements import Wording

FORMATS = ("reasons", "formula", "dddmp", "sdd")
_MOST_TEXT = 1 << 30
_MOST_HEAD = 1 << 16
_OPENINGS = {
    "dddmp": re.compile(rb"(?:[ \t\r]*(?:#[^\n]*)?\n)*+[ \t]*\.ver[ \t]"),
    "sdd": re.compile(
        rb"(?:[ \t\r]*(?:c[ \t\r][^\n]*|c)?\n)*+[ \t]*p?sdd[ \t]+\d+[ \t\r]*(?:\n|$)"
    ),
}
"""How files that are told by their first lines begin, after comments."""
_OPTIONS = {"dddmp": ("root",), "sdd": ("vtree", "names")}


def compile(
    source: Any,
    *,
    features: Iterable[Feature | str] | None = None,
    given: str | None = None,
    wording: Wording | None = None,
    budget: Budget | None = None,
) -> Classifier:
    """The classifier of a formula text, compiled once into a circuit.

    `features` lists the features in the order wanted, with phrases, and may name more
    than the formula does; `given` is a formula of the instances that are possible.
    Can explode: budgeted.

    >>> compile("a -> b").count(True)
    3
    """
    if isinstance(source, Classifier):
        return source
    if isinstance(source, str):
        return compile_formula(
            source, features=features, given=given, wording=wording, budget=budget
        )
    raise UnsupportedModel(
        f"cannot compile a {type(source).__module__}.{type(source).__name__}; "
        "give a formula as text, or use reasons.Builder, reasons.from_table or reasons.load"
    )


def load(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    budget: Budget | None = None,
    **options: Any,
) -> Classifier:
    """The classifier in a file: a `.reasons` file, a formula as text, DDDMP, or an SDD.

    The format is told by the content unless it is given. Of a DDDMP file, `root=` chooses
    a root by name or number; of an SDD, `vtree=` is the path of the vtree where it is not
    beside it, and `names=` gives variables names: a mapping from their numbers, or the path
    of a feature map.
    """
    if format not in (None, *FORMATS):
        raise InputError(f"there is no format {format!r}; the formats are: {', '.join(FORMATS)}")
    kind = format or _format_of(path)
    _require_options(kind, options)
    if kind == "dddmp":
        return load_dddmp(path, budget=budget, **options)
    if kind == "sdd":
        return load_sdd(path, budget=budget, **options)
    if kind == "reasons":
        return _classifier(*storage.read(path, budget))
    return compile_formula(_text(path), source=str(path), budget=budget)


def _format_of(path: str | os.PathLike[str]) -> str:
    if str(path).endswith(".reasons"):
        return "reasons"
    try:
        with open(path, "rb") as file:
            head = file.read(_MOST_HEAD)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    if head.startswith(storage.MAGIC):
        return "reasons"
    return next((name for name, opening in _OPENINGS.items() if opening.match(head)), "formula")


def _require_options(kind: str, options: dict[str, Any]) -> None:
    odd = set(options) - set(_OPTIONS.get(kind, ()))
    if odd:
        raise InputError(f"a file of the format {kind} takes no {', '.join(sorted(odd))}=")


def _text(path: str | os.PathLike[str]) -> str:
    try:
        if os.path.getsize(path) > _MOST_TEXT:
            raise InputError(f"{path} is larger than 1 GiB; this is not a formula to compile")
        data = Path(path).read_bytes()
        return data.decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ParseError(
            "this is neither a .reasons file nor UTF-8 text", source=str(path), line=line
        ) from None


def _classifier(circuit: Any, about: dict[str, Any]) -> Classifier:
    said = about.get("wording") or {}
    labels = {
        circuit.labels[index]: text if isinstance(text, str) else (text[0], text[1])
        for index, text in said.get("labels", [])
    }
    wording = Wording(said.get("subject", ""), said.get("pronoun", ""), labels)
    return Classifier(circuit, wording=wording, given=about.get("given"))
