"""Random questions to random networks, and their answers by the joint distribution."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import reasons
from tests.support.bayesnet.small_networks import Net, bif, random_net, table_of
from tests.support.comparison import Mismatch
from tests.support.oracle import IMPOSSIBLE


class Asked:
    """A random question to a random network: target and features anywhere, any rule."""

    def __init__(self, seed: int, most_features: int = 4) -> None:
        rng = Random(seed)
        self.net: Net = random_net(rng, rng.randrange(3, 8), hard=rng.choice([0, 0.1, 0.4]))
        nodes = list(range(len(self.net.names)))
        rng.shuffle(nodes)
        self.target = nodes.pop()
        self.features = nodes[: rng.randrange(1, min(len(nodes), most_features) + 1)]
        self.state = rng.randrange(len(self.net.states[self.target]))
        self.threshold = self._threshold(rng)

    def _threshold(self, rng: Random) -> Fraction | None:
        """None, a round number, or a posterior that some instance has exactly."""
        kind = rng.randrange(4)
        if kind == 0:
            return None
        if kind == 1:
            return rng.choice([Fraction(1, 2), Fraction(3, 10), Fraction(1), Fraction(9, 10)])
        found = self.net.likelihoods(self.target, self.features).values()
        hit = [row[self.state] / sum(row) for row in found if sum(row) and row[self.state]]
        return rng.choice(hit) if hit else Fraction(1, 2)

    def has_tie(self) -> bool:
        rows = self.net.likelihoods(self.target, self.features).values()
        threshold = self.threshold
        if threshold is None:
            return any(sum(row) and row.count(max(row)) > 1 for row in rows)
        return any(sum(row) and row[self.state] == threshold * sum(row) for row in rows)

    def options(self) -> dict[str, Any]:
        names, told = self.net.names, self.threshold is not None
        return {
            "target": names[self.target],
            "features": [names[f] for f in self.features],
            "threshold": self.threshold,
            "state": self.net.states[self.target][self.state] if told else None,
        }

    def table(self) -> dict[tuple[int, ...], object]:
        return table_of(self.net, self.target, self.features, self.threshold, self.state)

    @property
    def domains(self) -> Sequence[int]:
        return [len(self.net.states[f]) for f in self.features]

    def load(self, folder: Path) -> reasons.Classifier:
        path = folder / "net.bif"
        path.write_text(bif(self.net))
        return reasons.load(path, **self.options())


def require_table(asked: Asked, classifier: reasons.Classifier) -> None:
    """Every instance has the label of the table, or is impossible in both."""
    for cells, wanted in asked.table().items():
        found = classifier.backend.decide(cells)
        got = IMPOSSIBLE if found == reasons._core.IMPOSSIBLE else classifier.labels[found]
        if got != wanted:
            raise Mismatch(f"{cells}: {got} instead of {wanted}")
