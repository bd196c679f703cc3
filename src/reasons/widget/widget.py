"""A decision in a notebook with switches: change a value, and see at once what becomes of it."""

from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from reasons.budget import Budget
from reasons.decision import Decision
from reasons.errors import InputError, ReasonsError
from reasons.explain.overview import overview
from reasons.explain.sentences import even_if_sentence
from reasons.features.terms import Instance
from reasons.views.classifier import classifier_view
from reasons.views.decision import overview_view
from reasons.views.values import Object, raw_values

_SECONDS = 5.0
_MOST_TERMS = 8


def widget(decision: Decision, protected: Iterable[str] | str = ()) -> Any:
    """A widget for notebooks: a control for each feature, the decision, its reasons, its bias.

    `.decision` is the decision on the values chosen now, `.choose({...})` chooses others, and
    `.protect([...])` says which features are protected. Needs anywidget.
    """
    if not isinstance(decision, Decision):
        raise InputError(f"a widget is of a decision, not of {type(decision).__name__}")
    return _kind()(WhatIf(decision, protected))


class WhatIf:
    """What a widget shows and how it changes, without the widget.

    >>> import reasons
    >>> asked = WhatIf(reasons.compile("a & (b | c)").decide("a, b, c"))
    >>> asked.heard({"kind": "choose", "feature": "b", "cell": 0})
    >>> asked.decision.label, asked.answer()["even_if"]
    (True, 'The decision would still be True even if b were false, because a and c.')
    """

    def __init__(self, decision: Decision, protected: Iterable[str] | str = ()) -> None:
        self.first = self.decision = decision
        self.protected: list[str] = []
        self.protect(protected)

    def choose(self, values: Mapping[str, Any]) -> None:
        """Take other values of some features."""
        changed = {**self.decision.instance, **values}
        self.decision = self.decision.classifier.decide(changed)

    def protect(self, names: Iterable[str] | str) -> None:
        """Ask about the bias on these features."""
        schema = self.decision.classifier.schema
        self.protected = [schema[i].name for i in dict.fromkeys(schema.indices(names))]

    def heard(self, message: Any) -> None:
        """Do what a control asks for, or raise `InputError`."""
        told = message if isinstance(message, Mapping) else {}
        if told.get("kind") == "reset":
            self.decision = self.first
        elif told.get("kind") == "protect" and isinstance(told.get("features"), list):
            self.protect(told["features"])
        elif told.get("kind") == "choose" and isinstance(told.get("feature"), str):
            self._chosen(told["feature"], told)
        else:
            raise InputError("a message of the widget that nobody sends")

    def _chosen(self, name: str, told: Mapping[str, Any]) -> None:
        """Take the cell or the raw value of one feature."""
        schema = self.decision.classifier.schema
        index, cell = schema.index(name), told.get("cell")
        if cell is None:
            self.choose(raw_values(schema, {name: told.get("raw")}))
            return
        if type(cell) is not int or not 0 <= cell < len(schema[index].values):
            raise InputError(f"feature {name!r} has no cell {cell!r}")
        cells = list(self.decision.instance.cells)
        cells[index] = cell
        self.decision = Decision(self.decision.classifier, self._instance(cells))

    def _instance(self, cells: list[int]) -> Instance:
        """These cells; values whose cell is that of the first instance are as they were there."""
        back = self.first.instance
        now = self.decision.instance.changed(cells)
        kept = {
            name: back[name] if cell == old else now[name]
            for name, cell, old in zip(now, cells, back.cells, strict=True)
        }
        return Instance(self.decision.classifier.schema, list(kept.values()), cells)

    def answer(self) -> Object:
        """What is shown now."""
        budget = Budget(seconds=_SECONDS)
        found = overview(self.decision, self.protected, _MOST_TERMS, budget)
        moved = self.decision.instance.cells != self.first.instance.cells
        sentence = even_if_sentence(self.first, self.decision) if moved else ""
        return {**overview_view(found, budget), "even_if": sentence}

    def about(self) -> Object:
        """What does not change: the features, and the cells of the first instance."""
        return {**classifier_view(self.first.classifier), "first": list(self.first.instance.cells)}


@cache
def _kind() -> Any:
    """The class of widgets, made when the first is asked for: anywidget takes long to load."""
    try:
        import anywidget
        import traitlets
    except ImportError as error:
        raise InputError(f"a widget needs {error.name}: pip install 'reasons[notebook]'") from None

    class DecisionWidget(anywidget.AnyWidget):
        """A decision with what-if switches."""

        _esm = files("reasons.widget").joinpath("widget.js").read_text("utf-8")
        _css = files("reasons.widget").joinpath("widget.css").read_text("utf-8")
        about = traitlets.Dict().tag(sync=True)
        answer = traitlets.Dict().tag(sync=True)
        protected: Any = traitlets.List().tag(sync=True)
        error = traitlets.Unicode().tag(sync=True)

        def __init__(self, asked: WhatIf) -> None:
            self._asked = asked
            super().__init__(about=asked.about(), answer=asked.answer(), protected=asked.protected)
            self.on_msg(lambda _, message, __: self._tell(lambda: asked.heard(message)))

        @property
        def decision(self) -> Decision:
            """The decision on the values chosen now."""
            return self._asked.decision

        def choose(self, values: Mapping[str, Any]) -> None:
            """Take other values of some features."""
            self._asked.choose(values)
            self._show()

        def protect(self, names: Iterable[str] | str) -> None:
            """Ask about the bias on these features."""
            self._asked.protect(names)
            self._show()

        def _tell(self, change: Any) -> None:
            """Do what a control asks for; what is wrong with it is shown."""
            try:
                change()
                self._show()
            except ReasonsError as error:
                self.error = str(error)
                self.send({"kind": "again"})  # controls go back to what is true

        def _show(self) -> None:
            with self.hold_sync():
                self.error = ""
                self.protected = list(self._asked.protected)
                self.answer = self._asked.answer()

    return DecisionWidget
