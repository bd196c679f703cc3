"""Variable orders guessed from the gates, before anything is built.

Depth-first walks put what is used together side by side and suit chains, such
as adders; pulling every variable to the middle of the gates it serves (FORCE,
Aloul, Markov and Sakallah 2003) suits flat formulas, such as clauses. Neither
wins everywhere, so several are made and the one with the thinnest estimated
cut goes first.
"""

from collections.abc import Callable
from math import log2

from reasons.frontends.formula.gates import AND, VARIABLE, Formula

# Pure Python needs about a second for this many edges; above it, walks must do.
_FORCE_EDGES = 20_000
_FORCE_ROUNDS = 30
_FORCE_PATIENCE = 6
_WALK_EDGES = 2_000_000


def variable_order(formula: Formula) -> list[int]:
    """A variable order, top first, that keeps the formula's decision diagram small.

    Deterministic, a guess: nothing is promised about the size.
    Cost: linear in the edges, and at most about a second.

    >>> from reasons.frontends.formula.parser import parse
    >>> variable_order(parse("(0 & a1 & a2) | (a1 & b1) ^ (a2 & b2)"))
    [0, 2, 1, 3]
    """
    return candidate_orders(formula)[0]


def candidate_orders(formula: Formula) -> list[list[int]]:
    """Different orders worth trying, the most promising first."""
    edges = sum(map(len, formula.inputs))
    orders = [list(range(len(formula.names)))]
    if edges <= _WALK_EDGES:
        depths = _depths(formula)
        orders = [
            _depth_first(formula, depths.__getitem__),
            *orders,
            _depth_first(formula, lambda gate: -depths[gate]),
        ]
    if edges <= _FORCE_EDGES:
        nets = _nets(formula)
        orders += [_forced(formula, nets, order) for order in orders]
    distinct = list({tuple(order): order for order in orders}.values())
    if len(distinct) == 1:
        return distinct
    return sorted(distinct, key=lambda order: estimated_width(formula, order))


def estimated_width(formula: Formula, order: list[int]) -> tuple[float, int]:
    """How wide a diagram in this order may get, as a logarithm; then the total span.

    A gate's net joins it with its inputs; the nets that cross a level bound the
    logarithm of the diagram's width there. Gates have no level: they stand at
    the first, or else all at the last, of their variables, whichever is better.
    """
    return min(_width(formula, order, min), _width(formula, order, max))


def _width(
    formula: Formula, order: list[int], choose: Callable[[list[int]], int]
) -> tuple[float, int]:
    level = _levels(order)
    places: list[int] = []
    steps = [0] * (len(order) + 1)
    for kind, inputs in zip(formula.kinds, formula.inputs, strict=True):
        if kind < AND:
            places.append(level[inputs[0]] if kind == VARIABLE else 0)
            continue
        pins = [places[edge >> 1] for edge in inputs]
        places.append(choose(pins))
        steps[min(pins)] += 1
        steps[max(pins)] -= 1
    cuts, cut = [], 0
    for step in steps:
        cut += step
        cuts.append(cut)
    widest = max(cuts)
    return widest + log2(sum(2.0 ** (cut - widest) for cut in cuts)), sum(cuts)


def _levels(order: list[int]) -> list[int]:
    """The inverse of an order: every variable's level."""
    level = [0] * len(order)
    for place, variable in enumerate(order):
        level[variable] = place
    return level


def _depths(formula: Formula) -> list[int]:
    """The longest way from each gate down to a variable."""
    depths: list[int] = []
    for kind, inputs in zip(formula.kinds, formula.inputs, strict=True):
        depths.append(0 if kind < AND else 1 + max(depths[edge >> 1] for edge in inputs))
    return depths


def _depth_first(formula: Formula, rank: Callable[[int], int]) -> list[int]:
    """The order in which a walk from the root meets the variables, low rank first."""
    found: dict[int, None] = {}
    seen = bytearray(len(formula.kinds))
    waiting = [formula.root >> 1]
    while waiting:
        gate = waiting.pop()
        if seen[gate]:
            continue
        seen[gate] = 1
        if formula.kinds[gate] == VARIABLE:
            found[formula.inputs[gate][0]] = None
        elif formula.kinds[gate] >= AND:
            inputs = [edge >> 1 for edge in formula.inputs[gate]]
            waiting += sorted(inputs, key=rank)[::-1]
    return [*found, *(index for index in range(len(formula.names)) if index not in found)]


def _nets(formula: Formula) -> list[list[int]]:
    """Every gate together with its inputs, except a root that joins everything."""
    return [
        [gate, *(edge >> 1 for edge in formula.inputs[gate])]
        for gate, kind in enumerate(formula.kinds)
        if kind >= AND and not (gate == formula.root >> 1 and len(formula.inputs[gate]) > 2)
    ]


def _forced(formula: Formula, nets: list[list[int]], start: list[int]) -> list[int]:
    """The order after pulling every gate and variable to the middle of its nets."""
    places = _starting_places(formula, start)
    best, least, since = start, estimated_width(formula, start), 0
    for _ in range(_FORCE_ROUNDS):
        places = _pulled(places, nets)
        order = _order_by_place(formula, places)
        width = estimated_width(formula, order)
        since += 1
        if width < least:
            best, least, since = order, width, 0
        if since == _FORCE_PATIENCE:
            break
    return best


def _starting_places(formula: Formula, order: list[int]) -> list[float]:
    """Variables at their levels, gates in the middle of their inputs."""
    level = _levels(order)
    places: list[float] = []
    for kind, inputs in zip(formula.kinds, formula.inputs, strict=True):
        if kind < AND:
            places.append(float(level[inputs[0]]) if kind == VARIABLE else 0.0)
        else:
            places.append(sum(places[edge >> 1] for edge in inputs) / len(inputs))
    return places


def _pulled(places: list[float], nets: list[list[int]]) -> list[float]:
    """One round: ranks of the means of the middles of the nets each thing is in."""
    totals, counts = [0.0] * len(places), [0] * len(places)
    for net in nets:
        middle = sum([places[gate] for gate in net]) / len(net)
        for gate in net:
            totals[gate] += middle
            counts[gate] += 1
    means = [
        total / count if count else place
        for total, count, place in zip(totals, counts, places, strict=True)
    ]
    ranked = [0.0] * len(places)
    for rank, gate in enumerate(sorted(range(len(places)), key=means.__getitem__)):
        ranked[gate] = float(rank)
    return ranked


def _order_by_place(formula: Formula, places: list[float]) -> list[int]:
    placed = [
        (places[gate], formula.inputs[gate][0])
        for gate, kind in enumerate(formula.kinds)
        if kind == VARIABLE
    ]
    return [variable for _, variable in sorted(placed)]
