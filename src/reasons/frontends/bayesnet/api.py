"""Entry points of the front end for Bayesian networks: files, and networks in memory."""

import os
from collections.abc import Callable
from typing import Any

from reasons.budget import Budget
from reasons.classifier import Classifier
from reasons.frontends.bayesnet.compiler import compile_network
from reasons.frontends.bayesnet.readers import read_network
from reasons.frontends.bayesnet.readers.in_memory import network_in_memory
from reasons.frontends.bayesnet.readers.naive_bayes_text import load_cnbc, load_xlc

_NAIVE_BAYES: dict[str, Callable[..., Classifier]] = {"cnbc": load_cnbc, "xlc": load_xlc}


def load_network(
    path: str | os.PathLike[str], *, format: str, budget: Budget | None, **options: Any
) -> Classifier:
    """The classifier of a network in a file of one of the formats that `FORMATS` names."""
    if format in _NAIVE_BAYES:
        return _NAIVE_BAYES[format](path, budget=budget, **options)
    return compile_network(read_network(format, path), budget=budget, **options)


def compile_model(model: Any, **options: Any) -> Classifier:
    """The classifier of a network that pyagrum or pgmpy holds."""
    return compile_network(network_in_memory(model), **options)
