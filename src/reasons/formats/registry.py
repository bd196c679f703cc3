"""The file formats that `load` reads, as a table; readers are imported when a file is met.

Readers of models and formulas belong to the front ends, which this package does not import:
the table has them by name, as `module:function` below `reasons`.
"""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from reasons.backends.file_format import MAGIC
from reasons.formats.files import contents

if TYPE_CHECKING:
    from reasons.classifier import Classifier

_MOST_HEAD = 1 << 20


@dataclass(frozen=True)
class Format:
    """A file format: how its files begin, what they are called, and what reads them.

    A reader of several formats gets `format`, the name, as another keyword.
    """

    name: str
    reader: str
    opening: re.Pattern[bytes] | None = None
    suffixes: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    is_shared_reader: bool = False

    def load_reader(self) -> "Callable[..., Classifier]":
        """The function that reads a file of this format, imported now."""
        module, _, function = self.reader.partition(":")
        read: Callable[..., Classifier] = getattr(import_module(f"reasons.{module}"), function)
        return partial(read, format=self.name) if self.is_shared_reader else read


_MODEL_OPTIONS = (
    *("threshold", "names", "classes", "groups"),
    *("domain", "data", "constraint", "missing", "method"),
)
_LAYER_OPTIONS = ("names", "classes", "threshold", "region", "inputs")
_NETWORK_OPTIONS = ("target", "features", "threshold", "state")
_POINTS_OPTIONS = (
    *("threshold", "labels", "grades", "base", "special", "separator"),
    *("domain", "constraint", "missing", "method"),
)
_POINTS_COLUMNS = (
    ("feature", "variable", "characteristic", "name"),
    ("bin", "attribute", "value", "values", "range"),
    ("points", "score"),
)


def _model(name: str, opening: bytes, suffixes: tuple[str, ...] = (), *options: str) -> Format:
    place = "frontends.models:load_model"
    return Format(name, place, re.compile(opening), suffixes, (*_MODEL_OPTIONS, *options), True)


def _layers(name: str, opening: bytes, suffixes: tuple[str, ...] = ()) -> Format:
    place = "frontends.bnn.files:load_layers"
    return Format(name, place, re.compile(opening), suffixes, _LAYER_OPTIONS, True)


def _network(
    name: str,
    opening: bytes | None,
    suffixes: tuple[str, ...],
    options: tuple[str, ...] = _NETWORK_OPTIONS,
) -> Format:
    pattern = None if opening is None else re.compile(opening, re.DOTALL)
    return Format(name, "frontends.bayesnet.api:load_network", pattern, suffixes, options, True)


def _header(names: tuple[str, ...]) -> bytes:
    """That the first line has a cell with one of these names."""
    return rb"(?=(?:[^\n]*[,;\t])?[ \"]*(?:%s)[ \"]*(?:[,;\t\r\n]|\Z))" % "|".join(names).encode()


_SLASHES = rb"(?:\s|//[^\n]*\n)*+"
_COMMENTS = rb"(?:[ \t\r]*(?:c(?:[ \t\r][^\n]*)?)?\n)*+[ \t]*"
_END = rb"[ \t\r]*(?:\n|\Z)"
_NODE = rb"(?:[^\n]*nnf(?:[ \t]+\d+){3}|[oatf][ \t]+\d+[ \t]+0|L[ \t]+-?\d+|[AO](?:[ \t]+\d+)+)"

FORMATS = (
    Format("reasons", "frontends.api:load_reasons", re.compile(re.escape(MAGIC)), (".reasons",)),
    Format(
        "cnf",
        "frontends.cnf.load:load_cnf",
        re.compile(_COMMENTS + rb"p[ \t]+\w+[ \t]+\d+[ \t]+\d"),
        (".cnf", ".dimacs"),
        ("names", "compiler", "compile"),
    ),
    Format(
        "nnf",
        "formats.read_nnf:load_nnf",
        re.compile(_COMMENTS + _NODE + _END),
        (".nnf", ".ddnnf"),
        ("names", "variables", "recompile"),
    ),
    Format(
        "sdd",
        "formats.read_sdd:load_sdd",
        re.compile(_COMMENTS + rb"p?sdd[ \t]+\d+" + _END),
        (".sdd",),
        ("vtree", "names"),
    ),
    Format(
        "dddmp",
        "formats.read_dddmp:load_dddmp",
        re.compile(rb"(?:[ \t\r]*(?:#[^\n]*)?\n)*+[ \t]*\.ver[ \t]"),
        (".dddmp", ".bdd", ".add"),
        ("root",),
    ),
    _model("xgboost", rb"\s*\{\s*\"(?:learner|version)\"|\{L\0{7}\x07(?:learner|version)"),
    _model("xgboost-dump", rb"\s*booster\[\d+\]:", (), "base_score"),
    _model("lightgbm", rb"tree\r?\nversion="),
    _model("catboost", rb"\s*\{\s*\"(?:features_info|model_info|oblivious_trees|ctrs)\""),
    _model(
        "pickle",
        rb"PK\x03\x04|\x80[\x02-\x05]|x[\x01\x5e\x9c\xda]",
        (".pkl", ".pickle", ".joblib", ".skops"),
        "allow_pickle",
    ),
    Format(
        "points",
        "frontends.scorecards.api:load_points",
        re.compile(rb"(?i)(?:\xef\xbb\xbf)?" + b"".join(map(_header, _POINTS_COLUMNS))),
        (".csv", ".tsv"),
        _POINTS_OPTIONS,
    ),
    _layers("layers", rb"\s*\{\s*\"[\w.]+\.(?:weight|bias|running_mean|running_var)\"\s*:"),
    _layers("neuron", rb"\s*(?:name|size|weights|threshold):[^\n]*\n", (".neuron",)),
    _network("bif", _SLASHES + rb'network\s*(?:"[^"\n]*"|[^\s{]*)\s*\{', (".bif",)),
    _network("net", rb"(?:\s|%[^\n]*\n)*+(?:net\s*\{|node\s+\w+\s*\{)", (".net", ".hugin")),
    _network("uai", rb"\s*(?:BAYES|MARKOV)\s", (".uai",)),
    _network("dsl", _SLASHES + rb"net\s+\w+\s*\{", (".dsl",)),
    _network("xdsl", rb"\s*+(?:<\?xml[^>]*>)?(?:\s|<!--.*?-->)*+<smile\b", (".xdsl",)),
    _network("xmlbif", rb"\s*<(?:\?xml|!--|!DOCTYPE|BIF)", (".xmlbif", ".bifxml", ".xml")),
    _network("cnbc", None, (".cnbc",), ("names", "threshold", "state")),
    _network("xlc", None, (".xlc",), ("names",)),
    Format(
        "rules",
        "frontends.rules.api:load_rules",
        re.compile(rb"(?:\s|#[^\n]*)*+(?i:if)[\s({\"~!](?s:.)*?\s(?i:then)\b"),
        (".rules",),
        ("features", "default", "mode", "conflict"),
    ),
    Format(
        "table", "frontends.truth_table.text:load_table", options=("label", "otherwise", "features")
    ),
    Format("formula", "frontends.formula.compiler:load_formula"),
)
"""Tried in this order; the last one takes whatever the others do not."""


def format_of(path: str | os.PathLike[str]) -> Format:
    """The format of a file: by its first lines, or where they tell nothing by its name."""
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    if suffixes[-1:] == [".reasons"]:
        return FORMATS[0]
    head = contents(path, _MOST_HEAD)
    for each in FORMATS:
        if each.opening is not None and each.opening.match(head):
            return each
    named = suffixes[-2:-1] if suffixes[-1:] == [".gz"] else suffixes[-1:]
    return next((f for f in FORMATS if set(f.suffixes) & set(named)), FORMATS[-1])
