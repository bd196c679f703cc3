"""`.reasons` files taken apart, and forged with checksums that are right."""

import json
import struct
import zlib
from array import array
from pathlib import Path
from typing import Any

from reasons.backends.file_format import MAGIC, VERSION


def parts(path: Path) -> tuple[dict[str, Any], dict[str, "array[int]"]]:
    data = path.read_bytes()
    room = struct.unpack("<I", data[12:16])[0]
    header = json.loads(data[24 : 24 + room])
    arrays = {}
    for name, (offset, size) in header["sections"].items():
        arrays[name] = array("H" if name == "arm_of" else "I", data[offset : offset + size])
    return header, arrays


def forge(
    path: Path, header: dict[str, Any], arrays: dict[str, "array[int]"], shift: int = 0
) -> None:
    """Write a file as the package would, whatever it says."""
    room = 8192 - 24
    sections, body = {}, bytearray(shift)
    for name, values in arrays.items():
        sections[name] = [24 + room + len(body), len(values) * values.itemsize]
        body += values.tobytes() + bytes(-(len(values) * values.itemsize) % 64)
    made = {**header, "sections": header.get("forged", sections), "length": 24 + room + len(body)}
    encoded = json.dumps(made).encode().ljust(room)
    prefix = struct.pack("<8sIII", MAGIC, VERSION, room, zlib.crc32(body))
    seal = struct.pack("<I", zlib.crc32(encoded, zlib.crc32(prefix)))
    path.write_bytes(prefix + seal + encoded + body)
