"""XGBoost's binary model files: the part of Universal Binary JSON that it writes."""

import struct
from typing import Any

import numpy

from reasons.errors import ParseError

_NUMBER = {"i": ">i1", "U": ">u1", "I": ">i2", "l": ">i4", "L": ">i8", "d": ">f4", "D": ">f8"}
_MOST_DEPTH = 100


def decoded(data: bytes, source: str) -> Any:
    """The value that the bytes hold; typed arrays are NumPy arrays."""
    reader = _Reader(data, source)
    value = reader.value(reader.mark(), 0)
    if reader.at != len(data):
        reader.fail("more bytes follow the value")
    return value


class _Reader:
    def __init__(self, data: bytes, source: str) -> None:
        self.data, self.source, self.at = data, source, 0

    def fail(self, message: str) -> ParseError:
        raise ParseError(f"byte {self.at}: {message}", source=self.source)

    def take(self, count: int) -> bytes:
        if count < 0 or count > len(self.data) - self.at:
            self.fail("the file ends too early")
        self.at += count
        return self.data[self.at - count : self.at]

    def mark(self) -> str:
        return self.take(1).decode("latin-1")

    def peek(self, mark: bytes) -> bool:
        is_next = self.data[self.at : self.at + 1] == mark
        self.at += is_next
        return is_next

    def number(self, mark: str) -> Any:
        if mark not in _NUMBER:
            self.fail(f"a number is expected, not {mark!r}")
        return struct.unpack(_STRUCT[mark], self.take(numpy.dtype(_NUMBER[mark]).itemsize))[0]

    def count(self) -> int:
        number = self.number(self.mark())
        if not isinstance(number, int) or number < 0:
            self.fail("a count is expected")
        return int(number)

    def text(self) -> str:
        try:
            return self.take(self.count()).decode("utf-8")
        except UnicodeDecodeError:
            raise self.fail("a text is not UTF-8") from None

    def value(self, mark: str, depth: int) -> Any:
        if depth > _MOST_DEPTH:
            self.fail("arrays or objects are nested too deeply")
        if mark in _NUMBER:
            return self.number(mark)
        if mark in "STFZ":
            return self.text() if mark == "S" else {"T": True, "F": False, "Z": None}[mark]
        if mark == "[":
            return self.array(depth)
        if mark == "{":
            return self.object(depth)
        raise self.fail(f"no value begins with {mark!r}")

    def array(self, depth: int) -> Any:
        if self.peek(b"$"):
            kind = self.mark()
            if kind not in _NUMBER or not self.peek(b"#"):
                self.fail("a typed array must be of numbers and say how many")
            dtype = numpy.dtype(_NUMBER[kind])
            typed = numpy.frombuffer(self.take(self.count() * dtype.itemsize), dtype)
            return typed.astype(dtype.newbyteorder("="))
        if self.peek(b"#"):
            return [self.value(self.mark(), depth + 1) for _ in range(self.count())]
        values: list[Any] = []
        while not self.peek(b"]"):
            values.append(self.value(self.mark(), depth + 1))
        return values

    def object(self, depth: int) -> dict[str, Any]:
        members: dict[str, Any] = {}
        count = self.count() if self.peek(b"#") else None
        while (len(members) < count) if count is not None else not self.peek(b"}"):
            name = self.text()
            if name in members:
                self.fail(f"{name!r} is given twice")
            members[name] = self.value(self.mark(), depth + 1)
        return members


_STRUCT = {"i": ">b", "U": ">B", "I": ">h", "l": ">i", "L": ">q", "d": ">f", "D": ">d"}
