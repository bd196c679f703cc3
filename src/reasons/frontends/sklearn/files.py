"""Files of scikit-learn models: skops, and pickles where users allow them.

Loading a pickle can run any code of its author. A skops file names its types. Allowed are those
that skops trusts, and classes, metrics and the column check of scikit-learn.
"""

import bz2
import io
import lzma
import pickletools
import zlib
from importlib import import_module
from typing import Any
from zipfile import BadZipFile, ZipFile

from reasons.errors import InputError, Option, UnsupportedModel
from reasons.formats.files import Path
from reasons.fs import open_regular
from reasons.text import comma_list

_HEAD = 1 << 12
_PROTOCOLS = range(2, 6)
# Histogram boosting holds a partial that checks its columns; what it calls is allowed separately.
# Bins hold the type of their numbers.
_CHECKS = {"functools.partial", "sklearn.utils.validation.check_array", "numpy.dtype"}


def load_file(path: Path, allow_pickle: bool = False) -> Any:
    """The model in a skops, pickle or joblib file; the latter two only with `allow_pickle`."""
    with open_regular(path) as file:
        head = file.read(_HEAD)
    if head.startswith(b"PK"):
        return _skops(path)
    if not _is_pickle(head):
        raise InputError(f"{path} is neither a skops file nor a pickle of a model")
    if not allow_pickle:
        raise InputError(
            "{file} is a pickle, and loading it can run any code; if you trust where it comes "
            "from, say {option}, or save the model with skops.io.dump",
            file=str(path),
            option=Option("allow_pickle", True),
        )
    try:
        return import_module("joblib").load(path)
    except ModuleNotFoundError as error:
        raise InputError(
            f"cannot load {path}: it needs {error.name}, which is not installed"
        ) from error
    except Exception as error:
        raise InputError(
            f"cannot load {path}: {type(error).__name__}: {error}; was it saved with other "
            "versions of its libraries?"
        ) from error


def _is_pickle(head: bytes) -> bool:
    plain = _unpacked(head)
    if plain[:1] == b"\x80":
        return plain[1:2] != b"" and plain[1] in _PROTOCOLS
    return _has_opcodes(plain)


def _unpacked(head: bytes) -> bytes:
    """The first bytes that joblib packed; a pickle's header where more bytes are needed."""
    openers: list[tuple[bytes, Any]] = [
        (b"\x78", zlib.decompressobj()),
        (b"\x1f\x8b", zlib.decompressobj(wbits=31)),
        (b"BZh", bz2.BZ2Decompressor()),
        (b"\xfd7zXZ", lzma.LZMADecompressor()),
        (b"\x5d\x00", lzma.LZMADecompressor(format=lzma.FORMAT_ALONE)),
    ]
    for magic, opener in openers:
        if head.startswith(magic):
            try:
                return bytes(opener.decompress(head, _HEAD)) or b"\x80\x04"
            except (zlib.error, lzma.LZMAError, OSError):
                return head
    return head


def _has_opcodes(head: bytes) -> bool:
    """Whether the bytes begin like a pickle of protocol 0 or 1, which have no header."""
    met = 0
    try:
        for code, _, _ in pickletools.genops(io.BytesIO(head)):
            if code.name == "STOP" or met > 20:
                return met > 1
            met += 1
    except (ValueError, UnicodeDecodeError):
        pass
    return False


def _skops(path: Path) -> Any:
    try:
        with ZipFile(path) as archive:
            names = archive.namelist()
    except BadZipFile:
        raise InputError(f"{path} is a damaged zip file") from None
    if "schema.json" not in names:
        raise InputError(f"{path} is a zip file without schema.json, so no skops file")
    try:
        skops = import_module("skops.io")
    except ImportError:
        raise UnsupportedModel(f"{path} is a skops file; install skops to load it") from None
    try:
        untrusted = skops.get_untrusted_types(file=path)
        foreign = [name for name in untrusted if not _is_the_librarys(name)]
        if not foreign:
            return skops.load(path, trusted=untrusted)
    except Exception as error:
        raise InputError(f"cannot load {path}: {type(error).__name__}: {error}") from error
    raise UnsupportedModel(
        f"{path} holds types that are not scikit-learn's: {comma_list(foreign)}; load it yourself "
        "with skops.io.load and compile the model"
    )


def _is_the_librarys(name: str) -> bool:
    """Whether it is a class of scikit-learn, one of its metrics, or its column check."""
    if name in _CHECKS:
        return True
    module, _, kind = name.rpartition(".")
    if not module.startswith("sklearn."):
        return False
    try:
        member = getattr(import_module(module), kind)
    except (ImportError, AttributeError):
        return False
    if getattr(member, "__module__", "").partition(".")[0] != "sklearn":
        return False
    return isinstance(member, type) or module.startswith("sklearn.metrics.")
