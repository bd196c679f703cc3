"""Counter-examples and largest scores in boxes by Veritas, in an environment of its own.

Run as a file. Trees and boxes come as JSON on standard input. For a counter-example the search is
set as Veritas's own search for adversarial examples sets it; for the largest score as it comes.
"""

import json
import math
import sys
import time
from typing import Any

import veritas

STEPS = 100


def main() -> None:
    """Answer each box in turn, both questions."""
    task = json.loads(sys.stdin.read())
    trees = sum_of(task["trees"], task["start"])
    for box in task["boxes"]:
        line = {
            "counterexample": asked(trees, box, task["seconds"], first=True),
            "largest": asked(trees, box, task["seconds"], first=False),
        }
        print("\n" + json.dumps(line), flush=True)


def sum_of(trees: list[Any], start: float) -> Any:
    """Veritas's form of trees: a node is [column, threshold, left, right], a leaf its value."""
    made = veritas.AddTree(1, veritas.AddTreeType.REGR)
    for nodes in trees:
        tree = made.add_tree()
        stack = [(tree.root(), 0)]
        while stack:
            at, number = stack.pop()
            if isinstance(nodes[number], list):
                column, threshold, left, right = nodes[number]
                tree.split(at, column, threshold)
                stack += [(tree.left(at), left), (tree.right(at), right)]
            else:
                tree.set_leaf_value(at, 0, nodes[number])
    made.set_base_score(0, start)
    return made


def asked(trees: Any, kept: dict[str, float], seconds: float, *, first: bool) -> dict[str, Any]:
    """Whether some score is above 0, or the largest score; with seconds and an example."""
    config = veritas.Config(veritas.HeuristicType.MAX_OUTPUT)
    if first:
        config.ignore_state_when_worse_than = 0.0
        config.stop_when_num_solutions_exceeds = 1
        config.focal_eps = 0.2
    box = {int(c): veritas.Interval(x, math.nextafter(x, math.inf)) for c, x in kept.items()}
    started, used = time.perf_counter(), time.process_time()
    search = config.get_search(trees, box)
    none = veritas.StopReason.NONE
    reason = none
    while reason == none and time.perf_counter() - started < seconds:
        reason = search.step_for(seconds - (time.perf_counter() - started), STEPS)
    spent = {"clock": time.perf_counter() - started, "cpu": time.process_time() - used}
    ended = reason not in (
        *(none, veritas.StopReason.OUT_OF_TIME, veritas.StopReason.OUT_OF_MEMORY),
    )
    best = search.get_solution(0) if search.num_solutions() else None
    return {
        **spent,
        "ended": ended,
        "score": best.output if best else None,
        "box": {c: [i.lo, i.hi] for c, i in best.box().items()} if best else None,
        "stopped": reason.name,
    }


if __name__ == "__main__":
    main()
