"""`compile` and `load`: whatever a classifier comes as, told apart here."""

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from reasons import storage
from reasons.budget import Budget
from reasons.circuit import Circuit
from reasons.classifier import Classifier
from reasons.errors import InputError, UnsupportedModel
from reasons.features import Feature
from reasons.frontends.boolean import compile_formula
from reasons.frontends.cnf import load_cnf
from reasons.frontends.dddmp import load_dddmp
from reasons.frontends.files import contents, text_of
from reasons.frontends.nnf import load_nnf
from reasons.frontends.options import NAMES as MODEL_OPTIONS
from reasons.frontends.options import Method, Options
from reasons.frontends.rules import load_rules
from reasons.frontends.sdd import load_sdd
from reasons.frontends.table_text import load_table
from reasons.statements import Wording

_MOST_HEAD = 1 << 20
_EVALUATE = (
    "or list features=[...] if they have few values: its predict is then evaluated in every cell"
)


def compile(
    source: Any,
    *,
    features: Iterable[Feature | str] | None = None,
    given: str | None = None,
    wording: Wording | None = None,
    budget: Budget | None = None,
    threshold: float | None = None,
    names: Sequence[str] | None = None,
    classes: Sequence[Any] | None = None,
    groups: Mapping[str, Sequence[str]] | None = None,
    domain: Mapping[str, Any] | None = None,
    missing: bool | None = None,
    method: Method | None = None,
    rows: Literal["frame", "array", "mappings", "mapping"] | None = None,
    labels: Iterable[Any] | None = None,
    most_cells: int | None = None,
) -> Classifier:
    """The classifier of a formula, a trained model or a function, compiled once into a circuit.

    `features` lists a formula's features in the order wanted, with phrases, and may name more
    than the formula does; `given` is a formula of the instances that are possible.

    A model is one of scikit-learn's trees, forests, boosted trees and votes of these, or one of
    XGBoost, LightGBM or CatBoost, alone or at the end of a scikit-learn pipeline. It takes
    `threshold=`, from which probability (of a regressor: prediction) on the second label is
    given; `names=` of columns without; `classes=` of a Booster; `groups=` of 0/1 columns that
    stand for one category; `domain=`, what values columns can take; `missing=False` if none is
    ever missing; and `method="compiled"` or `"search"`: without, a model that does not fit the
    budget (a million nodes or five seconds, unless told) is answered by search on its trees.
    Can explode: budgeted.

    Any other model with a `predict`, or a function, is evaluated once in every cell of the
    `features`, up to `most_cells` (2^24 unless told). It is given many rows as a data frame
    or an array and returns a label for each; `rows=` says which, or "mappings" for a list of
    them, or "mapping" for a function of one row. `labels=` says which labels there are, and
    `given=` is a condition over characteristics that every possible instance has.

    >>> compile("a -> b").count(True)
    3
    """
    if isinstance(source, Classifier):
        return source
    options = Options(
        threshold=threshold,
        names=names,
        classes=classes,
        groups=groups,
        domain=domain,
        given=given,
        missing=missing,
        method=method,
    )
    asked: dict[str, Any] = {"rows": rows, "labels": labels, "most_cells": most_cells}
    if features is not None and _has_predict(source):
        return _evaluated(source, features, options, asked, wording=wording, budget=budget)
    odd = [f"{name}=" for name, told in asked.items() if told is not None]
    if odd:
        raise InputError(f"{', '.join(odd)}: only with features= and what has a predict")
    if isinstance(source, str):
        if _names_a_file(source):
            raise InputError(f"{source!r} is a file; read it with reasons.load")
        told = [f"{name}=" for name in options.told if name != "given"]
        if told:
            raise InputError(f"a formula takes no {', '.join(told)}; that is for trained models")
        return compile_formula(
            source, features=features, given=given, wording=wording, budget=budget
        )
    from reasons.frontends.estimators import compile_model, is_model

    if is_model(source):
        try:
            return compile_model(source, options, wording=wording, budget=budget)
        except UnsupportedModel as error:
            raise UnsupportedModel(f"{error}; {_EVALUATE}") from None
    can = _EVALUATE if _has_predict(source) else "or use reasons.Builder or reasons.from_table"
    raise UnsupportedModel(
        f"cannot compile a {type(source).__module__}.{type(source).__name__}; give a formula as "
        "text, a fitted model of scikit-learn, XGBoost, LightGBM or CatBoost, "
        f"or a file to reasons.load; {can}"
    )


def _evaluated(
    source: Any, features: Iterable[Feature | str], options: Options, asked: Any, **more: Any
) -> Classifier:
    """A function, or a model that is not read, by its labels in every cell."""
    from reasons.frontends.estimators import is_model, is_read
    from reasons.frontends.predict_function import compile_function

    if is_model(source) and is_read(source, options):
        raise InputError("this model's features are its columns; leave features= out")
    if told := [f"{name}=" for name in options.told if name != "given"]:
        raise InputError(f"evaluating every cell takes no {', '.join(told)}")
    return compile_function(source, features, given=options.given, **asked, **more)


def _has_predict(source: Any) -> bool:
    """Whether it is a function, or something fitted that can be asked for labels."""
    if isinstance(source, type):
        return False
    return callable(source) or callable(getattr(source, "predict", None))


def load(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    budget: Budget | None = None,
    **options: Any,
) -> Classifier:
    """The classifier in a file: a trained model, a formula, clauses, `.nnf`, `.sdd`, DDDMP, ...

    The format is told by the content unless it is given; a file may be packed by gzip.
    Variables of `cnf`, `nnf` and `sdd` files are called by their numbers, or as `names=` says:
    a mapping from numbers, a list, the path of a file with lines `NUMBER NAME` or of a feature
    map, or "comments" for such comments in the file. A `cnf` file also takes `compiler=`, one of
    "d4", "c2d", "minic2d" and "dsharp", to be run in place of our own if it is on PATH; it is
    checked, and `CompilerWarning` says where that fails and our own is used; and
    `compile=False`, to compile only when a question needs it: none about a positive decision
    does. An `nnf` file takes `variables=`, how many there are, and `recompile=True` where it is
    no Decision-DNNF; an `sdd` file `vtree=`; a DDDMP file `root=`, the name or number of one of
    several. Files of XGBoost (JSON, UBJSON, text dumps with `base_score=`), LightGBM and CatBoost
    (JSON) and scikit-learn models saved by skops take what `compile` takes for models; pickles
    are read with `allow_pickle=True` only. Rules (`if ... then ...`) take `features=`,
    `default=`, `mode=` and `conflict=` as `from_rules` does; with `format="table"` a text of
    rows is a truth table, with `label=`, `otherwise=` and `features=` as in `from_table`.
    """
    known = {each.name: each for each in FORMATS}
    if format not in (None, *known):
        raise InputError(f"there is no format {format!r}; the formats are: {', '.join(known)}")
    found = known[format] if format else _format_of(path)
    odd = sorted(set(options) - set(found.options))
    if odd:
        known_options = ", ".join(f"{each}=" for each in ("budget", *found.options))
        raise InputError(
            f"a file of the format {found.name} takes no {', '.join(odd)}=, but {known_options}"
        )
    return found.read(path, budget=budget, **options)


def _names_a_file(text: str) -> bool:
    return (
        len(text) < 1_000 and "\n" not in text and bool(Path(text).suffix) and os.path.isfile(text)
    )


@dataclass(frozen=True)
class Format:
    """A kind of file: how it begins, what its files are called, and what reads it."""

    name: str
    read: Callable[..., Classifier]
    opening: re.Pattern[bytes] | None = None
    suffixes: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


def _load_reasons(path: str | os.PathLike[str], *, budget: Budget | None) -> Classifier:
    circuit, about = storage.read(path, budget)
    return _classifier(circuit, about)


def _load_formula(path: str | os.PathLike[str], *, budget: Budget | None) -> Classifier:
    return compile_formula(text_of(path), source=str(path), budget=budget)


def _model(name: str, opening: bytes, options: tuple[str, ...] = ()) -> Format:
    """A kind of file of a trained model; what reads it is imported when it is met."""

    def read(path: str | os.PathLike[str], *, budget: Budget | None, **told: Any) -> Classifier:
        from reasons.frontends.model_files import load_model

        return load_model(name, path, budget, told)

    suffixes = (".pkl", ".pickle", ".joblib", ".skops") if name == "pickle" else ()
    return Format(name, read, re.compile(opening), suffixes, (*MODEL_OPTIONS, *options))


_COMMENTS = rb"(?:[ \t\r]*(?:c(?:[ \t\r][^\n]*)?)?\n)*+[ \t]*"
_END = rb"[ \t\r]*(?:\n|\Z)"
_NODE = rb"(?:[^\n]*nnf(?:[ \t]+\d+){3}|[oatf][ \t]+\d+[ \t]+0|L[ \t]+-?\d+|[AO](?:[ \t]+\d+)+)"

FORMATS = (
    Format("reasons", _load_reasons, re.compile(re.escape(storage.MAGIC)), (".reasons",)),
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


def _format_of(path: str | os.PathLike[str]) -> Format:
    """By the first lines; where they tell nothing, as in a damaged file, by the name."""
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    if suffixes[-1:] == [".reasons"]:
        return FORMATS[0]
    head = contents(path, _MOST_HEAD)
    for each in FORMATS:
        if each.opening is not None and each.opening.match(head):
            return each
    named = suffixes[-2:-1] if suffixes[-1:] == [".gz"] else suffixes[-1:]
    return next((f for f in FORMATS if set(f.suffixes) & set(named)), FORMATS[-1])


def _classifier(circuit: Circuit, about: dict[str, Any]) -> Classifier:
    said = about.get("wording") or {}
    labels = {
        circuit.labels[index]: text if isinstance(text, str) else (text[0], text[1])
        for index, text in said.get("labels", [])
    }
    wording = Wording(said.get("subject", ""), said.get("pronoun", ""), labels)
    return Classifier(
        circuit,
        wording=wording,
        given=about.get("given"),
        weights=about.get("weights"),
        notes=about.get("notes") or (),
    )
