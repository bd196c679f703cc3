"""`.reasons` files: a classifier's backend as arrays, with its names.

Layout, all numbers little-endian:

    8 bytes   "reasons" and a newline
    4 bytes   version of the format, 1
    4 bytes   length of the header
    4 bytes   CRC-32 of the body
    4 bytes   CRC-32 of the 20 bytes before and of the header
    header    UTF-8 JSON: features, labels, wording, weights, `kind` (of backend; a circuit where
              there is none) and the kind's `fields`, sections {name: [offset, bytes]}, and
              `length`, the size of the file
    body      the backend's arrays (of a circuit see core/circuit/circuit.hpp, of an ensemble
              ensembles/stored.py), each at a multiple of 64 bytes

A file is read at once, checked and used in place: nothing is unpickled. Mapping it instead lost: a
file that changes under the map changes answers, and one that shrinks kills the process. The
checksum finds damage, not malice; each backend checks the invariants of its arrays as well.
"""

import json
import os
import struct
import sys
import zlib
from collections.abc import Mapping
from typing import Any

from reasons.backends.file_header import (
    check_words,
    feature_in,
    feature_out,
    value_in,
    value_out,
    weights_in,
)
from reasons.backends.protocol import Backend, Stored
from reasons.backends.registry import backend_of_kind
from reasons.budget import Budget
from reasons.errors import InputError, ParseError, PropertyError
from reasons.features.schema import Schema
from reasons.fs import open_regular, write_atomically

MAGIC = b"reasons\n"
VERSION = 1
_PREFIX = struct.Struct("<8sIIII")
_ALIGNED = 64
_CIRCUIT = "circuit"
# What a header or an array that says nonsense raises in whoever reads it.
_DAMAGE = (
    *(AttributeError, LookupError, TypeError, ValueError, OverflowError, RecursionError),
    PropertyError,
)


def write(path: str | os.PathLike[str], backend: Backend, about: Mapping[str, Any]) -> None:
    """Write a backend and its metadata, all or nothing.

    The file appears under its name only when it is complete and on the disk.
    """
    write_atomically(path, *packed(backend, about))


def packed(backend: Backend, about: Mapping[str, Any]) -> tuple[bytes, bytearray]:
    """The bytes of a file: its head and its body."""
    if sys.byteorder != "little":
        raise InputError("a .reasons file can be written on little-endian machines only")
    stored = backend.stored()
    header: dict[str, Any] = {
        "features": [feature_out(feature) for feature in backend.schema],
        "labels": [value_out(label, "a label") for label in backend.labels],
        **about,
    }
    if stored.kind != _CIRCUIT:
        header |= {"kind": stored.kind, "fields": stored.fields}
    views = {name: memoryview(array).cast("B") for name, array in stored.arrays.items()}
    encoded, sections = _laid_out(header, {name: len(view) for name, view in views.items()})
    body = bytearray(sections["end"][0] - _PREFIX.size - len(encoded))
    base = _PREFIX.size + len(encoded)
    for name, view in views.items():
        offset, size = sections[name]
        body[offset - base : offset - base + size] = view
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
) -> tuple[Backend, dict[str, Any]]:
    """The backend of a file, and its metadata.

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
) -> tuple[Backend, dict[str, Any]]:
    """The backend in the bytes of a file, and its metadata."""
    header = _header(data, name)
    try:
        schema = Schema(feature_in(feature) for feature in header["features"])
        labels = tuple(value_in(label) for label in header["labels"])
        if len(set(labels)) != len(labels):
            raise PropertyError("a label occurs twice")
        # Files of older releases say `given`.
        header["constraint"] = header.get("constraint") or header.pop("given", None)
        check_words(header, labels)
        header["weights"] = weights_in(header.get("weights"), schema)
        backend = backend_of_kind(header.get("kind", _CIRCUIT)).restored(
            _stored(data, header), schema, labels, budget
        )
    except _DAMAGE as error:
        raise ParseError(f"the file is damaged: {error}", source=name) from None
    return backend, header


def _stored(data: memoryview, header: Mapping[str, Any]) -> Stored:
    """The fields and arrays of a backend, within the bounds of the file."""
    arrays: dict[str, memoryview] = {}
    for name, (offset, size) in header["sections"].items():
        if offset % _ALIGNED or offset < 0 or size < 0 or offset + size > len(data):
            raise PropertyError("a section does not stand where it should")
        arrays[name] = data[offset : offset + size]
    fields = header.get("fields", {})
    if not isinstance(fields, dict):
        raise PropertyError("fields that are not a mapping")
    return Stored(header.get("kind", _CIRCUIT), fields, arrays)


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
        raise ParseError("the body is damaged (its checksum is wrong)", source=name)
    return header
