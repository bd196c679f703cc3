"""Plain graphs, evaluated here and built through the package.

A spec is a graph of Leaf, Decide and And; it is evaluated here, without the
package, into a truth table, and built through `reasons.Builder` into a
classifier, so that the two share nothing but the spec.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Literal, NamedTuple

import reasons
from tests.support.oracle import IMPOSSIBLE, Instance, Label

Table = Mapping[Instance, Label]


@dataclass(frozen=True, eq=False)
class Leaf:
    label: Label


@dataclass(frozen=True, eq=False)
class Decide:
    feature: int
    arms: tuple[tuple[frozenset[int], "Spec"], ...]


@dataclass(frozen=True, eq=False)
class And:
    inputs: tuple["Spec", ...]


Spec = Leaf | Decide | And


class Case(NamedTuple):
    classifier: reasons.Classifier
    domains: tuple[int, ...]
    table: Table


def value_at(spec: Spec, instance: Instance) -> Label:
    """What the spec says of an instance."""
    if isinstance(spec, Leaf):
        return spec.label
    if isinstance(spec, And):
        return all(value_at(part, instance) for part in spec.inputs)
    arm = next(arm for values, arm in spec.arms if instance[spec.feature] in values)
    return value_at(arm, instance)


def table_of(spec: Spec, domains: Sequence[int]) -> Table:
    return {x: value_at(spec, x) for x in product(*map(range, domains))}


def scope_of(spec: Spec) -> frozenset[int]:
    """The features that the spec tests."""
    if isinstance(spec, Leaf):
        return frozenset()
    if isinstance(spec, And):
        return frozenset().union(*map(scope_of, spec.inputs))
    return frozenset({spec.feature}).union(*(scope_of(arm) for _, arm in spec.arms))


def features_for(domains: Sequence[int], rng: Random | None = None) -> list[reasons.Feature]:
    """Features named A, B, ...: Boolean or categorical, or of random kinds."""
    names = (chr(ord("A") + index) for index in range(len(domains)))
    return [feature_for(name, size, rng) for name, size in zip(names, domains, strict=True)]


def feature_for(name: str, size: int, rng: Random | None) -> reasons.Feature:
    """A feature of some size. Numeric ones are cut at 10, 20, ..., which `raw` relies on."""
    kind = "plain" if rng is None else rng.choice(["plain", "plain", "right", "left", "extra"])
    extra = kind == "extra" and size > 2
    if kind in ("right", "left") or (extra and rng is not None and rng.random() < 0.5):
        cuts = [10 * (i + 1) for i in range(size - 1 - extra)]
        closed: Literal["left", "right"] = "left" if kind == "left" else "right"
        return reasons.Feature.numeric(name, cuts=cuts, closed=closed, missing=extra)
    if size == 2:
        return reasons.Feature.boolean(name)
    return reasons.Feature.categorical(name, [f"v{i}" for i in range(size - extra)], other=extra)


def raw(feature: reasons.Feature, cell: int) -> object:
    """A value a user would write for the cell; of a number, the cut that belongs to it."""
    value = feature.values[cell]
    if isinstance(value, reasons.Interval):
        if value.closed == "right":
            return 10 * (cell + 1)
        return 10 * cell
    return {"<missing>": None, "<other>": "unheard of"}.get(str(value), value)


def cell_of(feature: reasons.Feature, value: object) -> int:
    """The cell of a raw value; the opposite of `raw`."""
    if feature.kind == "numeric":
        if value is None:
            return len(feature.values) - 1
        assert isinstance(value, int | float), value
        right = feature.closed == "right"
        return sum(value > cut if right else value >= cut for cut in feature.cuts)
    values = list(feature.values)
    return values.index(value) if value in values else len(values) - 1


def build(
    spec: Spec, features: Sequence[reasons.Feature], labels: Sequence[Label]
) -> reasons.Classifier:
    """The classifier of a spec, made node by node."""
    builder = reasons.Builder(features, labels)
    made: dict[int, int] = {}

    def node(part: Spec) -> int:
        if id(part) not in made:
            made[id(part)] = make(part)
        return made[id(part)]

    def make(part: Spec) -> int:
        if isinstance(part, Leaf):
            impossible = part.label is IMPOSSIBLE
            return builder.impossible() if impossible else builder.leaf(part.label)
        if isinstance(part, And):
            return builder.all_of([node(each) for each in part.inputs])
        feature = features[part.feature]
        arms = {tuple(feature.values[v] for v in sorted(vs)): node(arm) for vs, arm in part.arms}
        return builder.decide(feature.name, arms)

    return builder.build(node(spec))


def ordered_graph(domains: Sequence[int], table: Table, order: Sequence[int]) -> Spec:
    """The reduced ordered graph of a table, by splitting it feature by feature."""
    made: dict[object, Spec] = {}

    def node(depth: int, rows: tuple[Instance, ...]) -> Spec:
        outcome = tuple(table[x] for x in rows)
        if all(label == outcome[0] for label in outcome):
            return made.setdefault((outcome[0],), Leaf(outcome[0]))
        if (depth, outcome) not in made:
            made[depth, outcome] = split(depth, rows)
        return made[depth, outcome]

    def split(depth: int, rows: tuple[Instance, ...]) -> Spec:
        feature = order[depth]
        arms: dict[int, tuple[set[int], Spec]] = {}
        for value in range(domains[feature]):
            arm = node(depth + 1, tuple(x for x in rows if x[feature] == value))
            arms.setdefault(id(arm), (set(), arm))[0].add(value)
        if len(arms) == 1:
            return next(iter(arms.values()))[1]
        return Decide(feature, tuple((frozenset(values), arm) for values, arm in arms.values()))

    # Rows agree on the features already split, so their order is the same at equal depths.
    return node(0, tuple(sorted(table, key=lambda x: [x[f] for f in order])))
