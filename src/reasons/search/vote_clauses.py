"""Clauses of a vote: the instances of a sum of trees, in whole numbers, that get another label.

Cells are order encoded: a variable "below c" for each cell c at which some test turns. Tests that
send other sets than a prefix left get a variable of their own. A literal of a tree says that it
gives the label at most so many votes more than a rival; it forbids the subtrees that give more.
A totalizer (Bailleux and Boufkhad 2003; weighted: Joshi et al. 2015) limits the votes that are
left. Everything is encoded in the one direction that a counterexample needs.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import count, pairwise
from typing import Any

from reasons.ensembles.forest_arrays import ForestArrays

Clause = list[int]


class CellClauses:
    """Variables and clauses that the cells of features share: order axioms, tests and guards."""

    def __init__(self, forest: ForestArrays) -> None:
        self.forest, self.fresh = forest, count(1)
        self.clauses: list[Clause] = []
        self._outside: dict[tuple[int, int, int], int] = {}
        self.cuts = [sorted(each) for each in self._turns()]
        self.below = [{cut: next(self.fresh) for cut in cuts} for cuts in self.cuts]
        for variables in self.below:
            self.clauses += [[-low, high] for low, high in pairwise(variables.values())]
        self.goes_left = [self._test(t) for t in range(len(forest.test_feature))]
        for guard in range(forest.trees, len(forest.roots) - 1):
            extremes = forest.extremes(guard, forest.node_left)
            self.clauses += self.forbidden(guard, extremes, 0)

    def _turns(self) -> list[set[int]]:
        turns: list[set[int]] = [set() for _ in self.forest.domains]
        for test, feature in enumerate(self.forest.test_feature):
            ends = {end for ends in self.forest.left_ranges(test) for end in ends}
            turns[feature] |= ends - {0, self.forest.domains[feature]}
        return turns

    def _test(self, test: int) -> int:
        """The literal that a test goes left."""
        feature, ranges = self.forest.test_feature[test], self.forest.left_ranges(test)
        size = self.forest.domains[feature]
        ends = [end for each in ranges for end in each if 0 < end < size]
        if len(ends) == 1:
            variable = self.below[feature][ends[0]]
            return variable if ranges[0][0] == 0 else -variable
        left = next(self.fresh)
        position = 0
        for low, high in [*ranges, (size, size)]:
            for begin, end, literal in ((position, low, -left), (low, high, left)):
                if begin < end:
                    outside = [-each for each in self.between(feature, begin, end)]
                    self.clauses.append([literal, *outside])
            position = high
        return left

    def between(self, feature: int, begin: int, end: int) -> list[int]:
        """Literals that say that a cell is in a range between cuts, or the ends of the domain."""
        below = self.below[feature]
        literals = [-below[begin]] if begin > 0 else []
        return [*literals, below[end]] if end < self.forest.domains[feature] else literals

    def outside(self, feature: int, begin: int, end: int, solvers: Iterable[Any]) -> int:
        """A literal that keeps a cell out of a range of cuts; solvers at work learn of it."""
        if (feature, begin, end) not in self._outside:
            literal = next(self.fresh)
            clause = [-literal, *(-each for each in self.between(feature, begin, end))]
            self._outside[feature, begin, end] = literal
            self.clauses.append(clause)
            for solver in solvers:
                if solver is not None:
                    solver.add_clause(clause)
        return self._outside[feature, begin, end]

    def group(self, feature: int, cell: int) -> tuple[int, int]:
        """The range of cells around one that no test tells apart."""
        cuts = self.cuts[feature]
        at = bisect_right(cuts, cell)
        begin = cuts[at - 1] if at else 0
        return begin, cuts[at] if at < len(cuts) else self.forest.domains[feature]

    def forbidden(
        self, tree: int, extremes: tuple[list[int], list[int]], most: int
    ) -> Iterator[Clause]:
        """Clauses that keep an instance out of the subtrees all whose leaves are above `most`."""
        least, largest = extremes
        forest, first = self.forest, self.forest.roots[tree]
        open_nodes: list[tuple[int, Clause]] = [(first, [])]
        while open_nodes:
            node, path = open_nodes.pop()
            if largest[node - first] <= most:
                continue
            if least[node - first] > most:
                yield path
                continue
            left = self.goes_left[forest.node_test[node]]
            open_nodes.append((forest.node_left[node], [*path, -left]))
            open_nodes.append((forest.node_right[node], [*path, left]))


class RivalClauses:
    """Clauses whose models are the instances in which a rival keeps a label from winning.

    `possible` is false where no votes are enough for that.
    """

    def __init__(self, cells: CellClauses, label: int, rival: int) -> None:
        self.fresh, self.clauses = cells.fresh, list[Clause]()
        forest = cells.forest
        spare = forest.rival_limit(label, rival)
        losses: list[tuple[int, int]] = []  # literals that a tree gives more, and by how much
        for tree in range(forest.trees):
            extremes = forest.extremes(tree, forest.leads(tree, label, rival))
            levels = forest.leaf_values(tree, extremes[0])
            spare -= levels[0]
            for lower, upper in pairwise(levels):
                kept = next(self.fresh)
                losses.append((-kept, upper - lower))
                self.clauses += [[-kept, *path] for path in cells.forbidden(tree, extremes, lower)]
        self.possible = spare >= 0
        if self.possible:
            self._limit(losses, spare)

    def _limit(self, losses: Sequence[tuple[int, int]], most: int) -> None:
        """At most so much of weighted literals: sums of halves, none above the limit told apart."""
        sums = [{weight: literal} for literal, weight in losses]
        while len(sums) > 1:
            paired = zip(sums[::2], sums[1::2], strict=False)
            rest = [sums[-1]] if len(sums) % 2 else []
            sums = [*(self._added(one, other, most) for one, other in paired), *rest]
        for weight, literal in sums[0].items() if sums else ():
            if weight > most:
                self.clauses.append([-literal])

    def _added(self, one: dict[int, int], other: dict[int, int], most: int) -> dict[int, int]:
        reached = {0, *one}
        weights = sorted({min(a + b, most + 1) for a in reached for b in (0, *other)} - {0})
        added = {weight: next(self.fresh) for weight in weights}
        for a, first in [(0, 0), *one.items()]:
            for b, second in [(0, 0), *other.items()]:
                if a or b:
                    given = [-literal for literal in (first, second) if literal]
                    self.clauses.append([*given, added[min(a + b, most + 1)]])
        self.clauses += [[-added[high], added[low]] for low, high in pairwise(weights)]
        return added
