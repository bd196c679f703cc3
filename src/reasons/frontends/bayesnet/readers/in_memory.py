"""Networks in memory: those of pyagrum and of pgmpy, read without importing either."""

from typing import Any

import numpy

from reasons.errors import InputError, UnsupportedModel
from reasons.frontends.bayesnet.network import Draft, Network, network_of
from reasons.frontends.libraries import version_of
from reasons.text import short_repr


def network_in_memory(model: Any) -> Network:
    """The network that a library holds."""
    if isinstance(model, type):
        raise InputError(f"{model.__name__} is a class; give a network of it")
    if hasattr(model, "get_cpds") and hasattr(model, "nodes"):
        return network_of(_of_pgmpy(model), f"the network of pgmpy {version_of('pgmpy')}")
    if hasattr(model, "cpt") and hasattr(model, "dag"):
        drafts = [_pyagrum_node(model, number) for number in sorted(model.nodes())]
        return network_of(drafts, f"the network of pyagrum {version_of('pyagrum')}")
    raise UnsupportedModel(
        f"cannot compile a {type(model).__module__}.{type(model).__name__}; give a pyagrum "
        "BayesNet or a pgmpy DiscreteBayesianNetwork with all its tables"
    )


def _pyagrum_node(model: Any, number: int) -> Draft:
    variable, table = model.variable(number), model.cpt(number)
    node_name, *parents = table.names
    states = list(variable.labels())
    whole = all(_is_whole(state) for state in states) and variable.varType() != _labelized(variable)
    axes = list(reversed(table.names))
    order = [axes.index(name) for name in (*parents, node_name)]
    entries = numpy.asarray(table.toarray(), dtype=float).transpose(order).reshape(-1)
    values = [int(state) for state in states] if whole else None
    return Draft(node_name, states, parents, entries, values=values)


def _is_whole(text: str) -> bool:
    return text.lstrip("-").isdecimal() and str(int(text)) == text


def _labelized(variable: Any) -> Any:
    """The kind of variables whose labels are only names."""
    import sys

    return sys.modules[type(variable).__module__].VarType_LABELIZED


def _of_pgmpy(model: Any) -> list[Draft]:
    tables = {}
    for node in model.nodes():
        table = model.get_cpds(node)
        if table is None or not hasattr(table, "state_names"):
            raise InputError(f"node {short_repr(node)} has no table of probabilities")
        tables[node] = table
    return [_pgmpy_node(node, table, tables) for node, table in tables.items()]


def _pgmpy_node(node: Any, table: Any, tables: dict[Any, Any]) -> Draft:
    """A node's table, its axes put in the order in which each parent lists its own states."""
    name, *parents = table.variables
    entries = numpy.asarray(table.values, dtype=float)
    for axis, parent in enumerate(parents, 1):
        here = list(table.state_names[parent])
        there = list(tables[parent].state_names[parent]) if parent in tables else here
        if sorted(map(repr, here)) != sorted(map(repr, there)):
            raise InputError(
                f"node {short_repr(node)}: its table has other states of {short_repr(parent)} than "
                "the node itself"
            )
        entries = entries.take([here.index(state) for state in there], axis=axis)
    values = list(table.state_names[name])
    flat = numpy.moveaxis(entries, 0, -1).reshape(-1)
    names = [str(parent) for parent in parents]
    return Draft(str(name), [str(value) for value in values], names, flat, values=values)
