"""Files of networks, by their format."""

import os
from collections.abc import Callable

from reasons.errors import ParseError
from reasons.formats.files import contents
from reasons.frontends.bayesnet.network import Draft, Network, network_of
from reasons.frontends.bayesnet.readers.bif import read_bif
from reasons.frontends.bayesnet.readers.dsl import read_dsl
from reasons.frontends.bayesnet.readers.hugin import read_hugin
from reasons.frontends.bayesnet.readers.uai import read_uai
from reasons.frontends.bayesnet.readers.xml import read_xdsl, read_xmlbif

_READERS: dict[str, Callable[[str, str], list[Draft]]] = {
    "bif": read_bif,
    "net": read_hugin,
    "uai": read_uai,
    "dsl": read_dsl,
    "xmlbif": read_xmlbif,
    "xdsl": read_xdsl,
}


def read_network(kind: str, path: str | os.PathLike[str]) -> Network:
    """The network in a file of the kind that `FORMATS` names."""
    source = str(path)
    return network_of(_READERS[kind](text_of(path), source), source)


def text_of(path: str | os.PathLike[str]) -> str:
    """A file's text: UTF-8, or a character a byte as older programs write them."""
    data = contents(path)
    if b"\0" in data:
        raise ParseError("this is not a text", source=str(path))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")
