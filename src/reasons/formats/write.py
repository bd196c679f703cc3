"""`write`: a classifier in the formats of others."""

from collections.abc import Callable
from pathlib import Path as PurePath

from reasons.classifier import Classifier
from reasons.errors import InputError
from reasons.formats.files import Path
from reasons.formats.write_dddmp import write_dddmp
from reasons.formats.write_json import write_json
from reasons.formats.write_nnf import write_c2d, write_d4
from reasons.fs import write_atomically
from reasons.render.dot import dot
from reasons.text import did_you_mean
from reasons.views.pictures import picture


def _write_dot(classifier: Classifier, path: Path) -> None:
    write_atomically(path, dot(picture(classifier)).encode())


TARGETS: dict[str, Callable[[Classifier, Path], None]] = {
    "reasons": lambda classifier, path: classifier.save(path),
    "nnf-c2d": lambda classifier, path: write_c2d(classifier.circuit, path),
    "nnf-d4": lambda classifier, path: write_d4(classifier.circuit, path),
    "dddmp": lambda classifier, path: write_dddmp(classifier.circuit, path),
    "json": lambda classifier, path: write_json(classifier.circuit, path),
    "dot": _write_dot,
}
"""What can be written, by name."""

_BY_SUFFIX = {
    ".reasons": "reasons",
    ".nnf": "nnf-c2d",
    ".dddmp": "dddmp",
    ".json": "json",
    ".dot": "dot",
    ".gv": "dot",
}


def write(classifier: Classifier, path: Path, *, to: str | None = None) -> str:
    """Write a classifier in the format `to`, or the one of the file's extension; which it was.

    The formats are reasons, nnf-c2d, nnf-d4, dddmp, json and dot. All or nothing.

    >>> import reasons, tempfile, pathlib
    >>> target = pathlib.Path(tempfile.mkdtemp()) / "small.nnf"
    >>> write(reasons.compile("a & b"), target)
    'nnf-c2d'
    >>> print(target.read_text().splitlines()[0])
    nnf 7 6 2
    """
    name = to or _BY_SUFFIX.get(PurePath(path).suffix.lower())
    if name is None:
        raise InputError(
            "{file} has none of the extensions {known}; say the format, {option}",
            file=str(path),
            known=", ".join(_BY_SUFFIX),
            option="to",
        )
    if name not in TARGETS:
        hint = did_you_mean([name], TARGETS)
        raise InputError(
            f"there is no format {name!r} to write{hint}; there are: {', '.join(TARGETS)}"
        )
    TARGETS[name](classifier, path)
    return name
