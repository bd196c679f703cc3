"""Networks of `../shared/data/bn`, and their posteriors by pyagrum, read apart from the package."""

import warnings
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy
import pytest

import reasons
from tests.support.folders import SHARED

DATA = SHARED / "bn"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason=f"no data at {DATA}")

NEAR = 1e-5
"""pyagrum reads files in single precision, so that nearer posteriors tell nothing."""


def pyagrum() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # made errors, those of its import end the process
        return pytest.importorskip("pyagrum")


@cache
def library_network(path: Path) -> Any:
    """A file as pyagrum holds it; UAI files are read here, as it takes parents backwards."""
    return _uai(path) if path.suffix == ".uai" else pyagrum().loadBN(str(path))


def _uai(path: Path) -> Any:
    library = pyagrum()
    words = iter(path.read_text().split()[1:])
    sizes = [int(next(words)) for _ in range(int(next(words)))]
    scopes = [[int(next(words)) for _ in range(int(next(words)))] for _ in range(int(next(words)))]
    found = library.BayesNet()
    for number, size in enumerate(sizes):
        found.add(library.LabelizedVariable(str(number), "", size))
    for scope in scopes:
        for parent in scope[:-1]:
            found.addArc(str(parent), str(scope[-1]))
    for scope in scopes:
        entries = numpy.array([float(next(words)) for _ in range(int(next(words)))])
        table = found.cpt(str(scope[-1]))
        order = [scope.index(int(name)) for name in reversed(table.names)]
        shape = [sizes[number] for number in scope]
        table[:] = numpy.ascontiguousarray(entries.reshape(shape).transpose(order))
    return found


class Posteriors:
    """The probabilities of a target's states given all features, by pyagrum's inference."""

    def __init__(self, path: Path, target: str, features: Sequence[str]) -> None:
        self._network = library_network(path)
        self._inference = pyagrum().LazyPropagation(self._network)
        self._inference.addTarget(target)
        self._target, self._features = target, features
        self._told = False

    def __call__(self, states: Sequence[int]) -> list[float]:
        for name, state in zip(self._features, states, strict=True):
            if self._told:
                self._inference.chgEvidence(name, state)
            else:
                self._inference.addEvidence(name, state)
        self._told = True
        self._inference.makeInference()
        return list(self._inference.posterior(self._target).tolist())

    def world(self, rng: Random) -> list[int]:
        """States of the features, drawn from the network."""
        found: dict[str, int] = {}
        for number in self._network.topologicalOrder():
            table = self._network.cpt(number)
            own, *parents = table.names
            row = table[{p: found[p] for p in parents}].tolist() if parents else table.tolist()
            (found[own],) = rng.choices(range(len(row)), weights=row)
        return [found[name] for name in self._features]


def cells_of(classifier: reasons.Classifier, path: Path, states: Sequence[int]) -> list[int]:
    """Our cells of pyagrum's states, by their names."""
    network = library_network(path)
    found = []
    for feature, state in zip(classifier.features, states, strict=True):
        label = network.variable(feature.name).labels()[state]
        if feature.kind == "boolean":
            found.append(int(label.lower() in ("true", "1")))
        else:
            found.append([str(value) for value in feature.values].index(label))
    return found
