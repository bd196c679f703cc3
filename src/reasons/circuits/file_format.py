"""`.reasons` files: a classifier's circuit as it lies in memory, with its names.

Layout, all numbers little-endian:

    8 bytes   "reasons" and a newline
    4 bytes   version of the format, 1
    4 bytes   length of the header
    4 bytes   CRC-32 of the body
    4 bytes   CRC-32 of the 20 bytes before and of the header
    header    UTF-8 JSON: features, labels, wording, weights, sections {name: [offset, bytes]},
              and `length`, the size of the file
    body      the circuit's arrays (see core/circuit/circuit.hpp), each at a multiple of 64 bytes

A file is read at once, checked and used in place: nothing is unpickled or converted. Mapping it
instead lost: a file that changes under the map changes answers, and one that shrinks kills the
process. The checksum finds damage, not malice; the circuit's invariants are checked as well.
"""

import json
import math
import os
import re
import struct
import sys
import zlib
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal

from reasons import _core
from reasons.budget import Budget
from reasons.circuits.circuit import Circuit
from reasons.errors import InputError, ParseError, PropertyError
from reasons.features.feature import Feature
from reasons.features.schema import Schema
from reasons.features.values import MISSING, OTHER, Special
from reasons.fs import open_regular, write_atomically

MAGIC = b"reasons\n"
VERSION = 1
_PREFIX = struct.Struct("<8sIIII")
_ALIGNED = 64
_FRACTION = re.compile(r"-?[0-9]{1,4000}(/[1-9][0-9]{0,4000})?")
_ARRAYS: dict[str, Literal["H", "I"]] = {
    name: "H" if name == "arm_of" else "I"
    for name in (
        *("domains", "heads", "first", "edges"),
        *("split_of", "split_arms", "split_from", "arm_of"),
    )
}


def write(path: str | os.PathLike[str], circuit: Circuit, about: Mapping[str, Any]) -> None:
    """Write a circuit and its metadata, all or nothing.

    The file appears under its name only when it is complete and on the disk.
    """
    write_atomically(path, *packed(circuit, about))


def packed(circuit: Circuit, about: Mapping[str, Any]) -> tuple[bytes, bytearray]:
    """The bytes of a file: its head and its body."""
    if sys.byteorder != "little":
        raise InputError("a .reasons file can be written on little-endian machines only")
    arrays = circuit.native.to_arrays()
    header: dict[str, Any] = {
        "features": [_feature_out(feature) for feature in circuit.schema],
        "labels": [_value_out(label, "a label") for label in circuit.labels],
        **about,
    }
    encoded, sections = _laid_out(header, {name: len(arrays[name]) for name in _ARRAYS})
    body = bytearray(sections["end"][0] - _PREFIX.size - len(encoded))
    base = _PREFIX.size + len(encoded)
    for name in _ARRAYS:
        offset, size = sections[name]
        body[offset - base : offset - base + size] = arrays[name]
    prefix = _PREFIX.pack(MAGIC, VERSION, len(encoded), zlib.crc32(body), 0)[:-4]
    seal = struct.pack("<I", zlib.crc32(encoded, zlib.crc32(prefix)))
    return prefix + seal + encoded, body


def _laid_out(
    header: dict[str, Any], sizes: Mapping[str, int]
) -> tuple[bytes, dict[str, tuple[int, int]]]:
    """The header with the place of every section, padded so that its length is known first."""
    room = _rounded(_PREFIX.size + len(_json(header)) + 64 * (len(sizes) + 2)) - _PREFIX.size
    offset, sections = _PREFIX.size + room, {}
    for name, size in sizes.items():
        sections[name] = (offset, size)
        offset = _rounded(offset + size)
    encoded = _json({**header, "sections": sections, "length": offset}).encode()
    sections["end"] = (offset, 0)
    return encoded.ljust(room), sections


def _rounded(offset: int) -> int:
    return -(-offset // _ALIGNED) * _ALIGNED


def _json(header: Mapping[str, Any]) -> str:
    return json.dumps(header, separators=(",", ":"))


def read(
    path: str | os.PathLike[str], budget: Budget | None = None
) -> tuple[Circuit, dict[str, Any]]:
    """The circuit of a file, used as it was read, and its metadata.

    A file that is cut short, changed or not ours raises `ParseError`.
    Cost: O(file), mostly the checksum.
    """
    name = str(path)
    try:
        with open_regular(path) as file:
            # The rest of a file that is not ours is not read, however large it is.
            data = file.read(_PREFIX.size)
            data += file.read() if data.startswith(MAGIC) else b""
    except OSError as error:
        raise InputError(f"cannot read {name}: {error.strerror or error}") from None
    return unpacked(memoryview(data), name, budget)


def unpacked(
    data: memoryview, name: str, budget: Budget | None = None
) -> tuple[Circuit, dict[str, Any]]:
    """The circuit in the bytes of a file, and its metadata."""
    header = _header(data, name)
    try:
        schema = Schema(_feature_in(feature) for feature in header["features"])
        labels = tuple(_value_in(label) for label in header["labels"])
        if len(set(labels)) != len(labels):
            raise PropertyError("a label occurs twice")
        if any(offset % _ALIGNED for offset, _ in header["sections"].values()):
            raise PropertyError("a section does not stand where it should")
        # Files of older releases say `given`.
        header["constraint"] = header.get("constraint") or header.pop("given", None)
        _check_words(header, labels)
        header["weights"] = _weights_in(header.get("weights"), schema)
        arrays: dict[str, Any] = {
            key: data[offset : offset + size].cast(code)
            for key, code in _ARRAYS.items()
            for offset, size in [header["sections"][key]]
        }
        native = _core.Circuit.from_arrays(**arrays, labels=len(labels))
        if list(native.domains) != [len(feature.values) for feature in schema]:
            raise PropertyError("the features do not fit the circuit")
        circuit = Circuit(native, schema, labels)
        if not native.is_ordered:
            circuit.check(budget)
    except (AttributeError, LookupError, TypeError, ValueError, PropertyError) as error:
        raise ParseError(f"the file is damaged: {error}", source=name) from None
    return circuit, header


def _check_words(header: Mapping[str, Any], labels: tuple[Any, ...]) -> None:
    """Raise `PropertyError` unless wording, notes and constraint have the right types."""
    words = header.get("wording") or {}
    texts = [words.get("subject", ""), words.get("pronoun", ""), header["constraint"] or ""]
    notes = header.get("notes") or []
    if not isinstance(notes, list):
        raise PropertyError("notes that are not a list")
    texts += notes
    for index, phrase in words.get("labels", []):
        texts += [phrase] if isinstance(phrase, str) else [phrase[0], phrase[1]]
        if not 0 <= index < len(labels):
            raise PropertyError("wording for a label that does not exist")
    if not all(isinstance(text, str) for text in texts):
        raise PropertyError("wording that is not text")


def _weights_in(rows: Any, schema: Schema) -> dict[str, dict[Any, Fraction]] | None:
    """The weights of all values, stored as texts such as 3/4."""
    if rows is None:
        return None
    weights: dict[str, dict[Any, Fraction]] = {}
    for feature, row in zip(schema, rows, strict=True):
        if not all(_FRACTION.fullmatch(text) for text in row):
            raise PropertyError("a weight that is not a fraction")
        weights[feature.name] = dict(zip(feature.values, map(Fraction, row), strict=True))
    return weights


def _header(data: memoryview, name: str) -> dict[str, Any]:
    """The header of a file, after the checksums were verified."""
    if len(data) < _PREFIX.size or bytes(data[:8]) != MAGIC:
        raise ParseError("this is not a .reasons file", source=name)
    _, version, room, body_sum, seal = _PREFIX.unpack(data[: _PREFIX.size])
    if version != VERSION:
        raise ParseError(
            f"the file is of version {version}; this release reads version {VERSION}", source=name
        )
    start = _PREFIX.size + room
    if start > len(data):
        raise ParseError("the file is cut short within its header", source=name)
    if zlib.crc32(data[_PREFIX.size : start], zlib.crc32(data[: _PREFIX.size - 4])) != seal:
        raise ParseError("the header is damaged (its checksum is wrong)", source=name)
    try:
        header = json.loads(bytes(data[_PREFIX.size : start]))
    except (ValueError, RecursionError):
        raise ParseError("the header is not JSON", source=name) from None
    if not isinstance(header, dict) or header.get("length") != len(data):
        raise ParseError(
            f"the file has {len(data):,} bytes, not as many as it was written with", source=name
        )
    if zlib.crc32(data[start:]) != body_sum:
        raise ParseError("the circuit is damaged (its checksum is wrong)", source=name)
    return header


def _feature_out(feature: Feature) -> dict[str, Any]:
    out: dict[str, Any] = {"name": feature.name, "kind": feature.kind}
    if feature.kind == "numeric":
        out |= {"cuts": list(feature.cuts), "closed": feature.closed, "cast": feature.cast}
        out |= {"whole": feature.whole, "within": _bounds_out(feature.within)}
    if feature.kind == "categorical":
        plain = [value for value in feature.values if not isinstance(value, Special)]
        out["values"] = [_value_out(value, f"feature {feature.name!r}") for value in plain]
        out |= {"as_text": True} if feature.as_text else {}
    out |= {"missing": MISSING in feature.values, "other": OTHER in feature.values}
    if feature.phrases:
        out["phrases"] = [[feature.cell(value), text] for value, text in feature.phrases.items()]
    return out


def _feature_in(out: Mapping[str, Any]) -> Feature:
    name, kind = out["name"], out["kind"]
    if kind == "boolean":
        feature = Feature.boolean(name)
    elif kind == "numeric":
        feature = Feature.numeric(
            name,
            out["cuts"],
            closed=out["closed"],
            missing=out["missing"],
            cast=out.get("cast", "float64"),
            whole=out.get("whole", False),
            within=_bounds_in(out.get("within")),
        )
    else:
        values = [_value_in(value) for value in out["values"]]
        feature = Feature.categorical(
            name,
            values,
            other=out["other"],
            missing=out["missing"],
            as_text=out.get("as_text", False),
        )
    phrases = {
        feature.values[cell]: text if isinstance(text, str) else (text[0], text[1])
        for cell, text in out.get("phrases", [])
    }
    object.__setattr__(feature, "phrases", phrases)
    return feature


def _bounds_out(within: tuple[float, float] | None) -> list[float | None] | None:
    """Bounds for JSON, which has no infinity."""
    return None if within is None else [b if math.isfinite(b) else None for b in within]


def _bounds_in(bounds: Any) -> tuple[float, float] | None:
    if bounds is None:
        return None
    low, high = bounds
    return (-math.inf if low is None else low, math.inf if high is None else high)


def _value_out(value: Any, where: str) -> Any:
    """A value for JSON; numpy scalars become plain ones."""
    value = value.item() if hasattr(value, "item") else value
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, tuple):
        return {"tuple": [_value_out(part, where) for part in value]}
    raise InputError(
        f"{where} has the value {value!r} of type {type(value).__name__}, "
        "which a .reasons file cannot hold; use texts, numbers, booleans or tuples of them"
    )


def _value_in(value: Any) -> Any:
    if isinstance(value, dict):
        return tuple(_value_in(part) for part in value["tuple"])
    return value
