"""The kinds of files that `load` reads: how each begins, and what reads it."""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reasons.budget import Budget
from reasons.circuits import file_format
from reasons.classifier import Classifier
from reasons.formats.files import contents, text_of
from reasons.formats.read_dddmp import load_dddmp
from reasons.formats.read_nnf import load_nnf
from reasons.formats.read_sdd import load_sdd
from reasons.frontends.cnf.load import load_cnf
from reasons.frontends.formula.compiler import compile_formula
from reasons.frontends.options import OF_LAYERS, OF_MODELS, Options
from reasons.frontends.rules.api import load_rules
from reasons.frontends.scorecards.api import load_points
from reasons.frontends.scorecards.column_names import COLUMNS
from reasons.frontends.scorecards.column_names import OPTIONS as OF_POINTS
from reasons.frontends.truth_table.text import load_table

_MOST_HEAD = 1 << 20


@dataclass(frozen=True)
class Format:
    """A kind of file: how it begins, what its files are called, and what reads it."""

    name: str
    read: Callable[..., Classifier]
    opening: re.Pattern[bytes] | None = None
    suffixes: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


def _load_reasons(path: str | os.PathLike[str], *, budget: Budget | None) -> Classifier:
    return Classifier.from_file(path, budget)


def _load_formula(path: str | os.PathLike[str], *, budget: Budget | None) -> Classifier:
    return compile_formula(text_of(path), source=str(path), budget=budget)


def _model(name: str, opening: bytes, options: tuple[str, ...] = ()) -> Format:
    """A kind of file of a trained model; what reads it is imported when it is met."""

    def read(path: str | os.PathLike[str], *, budget: Budget | None, **told: Any) -> Classifier:
        from reasons.formats.read_model import load_model

        return load_model(name, path, budget, told)

    suffixes = (".pkl", ".pickle", ".joblib", ".skops") if name == "pickle" else ()
    return Format(name, read, re.compile(opening), suffixes, (*OF_MODELS, *options))


def _header(*known: str) -> bytes:
    """That the first line has a cell with one of these names."""
    return rb"(?=(?:[^\n]*[,;\t])?[ \"]*(?:%s)[ \"]*(?:[,;\t\r\n]|\Z))" % "|".join(known).encode()


def _layers(name: str, opening: bytes, suffixes: tuple[str, ...] = ()) -> Format:
    """A kind of file of a neural network; what reads it is imported when it is met."""

    def read(path: str | os.PathLike[str], *, budget: Budget | None, **told: Any) -> Classifier:
        from reasons.frontends.bnn.files import load_layers

        return load_layers(name, path, budget, Options(**told))

    return Format(name, read, re.compile(opening), suffixes, OF_LAYERS)


def _network(
    name: str,
    opening: bytes | None,
    suffixes: tuple[str, ...],
    options: tuple[str, ...] = ("target", "features", "threshold", "state"),
) -> Format:
    """A kind of file of a Bayesian network; what reads it is imported when it is met."""

    def read(path: str | os.PathLike[str], *, budget: Budget | None, **told: Any) -> Classifier:
        from reasons.frontends.bayesnet.api import load_network

        return load_network(name, path, budget, told)

    found = None if opening is None else re.compile(opening, re.DOTALL)
    return Format(name, read, found, suffixes, options)


_SLASHES = rb"(?:\s|//[^\n]*\n)*+"
_COMMENTS = rb"(?:[ \t\r]*(?:c(?:[ \t\r][^\n]*)?)?\n)*+[ \t]*"
_END = rb"[ \t\r]*(?:\n|\Z)"
_NODE = rb"(?:[^\n]*nnf(?:[ \t]+\d+){3}|[oatf][ \t]+\d+[ \t]+0|L[ \t]+-?\d+|[AO](?:[ \t]+\d+)+)"

FORMATS = (
    Format("reasons", _load_reasons, re.compile(re.escape(file_format.MAGIC)), (".reasons",)),
    Format(
        "cnf",
        load_cnf,
        re.compile(_COMMENTS + rb"p[ \t]+\w+[ \t]+\d+[ \t]+\d"),
        (".cnf", ".dimacs"),
        ("names", "compiler", "compile"),
    ),
    Format(
        "nnf",
        load_nnf,
        re.compile(_COMMENTS + _NODE + _END),
        (".nnf", ".ddnnf"),
        ("names", "variables", "recompile"),
    ),
    Format(
        "sdd",
        load_sdd,
        re.compile(_COMMENTS + rb"p?sdd[ \t]+\d+" + _END),
        (".sdd",),
        ("vtree", "names"),
    ),
    Format(
        "dddmp",
        load_dddmp,
        re.compile(rb"(?:[ \t\r]*(?:#[^\n]*)?\n)*+[ \t]*\.ver[ \t]"),
        (".dddmp", ".bdd", ".add"),
        ("root",),
    ),
    _model("xgboost", rb"\s*\{\s*\"(?:learner|version)\"|\{L\0{7}\x07(?:learner|version)"),
    _model("xgboost-dump", rb"\s*booster\[\d+\]:", ("base_score",)),
    _model("lightgbm", rb"tree\r?\nversion="),
    _model("catboost", rb"\s*\{\s*\"(?:features_info|model_info|oblivious_trees|ctrs)\""),
    _model("pickle", rb"PK\x03\x04|\x80[\x02-\x05]|x[\x01\x5e\x9c\xda]", ("allow_pickle",)),
    Format(
        "points",
        load_points,
        re.compile(rb"(?i)(?:\xef\xbb\xbf)?" + b"".join(_header(*n) for n in COLUMNS.values())),
        (".csv", ".tsv"),
        OF_POINTS,
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
        load_rules,
        re.compile(rb"(?:\s|#[^\n]*)*+(?i:if)[\s({\"~!](?s:.)*?\s(?i:then)\b"),
        (".rules",),
        ("features", "default", "mode", "conflict"),
    ),
    Format("table", load_table, options=("label", "otherwise", "features")),
    Format("formula", _load_formula),
)
"""Tried in this order; the last one takes whatever the others do not."""


def format_of(path: str | os.PathLike[str]) -> Format:
    """The kind of a file: by its first lines, or where they tell nothing by its name."""
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    if suffixes[-1:] == [".reasons"]:
        return FORMATS[0]
    head = contents(path, _MOST_HEAD)
    for each in FORMATS:
        if each.opening is not None and each.opening.match(head):
            return each
    named = suffixes[-2:-1] if suffixes[-1:] == [".gz"] else suffixes[-1:]
    return next((f for f in FORMATS if set(f.suffixes) & set(named)), FORMATS[-1])
