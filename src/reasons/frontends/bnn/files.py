"""Files of binarised networks: JSON of weights by layer, and `.neuron` files of one unit."""

import os
import re
from typing import Any

import numpy

from reasons.budget import Budget
from reasons.classifier import Classifier
from reasons.errors import InputError, ParseError
from reasons.formats.files import contents, text_of
from reasons.frontends.bnn.compiler import compile_layers
from reasons.frontends.bnn.layers import BatchNorm, Dense, Layer, Sign, Step
from reasons.frontends.json_reader import JsonNode, parsed

_NORM = ("weight", "bias", "running_mean", "running_var")
_FIELDS = ("size", "weights", "threshold")


def load_layers(
    path: str | os.PathLike[str], *, format: str, budget: Budget | None, **options: Any
) -> Classifier:
    """The classifier of a network's file, in one of two formats.

    "layers" is a JSON object of arrays `LAYER.weight`, `.bias`, `.running_mean` and so on, as in
    NPAQ's binarised networks. Weights are latent: their signs are used. Between layers is the sign,
    which is 0 at 0. "neuron" is one unit, true where the weights of true inputs reach the
    threshold.
    """
    if format == "layers":
        layers = _layers(parsed(contents(path), str(path)))
    else:
        weights, threshold = _neuron(path)
        layers = [Dense([weights]), Step(threshold)]
        options["inputs"] = options.get("inputs") or "01"
    return compile_layers(layers, budget=budget, **options)


def _layers(part: JsonNode) -> list[Layer]:
    fields: dict[str, list[str]] = {}
    for name in part.names():
        layer, dot, field = name.rpartition(".")
        if not dot or field not in (*_NORM, "num_batches_tracked"):
            part.fail(f"{name!r} is not LAYER.weight, .bias, .running_mean or .running_var")
        fields.setdefault(layer, []).append(field)
    layers: list[Layer] = []
    for layer in _ordered(part, fields):
        made = _layer(part, layer, fields[layer])
        if isinstance(made, Dense) and layers:
            layers.append(Sign(zero=0))
        layers.append(made)
    if not layers:
        part.fail("there are no layers")
    return layers


def _ordered(part: JsonNode, fields: dict[str, list[str]]) -> list[str]:
    """The layers by the numbers in their names, a norm after the sums with its number."""
    numbers = {layer: re.search(r"(\d{1,9})$", layer) for layer in fields}
    for layer, number in numbers.items():
        if number is None:
            part.fail(f"the layer {layer!r} has no number, which says where it stands")
    return sorted(fields, key=lambda n: (int(numbers[n][1]), "running_mean" in fields[n]))  # type: ignore[index]


def _layer(part: JsonNode, layer: str, fields: list[str]) -> Layer:
    if "running_mean" not in fields and "running_var" not in fields:
        rows = part.items(f"{layer}.weight")
        width = len(rows[0]) if rows and isinstance(rows[0], list) else 0
        each = JsonNode({str(i): row for i, row in enumerate(rows)}, part.source, f"{layer}.weight")
        if not width:
            part.fail(f"{layer}.weight must be an array of arrays of numbers, none of them empty")
        weights = [each.numbers(str(i), width) for i in range(len(rows))]
        bias = part.numbers(f"{layer}.bias", len(rows)) if "bias" in fields else None
        return Dense(numpy.array(weights), bias, binarize=True)
    for field in _NORM:
        if field not in fields:
            part.fail(f"{layer}.{field} is missing")
    scale, shift, mean, variance = (part.numbers(f"{layer}.{field}") for field in _NORM)
    try:
        return BatchNorm(mean, variance, scale, shift)
    except InputError as error:
        part.fail(f"{layer}: {error}")


def _neuron(path: str | os.PathLike[str]) -> tuple[list[float], float]:
    source, fields = str(path), {}
    for number, text in enumerate(text_of(path).splitlines(), 1):
        if not text.strip():
            continue
        name, colon, value = text.partition(":")
        if not colon or name.strip() not in ("name", *_FIELDS) or name.strip() in fields:
            raise ParseError(
                f"a line is one of name, size, weights, threshold, once: {text[:40]!r}",
                source=source,
                line=number,
            )
        fields[name.strip()] = (number, value.split())
    absent = [field for field in _FIELDS if field not in fields]
    if absent:
        raise ParseError(f"{absent[0]!r} is missing", source=source)
    (size,), weights, (threshold,) = (_numbers(source, *fields[f], f != "weights") for f in _FIELDS)
    if size != len(weights):
        line = fields["weights"][0]
        raise ParseError(f"{len(weights)} weights; size says {size:g}", source=source, line=line)
    return weights, threshold


def _numbers(source: str, line: int, words: list[str], is_one: bool) -> list[float]:
    try:
        numbers = [float(word) for word in words]
    except ValueError as error:
        raise ParseError(str(error), source=source, line=line) from None
    if not numbers or (is_one and len(numbers) > 1) or not numpy.isfinite(numbers).all():
        expected = "one finite number is" if is_one else "finite numbers are"
        raise ParseError(f"{expected} expected", source=source, line=line)
    return numbers
