"""Small random Bayesian networks, and their decisions by adding up the joint distribution.

This is what networks are tested against: it imports nothing from the package, knows no pruning
and no blocks, and works in fractions.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from random import Random

from tests.support.oracle import IMPOSSIBLE, Instance, Label

Row = tuple[Fraction, ...]


@dataclass(frozen=True)
class Net:
    """Of each node its name, states and parents, and a row for each of the parents' states."""

    names: tuple[str, ...]
    states: tuple[tuple[str, ...], ...]
    parents: tuple[tuple[int, ...], ...]
    rows: tuple[Mapping[tuple[int, ...], Row], ...]

    def worlds(self) -> Iterator[tuple[tuple[int, ...], Fraction]]:
        """Every assignment of states to nodes with its probability."""
        for world in product(*(range(len(states)) for states in self.states)):
            chance = Fraction(1)
            for node, parents in enumerate(self.parents):
                chance *= self.rows[node][tuple(world[p] for p in parents)][world[node]]
            yield world, chance

    def likelihoods(self, target: int, features: Sequence[int]) -> dict[Instance, list[Fraction]]:
        """Of every instance, by states: the probability of it with each state of the target."""
        sizes = [len(states) for states in self.states]
        found = {
            x: [Fraction(0)] * sizes[target] for x in product(*(range(sizes[f]) for f in features))
        }
        for world, chance in self.worlds():
            found[tuple(world[f] for f in features)][world[target]] += chance
        return found


def label(chances: Sequence[Fraction], threshold: Fraction | None, state: int) -> Label:
    """Whether the state's posterior reaches the threshold, or the number of the likeliest."""
    total = sum(chances)
    if total == 0:
        return IMPOSSIBLE
    if threshold is None:
        return chances.index(max(chances))
    return chances[state] / total >= threshold


def random_net(rng: Random, nodes: int, most: int = 3, hard: float = 0.0) -> Net:
    """A network; `hard` is how often an entry is 0. States are two or three of a node."""
    kinds = [("no", "yes"), ("true", "false"), ("1", "0"), ("a", "b", "c"), ("False", "True")]
    states = tuple(rng.choice(kinds) for _ in range(nodes))
    parents = tuple(
        tuple(rng.sample(range(node), min(node, rng.choice([0, 1, 1, 2, most]))))
        for node in range(nodes)
    )
    rows = tuple(
        {
            given: _row(rng, len(states[node]), hard)
            for given in product(*(range(len(states[p])) for p in parents[node]))
        }
        for node in range(nodes)
    )
    return Net(tuple(f"n{node}" for node in range(nodes)), states, parents, rows)


def _row(rng: Random, size: int, hard: float) -> Row:
    """Tenths that add up to 1, so that ties are common."""
    while True:
        tenths = [0 if rng.random() < hard else rng.randrange(1, 9) for _ in range(size - 1)]
        if sum(tenths) <= 10 - (rng.random() >= hard):
            row = [Fraction(t, 10) for t in (*tenths, 10 - sum(tenths))]
            rng.shuffle(row)
            return tuple(row)


def bif(net: Net) -> str:
    """The network as a BIF file, its nodes in any order, since files may have children first."""
    text = ["network test {\n}"]
    for name, states in zip(net.names, net.states, strict=True):
        text.append(
            f"variable {name} {{\n type discrete [ {len(states)} ] {{ {', '.join(states)} }};\n}}"
        )
    for node in reversed(range(len(net.names))):
        given = [net.names[p] for p in net.parents[node]]
        text.append(
            f"probability ( {net.names[node]}{' | ' if given else ''}{', '.join(given)} ) {{"
        )
        for at, row in net.rows[node].items():
            values = ", ".join(net.states[p][s] for p, s in zip(net.parents[node], at, strict=True))
            head = f"({values})" if values else "table"
            text.append(f" {head} {', '.join(str(float(entry)) for entry in row)};")
        text.append("}")
    return "\n".join(text) + "\n"


def cells_of(states: Sequence[str]) -> list[int]:
    """The cell of each state, as the package numbers them: False before True."""
    spoken = [state.lower() for state in states]
    if sorted(spoken) in (["false", "true"], ["0", "1"]):
        return [sorted(spoken).index(state) for state in spoken]
    return list(range(len(states)))


def table_of(
    net: Net, target: int, features: Sequence[int], threshold: Fraction | None, state: int
) -> dict[Instance, Label]:
    """The label of every instance, by cells."""
    found: dict[Instance, Label] = {}
    for x, chances in net.likelihoods(target, features).items():
        at = tuple(cells_of(net.states[f])[s] for f, s in zip(features, x, strict=True))
        answer = label(chances, threshold, state)
        if threshold is None and answer is not IMPOSSIBLE:
            assert isinstance(answer, int)
            answer = net.states[target][answer]
        found[at] = answer
    return found
