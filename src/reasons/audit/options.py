"""The options of an audit: the queries about each row."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from reasons.errors import InputError, Option
from reasons.features.feature import is_list
from reasons.features.schema import Schema
from reasons.text import comma_list, did_you_mean, short_repr

QUESTIONS = ("bias", "witness", "necessary", "reason", "shortest", "count", "change")
PER_ROW = ("shortest", "count", "change")


@dataclass(frozen=True)
class AuditOptions:
    """The options of an audit; `audit_options` makes and validates them.

    `protected` maps the names of sets to their protected features; a plain list is the set "".
    """

    protected: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ask: frozenset[str] = frozenset(("necessary", "reason"))
    logged: str | None = None
    logged_as: Mapping[Any, Any] = field(default_factory=dict)
    keep: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    favourable: Any = None
    seconds: float | None = None

    @property
    def protected_features(self) -> tuple[str, ...]:
        """Every protected feature once, in the order in which they were named."""
        return tuple(dict.fromkeys(name for names in self.protected.values() for name in names))

    @property
    def single_features(self) -> tuple[str, ...]:
        """The protected features that are also examined one by one."""
        alone = list(self.protected) == [""] and len(self.protected[""]) == 1
        return () if alone else self.protected_features

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the data that are needed besides the features."""
        logged = () if self.logged is None else (self.logged,)
        return tuple(dict.fromkeys((*self.keep, *logged, *self.groups)))


def audit_options(
    schema: Schema,
    labels: tuple[Any, ...],
    *,
    protected: Any = (),
    ask: Iterable[str] | str | None = None,
    logged: str | None = None,
    logged_as: Mapping[Any, Any] | None = None,
    keep: Iterable[str] | str = (),
    groups: Iterable[str] | str = (),
    favourable: Any = None,
    seconds: float | None = None,
) -> AuditOptions:
    """The validated options, or `InputError`.

    >>> schema = Schema(["E", "sex"])
    >>> sorted(audit_options(schema, (False, True), protected="sex").ask)
    ['bias', 'necessary', 'reason', 'witness']
    """
    sets = _sets(schema, protected)
    if logged_as is not None and not isinstance(logged_as, Mapping):
        raise InputError(
            "{given} must be a mapping from values to labels", given=Option("logged_as", logged_as)
        )
    if logged_as and logged is None:
        raise InputError(
            "{option} goes with {column}, the column of logged decisions",
            option="logged_as",
            column=Option("logged"),
        )
    if logged is not None and not isinstance(logged, str):
        raise InputError("{given} must be the name of a column", given=Option("logged", logged))
    meanings = {value: _own(labels, label) for value, label in (logged_as or {}).items()}
    if favourable is not None:
        favourable = _own(labels, favourable)
    elif set(labels) == {False, True}:
        favourable = next(label for label in labels if label)
    if seconds is not None and not _is_time(seconds):
        raise InputError(
            "{given} is the time for a row: a positive number", given=Option("seconds", seconds)
        )
    names = sets and {name for group in sets.values() for name in group}
    more = tuple(name for name in _names("groups", groups) if name not in names)
    return AuditOptions(
        protected=sets,
        ask=_asked(ask, bool(sets)),
        logged=logged,
        logged_as=meanings,
        keep=_names("keep", keep),
        groups=more,
        favourable=favourable,
        seconds=seconds,
    )


def _sets(schema: Schema, protected: Any) -> dict[str, tuple[str, ...]]:
    """Sets of protected features by name: of a name, a list of names, or a mapping of lists."""
    if isinstance(protected, str):
        protected = [protected]
    if is_list(protected):
        protected = {"": tuple(protected)} if (protected := tuple(protected)) else {}
    if not isinstance(protected, Mapping):
        raise InputError(
            "{given} must be a list of features, or a mapping of such lists",
            given=Option("protected", protected),
        )
    sets = {}
    for name, features in protected.items():
        chosen = _names("protected", features, name)
        schema.indices(chosen)
        if not isinstance(name, str) or not chosen or len(set(chosen)) != len(chosen):
            raise InputError(
                f"the protected set {short_repr(name)} must list features, each once: "
                f"{comma_list(chosen)}"
            )
        if name in schema.names and chosen != (name,):
            raise InputError(f"the protected set {name!r} is named as a feature, and is not that")
        sets[name] = chosen
    return sets


def _asked(ask: Iterable[str] | str | None, is_protected: bool) -> frozenset[str]:
    if ask is None:
        return frozenset(("necessary", "reason", *(("bias", "witness") if is_protected else ())))
    chosen = frozenset(_names("ask", ask))
    unknown = sorted(chosen - set(QUESTIONS))
    if unknown:
        raise InputError(
            "{given} is not known{hint}; ask for some of: {known}",
            given=Option("ask", text=comma_list(unknown)),
            hint=did_you_mean(unknown, QUESTIONS),
            known=QUESTIONS,
        )
    if chosen & {"bias", "witness"} and not is_protected:
        raise InputError(
            "name the protected features to ask for bias: {option}",
            option=Option("protected", text="[...]"),
        )
    return chosen | {"bias"} if "witness" in chosen else chosen


def _names(option: str, names: Iterable[str] | str, key: object = "") -> tuple[str, ...]:
    """The names that an option lists, or those under a key of it."""
    chosen = (names,) if isinstance(names, str) else tuple(names) if is_list(names) else None
    if chosen is None or not all(isinstance(name, str) for name in chosen):
        raise InputError("{given} must be a list of names", given=_at(option, key, names))
    if len(set(chosen)) != len(chosen):
        raise InputError("{given} must be names, each once", given=_at(option, key, chosen))
    return chosen


def _at(option: str, key: object, names: object) -> Option | str:
    if key == "":
        return Option(option, names)
    return f"{option} set {short_repr(key)}={short_repr(names)}"


def _is_time(seconds: Any) -> bool:
    is_number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    return is_number and seconds > 0


def _own(labels: tuple[Any, ...], label: Any) -> Any:
    """The label that equals a value, True for 1, or `InputError`."""
    try:
        return labels[labels.index(label)]
    except (ValueError, TypeError):  # arrays and frames equal nothing
        raise InputError(
            f"there is no label {short_repr(label)}{did_you_mean([label], labels)}; the "
            f"labels are: "
            f"{comma_list(labels)}"
        ) from None
