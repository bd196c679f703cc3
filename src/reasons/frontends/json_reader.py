"""JSON objects from untrusted files: each member is checked as it is read."""

import json
from typing import Any, NoReturn

import numpy
from numpy.typing import NDArray

from reasons.errors import ParseError
from reasons.text import short_repr

_MOST_WHOLE = 2.0**31


class JsonNode:
    """An object inside a JSON text, and its place.

    >>> JsonNode({"trees": [{"depth": "3"}]}, "model").children("trees")[0].whole("depth")
    3
    """

    def __init__(self, value: Any, source: str, place: str = "") -> None:
        self.source, self.place = source, place
        if not isinstance(value, dict):
            self.fail(f"an object is expected, not {short_repr(value)}")
        self._value = value

    def fail(self, message: str) -> NoReturn:
        """Raise `ParseError` about this object."""
        raise ParseError(f"{self.place}: {message}" if self.place else message, source=self.source)

    def __contains__(self, name: str) -> bool:
        return name in self._value

    def names(self) -> list[str]:
        """The names of the members."""
        return list(self._value)

    def raw(self, name: str) -> Any:
        """A member as it is, or `ParseError`."""
        if name not in self._value:
            self.fail(f"{name!r} is missing")
        return self._value[name]

    def child(self, name: str) -> "JsonNode":
        """A member that is an object."""
        return JsonNode(self.raw(name), self.source, f"{self.place}.{name}" if self.place else name)

    def items(self, name: str) -> list[Any]:
        """A member that is an array."""
        value = self.raw(name)
        if isinstance(value, numpy.ndarray):
            return list(value.tolist())
        if not isinstance(value, list):
            self.fail(f"{name!r} must be an array, not {short_repr(value)}")
        return value

    def children(self, name: str) -> list["JsonNode"]:
        """A member that is an array of objects."""
        place = f"{self.place}.{name}" if self.place else name
        items = self.items(name)
        return [JsonNode(value, self.source, f"{place}[{i}]") for i, value in enumerate(items)]

    def text(self, name: str) -> str:
        """A member that is a text."""
        value = self.raw(name)
        if not isinstance(value, str):
            self.fail(f"{name!r} must be a text, not {short_repr(value)}")
        return value

    def texts(self, name: str) -> list[str]:
        """A member that is an array of texts."""
        items = self.items(name)
        if not all(isinstance(value, str) for value in items):
            self.fail(f"{name!r} must be an array of texts")
        return items

    def whole(self, name: str, default: int | None = None) -> int:
        """A member that is a whole number, perhaps written as a text."""
        if default is not None and name not in self._value:
            return default
        value = self.raw(name)
        try:
            number = int(value) if isinstance(value, str | int) else None
        except ValueError:
            number = None
        if number is None or abs(number) > _MOST_WHOLE:
            self.fail(f"{name!r} must be a whole number, not {short_repr(value)}")
        return number

    def numbers(self, name: str, count: int | None = None) -> NDArray[numpy.float64]:
        """A member that is an array of finite numbers."""
        value = self.raw(name)
        if not isinstance(value, numpy.ndarray):
            if not all(isinstance(each, int | float) for each in self.items(name)):
                self.fail(f"{name!r} must be an array of numbers")
            try:
                value = numpy.array(value, numpy.float64)
            except OverflowError:
                self.fail(f"{name!r} holds a number that is too large")
        if count is not None and len(value) != count:
            self.fail(f"{name!r} has {len(value)} numbers; {count} are expected")
        if not numpy.isfinite(value).all():
            self.fail(f"{name!r} holds a number that is not finite")
        return numpy.asarray(value, numpy.float64)

    def singles(self, name: str, count: int | None = None) -> NDArray[numpy.float32]:
        """A member that is an array of numbers, rounded to float32."""
        value = self.numbers(name, count)
        if (numpy.abs(value) > float(numpy.finfo(numpy.float32).max)).any():
            self.fail(f"{name!r} holds a number that is too large")
        return value.astype(numpy.float32)

    def wholes(self, name: str, count: int | None = None) -> NDArray[numpy.int64]:
        """A member that is an array of whole numbers."""
        value = self.numbers(name, count)
        if (value != numpy.floor(value)).any() or (numpy.abs(value) > _MOST_WHOLE).any():
            self.fail(f"{name!r} must be an array of whole numbers")
        return value.astype(numpy.int64)


def parsed(data: bytes, source: str) -> JsonNode:
    """The object in a JSON text."""
    try:
        return JsonNode(json.loads(data), source)
    except json.JSONDecodeError as error:
        raise ParseError(error.msg, source=source, line=error.lineno, column=error.colno) from None
    except RecursionError:
        raise ParseError("arrays or objects are nested too deeply", source=source) from None
    except (UnicodeDecodeError, ValueError) as error:
        raise ParseError(f"this is not JSON: {error}", source=source) from None
