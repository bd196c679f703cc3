"""Circuits as JSON, for programs that are not ours.

    {"format": "reasons-circuit", "version": 1,
     "features": [{"name": ..., "kind": "boolean" | "categorical" | "numeric", "values": [...]}],
     "labels": [...],
     "nodes": [{"label": l} | {"impossible": true}
               | {"feature": f, "arms": [{"values": [v, ...], "node": n}, ...]}
               | {"all_of": [n, ...]}],
     "root": n}

`f`, `l`, `v` and `n` are places in `features`, `labels`, the feature's `values` and `nodes`,
counted from 0; inputs stand before their users. An interval is {"low", "high", "closed"} with
null for no bound, a missing or other value {"special": its name}. A value that not every JSON
reader keeps exactly, such as 2^60, is its text.
"""

import json
from typing import Any

from reasons.circuits.circuit import AllOf, Circuit, Leaf, Node
from reasons.features.values import IMPOSSIBLE, Special
from reasons.formats.files import Path
from reasons.fs import write_atomically
from reasons.views.values import cell_value, json_value, utf8


def write_json(circuit: Circuit, path: Path) -> None:
    """Write a circuit as JSON, all or nothing. Cost: O(circuit)."""
    write_atomically(path, json.dumps(as_object(circuit), ensure_ascii=False).encode())


def as_object(circuit: Circuit) -> dict[str, Any]:
    """The object that is written."""
    label_of = {label: place for place, label in enumerate(circuit.labels)}
    return {
        "format": "reasons-circuit",
        "version": 1,
        "features": [
            {"name": utf8(f.name), "kind": f.kind, "values": [_value(v) for v in f.values]}
            for f in circuit.schema
        ],
        "labels": [json_value(label) for label in circuit.labels],
        "nodes": [_node(node, label_of) for node in circuit],
        "root": circuit.root,
    }


def _node(node: Node, label_of: dict[Any, int]) -> dict[str, Any]:
    if isinstance(node, Leaf):
        if node.label is IMPOSSIBLE:
            return {"impossible": True}
        return {"label": label_of[node.label]}
    if isinstance(node, AllOf):
        return {"all_of": list(node.inputs)}
    arms = [{"values": list(arm.cells), "node": arm.node} for arm in node.arms]
    return {"feature": node.feature, "arms": arms}


def _value(value: Any) -> Any:
    return {"special": value.name.lower()} if isinstance(value, Special) else cell_value(value)
