"""Boolean formulas, compiled to ordered decision graphs."""

from collections.abc import Iterable

from reasons import _core
from reasons.backends.native_budget import native_budget
from reasons.budget import Budget
from reasons.circuits.circuit import Circuit
from reasons.classifier import Classifier
from reasons.errors import InputError
from reasons.explain.wording import Wording
from reasons.features.feature import Feature
from reasons.features.grammar.condition_parser import parse_condition
from reasons.features.grammar.conditions import Logic
from reasons.features.grammar.semantics import condition_masks
from reasons.features.schema import Schema
from reasons.formats.files import Path, text_of
from reasons.frontends.formula.bdd import Diagram, build
from reasons.frontends.formula.gates import FALSE, TRUE, Formula, Gates
from reasons.frontends.formula.order_search import is_small
from reasons.frontends.formula.parser import parse

_MOST_SIFTED = 1_000_000  # nodes; beyond, sifting would not make progress in its time


def compile_formula(
    text: str,
    *,
    source: str = "<formula>",
    features: Iterable[Feature | str] | None = None,
    constraint: str | None = None,
    wording: Wording | None = None,
    budget: Budget | None = None,
) -> Classifier:
    """The classifier that is true where the formula is."""
    budget = budget or Budget()
    formula = parse(text, source)
    schema = _schema(features, formula)
    domain = None if constraint is None else parse_constraint(constraint, schema)
    native = _native(build(formula, budget=budget), formula, schema, budget)
    if not is_small(len(native), len(formula.names)) and len(native) <= _MOST_SIFTED:
        native = Circuit(native, schema, (False, True)).sifted(budget).native
    if domain is not None:
        native = _constrained(native, domain, schema, budget)
    return Classifier(
        Circuit(native, schema, (False, True)), wording=wording, constraint=constraint
    )


def load_formula(path: Path, *, budget: Budget | None) -> Classifier:
    """The classifier of a file that holds a formula."""
    return compile_formula(text_of(path), source=str(path), budget=budget)


def parse_constraint(text: str, schema: Schema) -> Formula:
    """The gates of a condition over Boolean features, as the grammar of conditions reads it.

    Its names must be features of the schema: a typo would declare something else than intended.
    """
    condition = parse_condition(text, "<constraint>", schema)
    gates = Gates()
    names = list(dict.fromkeys(atom.name for atom in condition.atoms))
    variables = {name: gates.variable(at) for at, name in enumerate(names)}
    edges = [
        variables[schema[feature].name] ^ no if no != yes else TRUE if yes else FALSE
        for feature, (no, yes) in condition_masks(condition, schema, text, "<constraint>")
    ]
    logic = Logic(
        TRUE,
        lambda edge: edge ^ 1,
        lambda one, other: gates.conjunction([one, other]),
        lambda one, other: gates.parity([one, other]),
    )
    return gates.formula(tuple(names), condition.fold(edges, logic))


def _schema(features: Iterable[Feature | str] | None, formula: Formula) -> Schema:
    schema = Schema(formula.names if features is None else features)
    for name in formula.names:
        schema.index(name)
    for feature in schema:
        if feature.kind != "boolean":
            raise InputError(f"feature {feature.name!r} of a formula must be Boolean")
    return schema


def _native(diagram: Diagram, formula: Formula, schema: Schema, budget: Budget) -> _core.Circuit:
    import numpy

    place = numpy.array([schema.index(name) for name in formula.names] or [0], dtype=numpy.uint32)
    return _core.from_diagram(
        len(schema),
        place[diagram.variables],
        diagram.low,
        diagram.high,
        diagram.root,
        native_budget(budget),
    )


def _constrained(
    native: _core.Circuit, domain: Formula, schema: Schema, budget: Budget
) -> _core.Circuit:
    """The circuit with what the domain formula rules out made impossible."""
    order = (schema[feature].name for feature in native.order)
    every = list(dict.fromkeys((*order, *domain.names, *schema.names)))
    variable = {name: v for v, name in enumerate(domain.names)}
    inside = [variable[name] for name in every if name in variable]
    allowed = _native(build(domain, budget=budget, order=inside), domain, schema, budget)
    places = [schema.index(name) for name in every]
    result = _core.constrain(native, allowed, places, native_budget(budget))
    if len(result) == 1 and result.node(0)[1] == _core.IMPOSSIBLE:
        raise InputError("no instance is possible under what `constraint` declares")
    return result
