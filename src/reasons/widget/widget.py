"""The notebook widget: a decision with a control for each feature."""

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
    """A notebook widget: a control for each feature, the decision, its reasons and its bias.

    `.decision` is the decision on the current values, `.choose({...})` changes values, and
    `.protect([...])` sets the protected features. Needs anywidget.
    """
    if not isinstance(decision, Decision):
        raise InputError(f"expected a decision, got {type(decision).__name__}")
    return _widget_class()(WhatIf(decision, protected))


class WhatIf:
    """The state of a widget, without the widget.

    >>> import reasons
    >>> state = WhatIf(reasons.compile("a & (b | c)").decide("a, b, c"))
    >>> state.handle({"kind": "choose", "feature": "b", "cell": 0})
    >>> state.decision.label, state.answer()["even_if"]
    (True, 'The decision would still be True even if b were false, because a and c.')
    """

    def __init__(self, decision: Decision, protected: Iterable[str] | str = ()) -> None:
        self.first = self.decision = decision
        self.protected: list[str] = []
        self.protect(protected)

    def choose(self, values: Mapping[str, Any]) -> None:
        """Change the values of some features."""
        changed = {**self.decision.instance, **values}
        self.decision = self.decision.classifier.decide(changed)

    def protect(self, names: Iterable[str] | str) -> None:
        """Set the protected features."""
        schema = self.decision.classifier.schema
        self.protected = [schema[i].name for i in dict.fromkeys(schema.indices(names))]

    def handle(self, message: Any) -> None:
        """Apply a message of the page, or raise `InputError`."""
        content = message if isinstance(message, Mapping) else {}
        if content.get("kind") == "reset":
            self.decision = self.first
        elif content.get("kind") == "protect" and isinstance(content.get("features"), list):
            self.protect(content["features"])
        elif content.get("kind") == "choose" and isinstance(content.get("feature"), str):
            self._choose_value(content["feature"], content)
        else:
            raise InputError("unknown message of the widget")

    def _choose_value(self, name: str, content: Mapping[str, Any]) -> None:
        """Change the cell or the raw value of one feature."""
        schema = self.decision.classifier.schema
        index, cell = schema.index(name), content.get("cell")
        if cell is None:
            self.choose(raw_values(schema, {name: content.get("raw")}))
            return
        if type(cell) is not int or not 0 <= cell < len(schema[index].values):
            raise InputError(f"feature {name!r} has no cell {cell!r}")
        cells = list(self.decision.instance.cells)
        cells[index] = cell
        self.decision = Decision(self.decision.classifier, self._instance(cells))

    def _instance(self, cells: list[int]) -> Instance:
        """An instance of these cells, with the raw values of the first one where cells agree."""
        first = self.first.instance
        now = self.decision.instance.changed(cells)
        values = {
            name: first[name] if cell == old else now[name]
            for name, cell, old in zip(now, cells, first.cells, strict=True)
        }
        return Instance(self.decision.classifier.schema, list(values.values()), cells)

    def answer(self) -> Object:
        """The view of the current decision."""
        budget = Budget(seconds=_SECONDS)
        answers = overview(self.decision, self.protected, _MOST_TERMS, budget)
        moved = self.decision.instance.cells != self.first.instance.cells
        sentence = even_if_sentence(self.first, self.decision) if moved else ""
        return {**overview_view(answers, budget), "even_if": sentence}

    def about(self) -> Object:
        """The constant part of the view: the features, and the cells of the first instance."""
        return {**classifier_view(self.first.classifier), "first": list(self.first.instance.cells)}


@cache
def _widget_class() -> Any:
    """The class of widgets, made on first use, since anywidget takes long to load."""
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

        def __init__(self, state: WhatIf) -> None:
            self._what_if = state
            super().__init__(about=state.about(), answer=state.answer(), protected=state.protected)
            self.on_msg(lambda _, message, __: self._apply(lambda: state.handle(message)))

        @property
        def decision(self) -> Decision:
            """The decision on the current values."""
            return self._what_if.decision

        def choose(self, values: Mapping[str, Any]) -> None:
            """Change the values of some features."""
            self._what_if.choose(values)
            self._show()

        def protect(self, names: Iterable[str] | str) -> None:
            """Set the protected features."""
            self._what_if.protect(names)
            self._show()

        def _apply(self, change: Any) -> None:
            """Apply a change of the page; an error is shown there."""
            try:
                change()
                self._show()
            except ReasonsError as error:
                self.error = str(error)
                self.send({"kind": "again"})  # controls go back to the current values

        def _show(self) -> None:
            with self.hold_sync():
                self.error = ""
                self.protected = list(self._what_if.protected)
                self.answer = self._what_if.answer()

    return DecisionWidget
