"""`compile` and `load`: the entry points for all sources of classifiers."""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Never

from reasons.budget import Budget
from reasons.classifier import Classifier
from reasons.errors import InputError, require_options
from reasons.explain.wording import Wording
from reasons.features.feature import Feature
from reasons.formats.registry import FORMATS, format_of
from reasons.frontends.options import Method, require_lists
from reasons.frontends.registry import kind_of, load_function
from reasons.text import did_you_mean


def compile(
    source: Any,
    *,
    features: Iterable[Feature | str] | None = None,
    constraint: str | None = None,
    wording: Wording | None = None,
    budget: Budget | None = None,
    threshold: float | None = None,
    names: Sequence[str] | None = None,
    classes: Sequence[Any] | None = None,
    groups: Mapping[str, Sequence[str]] | None = None,
    domain: Mapping[str, Any] | None = None,
    data: Any = None,
    missing: bool | None = None,
    method: Method | None = None,
    target: Any = None,
    state: Any = None,
    region: Any = None,
    inputs: Literal["signs", "01"] | None = None,
    rows: Literal["frame", "array", "mappings", "mapping"] | None = None,
    labels: Iterable[Any] | None = None,
    most_cells: int | None = None,
    **misspelt: Never,
) -> Classifier:
    """The classifier of a formula, a model, a network or a function, compiled once to a circuit.

    `features` lists a formula's features in the order wanted, with phrases, and may name more
    than the formula does; `constraint` is a formula of the instances that are possible.

    A model is one of scikit-learn's trees, forests, boosted trees and votes of these, its linear
    models and naive Bayes over discrete columns, one of XGBoost, LightGBM or CatBoost, or an EBM
    of interpret, alone or at the end of a scikit-learn pipeline. It takes `threshold=`, from
    which probability (of a regressor: prediction) on the second label is given; `names=` of
    columns without; `classes=` of a Booster; `groups=` of 0/1 columns that stand for one
    category; `domain=`, what values columns can take; `data=`, a frame, an Arrow table, a file
    or a folder, to take from it the ranges, whole numbers, categories and missing values of the
    columns that are not in `domain`; `missing=False` if none is ever missing;
    and `method="compiled"` or `"search"`: without, a model that does not fit the budget (a
    million nodes or five seconds by default) is answered by search on its trees.

    A Bayesian network of pyagrum or pgmpy takes `target=`, the node that decides; `features=`,
    by default its leaves; and `threshold=`, from which probability of the target's `state=` (by
    default its first) on the label is True; without, the label is the most probable state.

    A neural network is a list of `Dense`, `BatchNorm`, `Sign` and `Step`, or a torch Sequential of
    such layers. It takes `names=` of its inputs, `classes=` of its outputs, `threshold=` if it
    ends in one sum, `inputs="01"` if they are 0 and 1 rather than -1 and 1, and `region=`, where
    to look at it: `Flips(image, 5)`, or a mapping from names to values; the rest is impossible.

    Any other model with a `predict`, or a function, is evaluated once in every cell of the
    `features`, up to `most_cells` (2^24 by default). It gets many rows as a data frame or an
    array and returns a label for each; `rows=` says which, or "mappings" for a list of mappings,
    or "mapping" for a function of one row. `labels=` lists the labels, and `constraint=` is a
    condition over characteristics that every possible instance satisfies.
    Can explode: budgeted.

    >>> compile("a -> b").count(True)
    3
    """
    options = {name: value for name, value in locals().items() if value is not None}
    for name in ("source", "wording", "budget", "misspelt"):
        options.pop(name, None)
    options |= misspelt
    if isinstance(source, Classifier):
        return source
    if isinstance(source, str) and _names_a_file(source):
        raise InputError("{value} is a file; read it with reasons.load", value=source)
    kind = kind_of(source, has_features=features is not None)
    require_options(kind.name, options, kind.options)
    require_lists(options, ("features", "names", "classes", "labels"))
    compiler = load_function(kind.compiler)
    classifier: Classifier = compiler(source, wording=wording, budget=budget, **options)
    return classifier


def load(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    budget: Budget | None = None,
    **options: Any,
) -> Classifier:
    """The classifier in a file: a trained model, a formula, clauses, `.nnf`, `.sdd`, DDDMP, ...

    The content gives the format unless `format` does; a file may be packed by gzip.
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
    are read with `allow_pickle=True` only. A points table (`points`, CSV) takes what `from_points`
    takes; Bayesian networks (BIF, XMLBIF, NET, UAI, DSL, XDSL) and neural networks (JSON with
    arrays named `fc1.weight` and so on, `.neuron`) what `compile` takes for those.
    Naive Bayes as text needs `format="cnbc"` or "xlc". Rules (`if ... then ...`) take
    `features=`, `default=`, `mode=` and `conflict=` as `from_rules` does; with `format="table"` a
    text of rows is a truth table, with `label=`, `otherwise=` and `features=` as in `from_table`.
    """
    known = {each.name: each for each in FORMATS}
    if format not in (None, *known):
        raise InputError(
            "there is no format {value}{hint}; the formats are: {known}",
            value=format,
            hint=did_you_mean([format], known),
            known=", ".join(known),
        )
    chosen = known[format] if format else format_of(path)
    require_options(f"a file of the format {chosen.name}", options, ("budget", *chosen.options))
    require_lists(options, ("features", "classes"))
    read = chosen.load_reader()  # called here, since warnings count the frames up to the caller
    return read(path, budget=budget, **options)


def load_reasons(path: str | os.PathLike[str], *, budget: Budget | None) -> Classifier:
    """The classifier in a `.reasons` file."""
    return Classifier.from_file(path, budget)


def _names_a_file(text: str) -> bool:
    return (
        len(text) < 1_000 and "\n" not in text and bool(Path(text).suffix) and os.path.isfile(text)
    )
