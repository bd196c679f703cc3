"""Random classifiers with their truth tables, each replayed by its kind and seed."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from random import Random

from tests.support.oracle import IMPOSSIBLE, Instance, Label
from tests.support.specs import (
    And,
    Case,
    Decide,
    Leaf,
    Spec,
    Table,
    build,
    features_for,
    ordered_graph,
    scope_of,
    table_of,
)

Possible = tuple[frozenset[int], ...]
Drawn = tuple[Spec, tuple[int, ...], Sequence[Label]]
"""A spec, the sizes of its domains, and its labels."""
BOOLEAN = (False, True)
COLOURS = ("red", "green", "blue")


def random_table(
    rng: Random, domains: Sequence[int], labels: Sequence[Label], impossible: float = 0.0
) -> Table:
    """Random labels, skewed at random; at least one instance is allowed."""
    weights = [rng.random() ** 2 + 0.02 for _ in labels]
    rows = list(product(*map(range, domains)))
    table: dict[Instance, Label] = {row: rng.choices(labels, weights)[0] for row in rows}
    spared = rng.choice(rows)
    for row in rows:
        if row != spared and rng.random() < impossible:
            table[row] = IMPOSSIBLE
    return table


class Grower:
    """Grows random specs: unordered, testing features again, sharing nodes, splitting by And."""

    def __init__(
        self, rng: Random, leaves: Sequence[Label], *, depth: int, splits: float = 0.0
    ) -> None:
        self.rng, self.leaves, self.depth, self.splits = rng, leaves, depth, splits
        self.pool: list[tuple[Possible, frozenset[int], Spec]] = []

    def grow(self, possible: Possible, within: frozenset[int], depth: int = 0) -> Spec:
        """A spec that tests only the features `within`, on the values still possible."""
        open_ = sorted(f for f in within if len(possible[f]) > 1)
        if not open_ or depth >= self.depth or self.rng.random() < 0.08 * depth:
            return Leaf(self.rng.choice(self.leaves))
        if self.rng.random() < 0.25 and (shared := self._shared(possible, within)):
            return shared
        if len(open_) > 1 and self.rng.random() < self.splits:
            spec = self._split(possible, open_, depth)
        else:
            spec = self._decide(possible, within, open_, depth)
        self.pool.append((possible, scope_of(spec), spec))
        return spec

    def _shared(self, possible: Possible, within: frozenset[int]) -> Spec | None:
        """A spec made before for the same possible values of all it tests."""
        fitting = [
            spec
            for values, scope, spec in self.pool
            if scope <= within and all(values[f] == possible[f] for f in scope)
        ]
        return self.rng.choice(fitting) if fitting else None

    def _split(self, possible: Possible, features: Sequence[int], depth: int) -> Spec:
        shuffled = self.rng.sample(features, len(features))
        cut = self.rng.randrange(1, len(features))
        groups = [shuffled[:cut], shuffled[cut:]]
        return And(tuple(self.grow(possible, frozenset(group), depth) for group in groups))

    def _decide(
        self, possible: Possible, within: frozenset[int], features: Sequence[int], depth: int
    ) -> Spec:
        feature = self.rng.choice(features)
        arms = []
        for values in self._partition(sorted(possible[feature])):
            left = (*possible[:feature], values, *possible[feature + 1 :])
            arms.append((values, self.grow(left, within, depth + 1)))
        return Decide(feature, tuple(arms))

    def _partition(self, values: list[int]) -> list[frozenset[int]]:
        """At least two parts; mostly two, so that a feature is tested again."""
        self.rng.shuffle(values)
        parts = 2 if self.rng.random() < 0.7 else self.rng.randrange(2, len(values) + 1)
        cuts = sorted(self.rng.sample(range(1, len(values)), parts - 1))
        bounds = zip([0, *cuts], [*cuts, len(values)], strict=True)
        return [frozenset(values[low:high]) for low, high in bounds]


def random_domains(rng: Random, boolean: bool = False) -> tuple[int, ...]:
    """One to four features, mostly of two to four values, at most 54 instances."""
    if boolean:
        return (2,) * rng.randrange(1, 6)
    while True:
        domains = tuple(rng.choice([2, 2, 2, 3, 3, 3, 4, 4, 1]) for _ in range(rng.randrange(1, 5)))
        if len(list(product(*map(range, domains)))) <= 54:
            return domains


def random_graph(rng: Random, *, boolean: bool = False, impossible: float = 0.0) -> Drawn:
    """A reduced ordered graph in a random order of the features."""
    domains = random_domains(rng, boolean)
    labels = BOOLEAN if boolean or rng.random() < 0.4 else COLOURS
    table = random_table(rng, domains, labels, impossible)
    order = rng.sample(range(len(domains)), len(domains))
    return ordered_graph(domains, table, order), domains, labels


def random_tree(rng: Random, *, impossible: bool = False) -> Drawn:
    """An unordered tree with shared parts that may test a feature more than once."""
    domains = random_domains(rng)
    labels = BOOLEAN if rng.random() < 0.4 else COLOURS
    leaves = [*labels, *labels, IMPOSSIBLE] if impossible else labels
    return grown(rng, domains, leaves, depth=6), domains, labels


def random_dnnf(rng: Random) -> Drawn:
    """A Decision-DNNF: unordered, with and-nodes, above False and True."""
    domains = random_domains(rng, boolean=rng.random() < 0.5)
    return grown(rng, domains, (False, True, True), depth=5, splits=0.4), domains, BOOLEAN


def grown(
    rng: Random, domains: Sequence[int], leaves: Sequence[Label], depth: int, splits: float = 0.0
) -> Spec:
    """A random spec with some allowed instance."""
    whole = tuple(frozenset(range(size)) for size in domains)
    while True:
        spec = Grower(rng, leaves, depth=depth, splits=splits).grow(
            whole, frozenset(range(len(domains)))
        )
        if any(label is not IMPOSSIBLE for label in table_of(spec, domains).values()):
            return spec


KINDS: Mapping[str, Callable[[Random], Drawn]] = {
    "Boolean graph": lambda rng: random_graph(rng, boolean=True),
    "graph": random_graph,
    "graph with impossible instances": lambda rng: random_graph(rng, impossible=0.3),
    "tree": random_tree,
    "tree with impossible instances": lambda rng: random_tree(rng, impossible=True),
    "Decision-DNNF": random_dnnf,
    "constant": lambda rng: (Leaf(rng.choice(COLOURS)), random_domains(rng), COLOURS),
}


def random_spec(kind: str, seed: int) -> Drawn:
    return KINDS[kind](Random(f"{kind} {seed}"))


def random_case(kind: str, seed: int) -> Case:
    """The case of a kind with a seed; the same one every time."""
    spec, domains, labels = random_spec(kind, seed)
    features = features_for(domains, Random(seed))
    return Case(build(spec, features, labels), domains, table_of(spec, domains))


def boolean_function(arity: int, number: int) -> Case:
    """The Boolean function of some features whose truth table is a number in binary."""
    domains = (2,) * arity
    rows = product(range(2), repeat=arity)
    table = {x: bool(number >> index & 1) for index, x in enumerate(rows)}
    return case_of(domains, table)


def case_of(domains: Sequence[int], table: Table, labels: Sequence[Label] = BOOLEAN) -> Case:
    """The reduced ordered graph of a table, in the order of the features."""
    spec = ordered_graph(domains, table, range(len(domains)))
    return Case(build(spec, features_for(domains), labels), tuple(domains), table)


def instances_of(case: Case, rng: Random, most: int) -> Iterator[Instance]:
    """Some allowed instances of a case, all of them if there are few."""
    allowed = [x for x, label in case.table.items() if label is not IMPOSSIBLE]
    yield from allowed if len(allowed) <= most else rng.sample(allowed, most)


Value = Callable[[Instance], bool]
CONNECTIVES: Mapping[str, Callable[[bool, bool], bool]] = {
    "&": lambda a, b: a and b,
    "and": lambda a, b: a and b,
    "|": lambda a, b: a or b,
    "or": lambda a, b: a or b,
    "^": lambda a, b: a != b,
    "xor": lambda a, b: a != b,
    "->": lambda a, b: not a or b,
    "<->": lambda a, b: a == b,
}


def random_formula(rng: Random, names: str, depth: int) -> tuple[str, Value]:
    """A formula with all its parentheses, and what it means."""
    if depth == 0 or rng.random() < 0.15:
        index = rng.randrange(len(names))
        return names[index], lambda x: bool(x[index])
    if rng.random() < 0.2:
        text, value = random_formula(rng, names, depth - 1)
        return f"{rng.choice(['~', '!', 'not '])}({text})", lambda x: not value(x)
    sign = rng.choice(list(CONNECTIVES))
    parts = [random_formula(rng, names, depth - 1) for _ in range(2)]
    (left, one), (right, other) = parts
    return f"({left}) {sign} ({right})", lambda x: CONNECTIVES[sign](one(x), other(x))
