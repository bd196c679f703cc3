"""`load` and `compile` of networks, by the options that both take."""

import os
from collections.abc import Callable
from typing import Any

from reasons.budget import Budget
from reasons.classifier import Classifier
from reasons.frontends.bayesnet.compiler import compile_network
from reasons.frontends.bayesnet.readers.files import read_network
from reasons.frontends.bayesnet.readers.in_memory import network_in_memory
from reasons.frontends.bayesnet.readers.naive_bayes_text import load_cnbc, load_xlc

_NAIVE: dict[str, Callable[..., Classifier]] = {"cnbc": load_cnbc, "xlc": load_xlc}


def load_network(
    kind: str, path: str | os.PathLike[str], budget: Budget | None, told: dict[str, Any]
) -> Classifier:
    """The classifier of a file of a network, of the kind that `FORMATS` names."""
    if kind in _NAIVE:
        return _NAIVE[kind](path, budget=budget, **told)
    return compile_network(read_network(kind, path), budget=budget, **told)


def compile_in_memory(model: Any, **told: Any) -> Classifier:
    """The classifier of a network that pyagrum or pgmpy holds."""
    return compile_network(network_in_memory(model), **told)
