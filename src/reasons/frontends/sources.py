"""`compile` and `load`: whatever a classifier comes as, told apart here."""

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reasons import storage
from reasons.budget import Budget
from reasons.circuit import Circuit
from reasons.classifier import Classifier
from reasons.errors import InputError, ParseError, UnsupportedModel
from reasons.features import Feature
from reasons.frontends.boolean import compile_formula
from reasons.frontends.cnf import load_cnf
from reasons.frontends.dddmp import load_dddmp
from reasons.frontends.files import contents
from reasons.frontends.nnf import load_nnf
from reasons.frontends.options import NAMES as MODEL_OPTIONS
from reasons.frontends.options import Method, Options
from reasons.frontends.sdd import load_sdd
from reasons.statements import Wording

_MOST_HEAD = 1 << 20


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
    target: Any = None,
    state: Any = None,
) -> Classifier:
    """The classifier of a formula text, a trained model or a network, compiled once into a circuit.

    `features` lists a formula's features in the order wanted, with phrases, and may name more
    than the formula does; `given` is a formula of the instances that are possible.

    A model is one of scikit-learn's trees, forests, boosted trees and votes of these, or one of
    XGBoost, LightGBM or CatBoost, alone or at the end of a scikit-learn pipeline. It takes
    `threshold=`, from which probability (of a regressor: prediction) on the second label is
    given; `names=` of columns without; `classes=` of a Booster; `groups=` of 0/1 columns that
    stand for one category; `domain=`, what values columns can take; `missing=False` if none is
    ever missing; and `method="compiled"` or `"search"`: without, a model that does not fit the
    budget (a million nodes or five seconds, unless told) is answered by search on its trees.

    A Bayesian network of pyagrum or pgmpy takes `target=`, the node that decides; `features=`,
    by default its leaves; and `threshold=`, from which probability of the target's `state=` (by
    default its first) on the label is True; without, the label is the most probable state.
    Can explode: budgeted.

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
    from reasons.frontends.networks.memory import is_network

    if is_network(source):
        from reasons.frontends.networks.loaded import compile_in_memory

        told = {"target": target, "features": features, "state": state}
        return compile_in_memory(source, options, told, wording=wording, budget=budget)
    if target is not None or state is not None:
        raise InputError("target= and state= are for Bayesian networks")
    if isinstance(source, str):
        if _names_a_file(source):
            raise InputError(f"{source!r} is a file; read it with reasons.load")
        odd = [f"{name}=" for name in options.told if name != "given"]
        if odd:
            raise InputError(f"a formula takes no {', '.join(odd)}; that is for trained models")
        return compile_formula(
            source, features=features, given=given, wording=wording, budget=budget
        )
    from reasons.frontends.estimators import compile_model, is_model

    if is_model(source):
        if features is not None:
            raise InputError("a model's features are its columns; features= is for formulas")
        return compile_model(source, options, wording=wording, budget=budget)
    raise UnsupportedModel(
        f"cannot compile a {type(source).__module__}.{type(source).__name__}; "
        "give a formula as text, a fitted model of scikit-learn, XGBoost, LightGBM or CatBoost, "
        "a network of pyagrum or pgmpy, or use reasons.Builder, reasons.from_table or reasons.load"
    )


def load(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    budget: Budget | None = None,
    **options: Any,
) -> Classifier:
    """The classifier in a file: a trained model, a network, a formula, clauses, `.nnf`, ...

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
    are read with `allow_pickle=True` only. Bayesian networks (BIF, XMLBIF, NET, UAI, DSL, XDSL)
    take what `compile` takes for those; naive Bayes as text is told by `format="cnbc"` or "xlc".
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
    return compile_formula(_text(path), source=str(path), budget=budget)


def _model(name: str, opening: bytes, options: tuple[str, ...] = ()) -> Format:
    """A kind of file of a trained model; what reads it is imported when it is met."""

    def read(path: str | os.PathLike[str], *, budget: Budget | None, **told: Any) -> Classifier:
        from reasons.frontends.model_files import load_model

        return load_model(name, path, budget, told)

    suffixes = (".pkl", ".pickle", ".joblib", ".skops") if name == "pickle" else ()
    return Format(name, read, re.compile(opening), suffixes, (*MODEL_OPTIONS, *options))


def _network(
    name: str,
    opening: bytes | None,
    suffixes: tuple[str, ...],
    options: tuple[str, ...] = ("target", "features", "threshold", "state"),
) -> Format:
    """A kind of file of a Bayesian network; what reads it is imported when it is met."""

    def read(path: str | os.PathLike[str], *, budget: Budget | None, **told: Any) -> Classifier:
        from reasons.frontends.networks.loaded import load_network

        return load_network(name, path, budget, told)

    found = None if opening is None else re.compile(opening, re.DOTALL)
    return Format(name, read, found, suffixes, options)


_SLASHES = rb"(?:\s|//[^\n]*\n)*+"
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
    _network("bif", _SLASHES + rb'network\s*(?:"[^"\n]*"|[^\s{]*)\s*\{', (".bif",)),
    _network("net", rb"(?:\s|%[^\n]*\n)*+(?:net\s*\{|node\s+\w+\s*\{)", (".net", ".hugin")),
    _network("uai", rb"\s*(?:BAYES|MARKOV)\s", (".uai",)),
    _network("dsl", _SLASHES + rb"net\s+\w+\s*\{", (".dsl",)),
    _network("xdsl", rb"\s*(?:<\?xml[^>]*>)?(?:\s|<!--.*?-->)*+<smile\b", (".xdsl",)),
    _network("xmlbif", rb"\s*<(?:\?xml|!--|!DOCTYPE|BIF)", (".xmlbif", ".bifxml", ".xml")),
    _network("cnbc", None, (".cnbc",), ("names", "threshold", "state")),
    _network("xlc", None, (".xlc",), ("names",)),
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


def _text(path: str | os.PathLike[str]) -> str:
    data = contents(path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ParseError(
            "this is neither a .reasons file nor UTF-8 text", source=str(path), line=line
        ) from None


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
