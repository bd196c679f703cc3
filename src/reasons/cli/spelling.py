"""Errors in the words of the shell: a function's `favourable=` is `--favourable` here.

What cannot be used is said by the function that finds it, which knows nothing of the shell. So its
text is spelled anew, by a table of what each option is called here; advice about training a model
(`fit it with alpha=`) is about Python, and stays. What the user typed, what is quoted, and paths
stay as they are, whatever they look like.
"""

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from reasons.errors import BudgetExceeded, InputError, ParseError, ReasonsError
from reasons.formats.registry import FORMATS

_READERS = {name: f"--with {name}=" for each in FORMATS for name in each.options}
READING = {
    **_READERS,
    "format": "--with format=",
    "budget": "--seconds, --nodes",
    "compiler": "--compiler",
    "compile": "--no-compile",
    "to": "--to",
}
"""What the options of `compile`, `load` and `write` are called."""

_SAME = ("protected", "ask", "logged", "keep", "groups", "favourable", "output", "restart")
ASKING = {
    **READING,
    **{name: f"--{name}" for name in (*_SAME, "engine", "scheduler", "workers", "codes")},
    "logged_as": "--logged-as",
    "seconds": "--row-seconds",
}
"""What the options of `audit` are called, beside those."""

_BUDGET = re.compile(r"budget=reasons\.Budget\(nodes=(\w+), seconds=(\w+)\)")
_LIMIT = re.compile(r"budget (seconds|nodes)=")
_STRANGE = re.compile(r"takes no ([\w, ]+)=(?=(?: \(did you mean [^)]*\))?, but)")
_OPTION = re.compile(r"(?<![\w.'\"-])([a-z_]+)=(?!=)")
_OF_PYTHON = (
    "train with ",
    "fit it with ",
    "calibrate with ",
    "calibration by ",
    "use ",
    "--with ",
)
_OWN = (
    r"(?<!\w)'[^'\n]*'(?!\w)",
    r'(?<!\w)"[^"\n]*"(?!\w)',
    r"[^\s'\"]*[/\\][^\s'\"]*",
    r"(?<=columns: )[^;]*",
    r"(?<=it has: ).*",
)
"""What in a message is not ours: quotes, paths, names of columns."""

_HIDDEN = re.compile("\0(\\d+)\0")
_ENDS = ("", " ", ",", ";", ":", ".", ")")
_OPEN = {"{": "}", "[": "]", "(": ")"}


def spoken(text: str, options: Mapping[str, str], typed: Iterable[str] = ()) -> str:
    """A message with the options of functions as the shell spells them; not in what was typed.

    >>> spoken("favourable= is needed, or restart=True", ASKING)
    '--favourable is needed, or --restart'
    >>> spoken("declare domain={'age': range(18, 100)}; fit it with alpha=1", READING)
    'declare --with "domain={\\'age\\': range(18, 100)}"; fit it with alpha=1'
    >>> spoken("keep= lacks keep=1.csv", ASKING, ["keep=1.csv"])
    '--keep lacks keep=1.csv'
    """
    hidden: list[str] = []

    def hide(match: re.Match[str]) -> str:
        hidden.append(match[0])
        return f"\0{len(hidden) - 1}\0"

    own = [rf"(?<![\w.-]){re.escape(each)}(?![\w.-])" for each in sorted(typed, key=len)[::-1]]
    said = _respelled(re.sub("|".join((*own, *_OWN)), hide, text.replace("\0", "")), options)
    return _HIDDEN.sub(lambda match: hidden[int(match[1])], said)


def _respelled(text: str, options: Mapping[str, str]) -> str:
    text = _BUDGET.sub(lambda m: f"--nodes {m[1].replace('_', '')} --seconds {m[2]}", text)
    text = _LIMIT.sub(r"--\1 ", _STRANGE.sub(r"takes no --with \1=", text))
    said, at = "", 0
    for match in _OPTION.finditer(text):
        if match.start() >= at and match[1] in options and not _is_python(text, match):
            end = _value_end(text, match.end())
            option, value = options[match[1]], text[match.end() : end]
            said += text[at : match.start()] + _spelled(option, value, text[end : end + 1])
            at = end
    return said + text[at:]


def _is_python(text: str, match: re.Match[str]) -> bool:
    """Whether it is advice about Python, or what a file says and no option."""
    is_in_file = re.match(r"\d+ is neither yes=", text[match.end() :])
    return is_in_file is not None or text[: match.start()].endswith(_OF_PYTHON)


def _value_end(text: str, start: int) -> int:
    """Where a value in brackets, or True or False, ends if it follows at once; else the start."""
    truth = re.match(r"(?:True|False)\b", text[start:])
    if truth:
        return start + truth.end()
    waiting: list[str] = []
    for at, sign in enumerate(text[start:], start):
        if sign in _OPEN:
            waiting.append(_OPEN[sign])
        elif waiting and sign == waiting[-1]:
            waiting.pop()
        if not waiting:
            return at + 1 if sign in _OPEN.values() else start
    return start


def _spelled(option: str, value: str, after: str) -> str:
    """An option and the value that was read with it; a space before one that was not."""
    if option.endswith("="):
        name = option.removeprefix("--with ")
        return f'--with "{name}{value}"' if value[:1] in _OPEN else f"{option}{value}"
    if value in ("True", "False", "[...]"):
        return option
    return option if not value and after in _ENDS else f"{option} {value}"


def _typed() -> list[str]:
    """What was typed that could be taken for an option of a function, but for those of --with."""
    every = [
        word for before, word in zip(sys.argv[1:], sys.argv[2:], strict=False) if before != "--with"
    ]
    parts = {part.strip() for word in every for part in (word, *word.split(","))}
    return [part for part in parts if "=" in part]


def _here(text: str) -> str:
    """A message without the options that this command does not have."""
    command = sys.argv[1:2]
    if command != ["explain"]:
        text = text.replace(", --no-compile", "")
    return text.replace("but --seconds, --nodes", "but --nodes") if command == ["serve"] else text


@contextmanager
def in_the_shell(options: Mapping[str, str]) -> Iterator[None]:
    """What is said of bad input in this block speaks of the shell's options."""

    def said(text: str) -> str:
        return _here(spoken(text, options, _typed()))

    try:
        yield
    except BudgetExceeded as error:
        error.stage = said(error.stage)
        raise
    except ParseError as error:
        error.message = said(error.message)
        raise
    except ReasonsError as error:
        if said(str(error)) == str(error):
            raise
        raise InputError(said(str(error))) from None
