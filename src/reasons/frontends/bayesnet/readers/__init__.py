"""Readers of Bayesian network files, by format; each is imported on first use."""

import os
from importlib import import_module

from reasons.errors import ParseError
from reasons.formats.files import contents
from reasons.frontends.bayesnet.network import Network, network_of

_READERS = {
    "bif": ("bif", "read_bif"),
    "net": ("hugin", "read_hugin"),
    "uai": ("uai", "read_uai"),
    "dsl": ("dsl", "read_dsl"),
    "xmlbif": ("xml", "read_xmlbif"),
    "xdsl": ("xml", "read_xdsl"),
}


def read_network(format: str, path: str | os.PathLike[str]) -> Network:
    """The network in a file of a format that `FORMATS` names."""
    source = str(path)
    module, function = _READERS[format]
    read = getattr(import_module(f"{__name__}.{module}"), function)
    return network_of(read(text_of(path), source), source)


def text_of(path: str | os.PathLike[str]) -> str:
    """A file's text: UTF-8, or Latin-1 as older programs write it."""
    data = contents(path)
    if b"\0" in data:
        raise ParseError("this is not a text", source=str(path))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")
