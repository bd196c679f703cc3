"""Explanations of ensembles by PyXAI, and SHAP's values for scale, in their own environment.

Run as a file. The model comes as a file of its own library, whose path and instances come as
JSON on standard input. PyXAI is used as its manual says, without its theories: each test of the
model is a Boolean feature of its own, and forests vote.
"""

import json
import os
import pickle
import resource
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from typing import Any

MOST_GIVEN_UP = 1
ROWS_OF_SHAP = 5


class GaveUp(Exception):
    """The alarm rang."""


def main() -> None:
    """Answer for each instance in turn, then say what SHAP took for some."""
    task = json.loads(sys.stdin.read())
    model = loaded(task["model"])
    explainer, mapping = explained(model)
    asked = {"sufficient": sufficient, "contrastive": contrastive}
    given_up = dict.fromkeys(asked, 0)
    for numbers in task["instances"]:
        line: dict[str, Any] = {}
        for name, question in asked.items():
            if given_up[name] >= MOST_GIVEN_UP:
                line[name] = {"skipped": True}
                continue
            line[name] = timed(explainer, numbers, question, mapping, task["seconds"])
            given_up[name] += line[name]["seconds"] is None
        explainer.set_instance(tuple(numbers))
        report({**line, "label": int(explainer.target_prediction)})
    report({"shap": shap_seconds(model, task["instances"][:ROWS_OF_SHAP])})


def loaded(path: str) -> Any:
    """The model of a pickle by scikit-learn, or of a JSON file by XGBoost."""
    if path.endswith(".json"):
        from xgboost import XGBClassifier

        booster = XGBClassifier()
        booster.load_model(path)
        return booster
    with open(path, "rb") as file:
        return pickle.load(file)


def explained(model: Any) -> tuple[Any, Any]:
    """PyXAI's explainer, and its list from Boolean features to what they test."""
    from pyxai import Explaining, Learning

    _, made = Learning.ModelIO.import_models(model, instances_type="tabular")
    names = [f"x{i}" for i in range(model.n_features_in_)]
    made.learner_information.feature_names = [*names, "label"]
    return Explaining.initialize(made), made.map_id_binaries_to_features


def sufficient(explainer: Any, limit: int) -> Any:
    """One sufficient reason; of boosted trees, what PyXAI has: a tree-specific one.

    Given a time limit, the latter goes on looking for shorter ones until then.
    """
    if hasattr(explainer, "tree_specific_reason"):
        return explainer.tree_specific_reason()
    return explainer.sufficient_reason(time_limit=limit)


def contrastive(explainer: Any, limit: int) -> Any:
    """One contrastive reason with the fewest literals."""
    found = explainer.minimal_contrastive_reason(n=1, time_limit=limit)
    return found[0] if found and not isinstance(found[0], int) else found


def timed(
    explainer: Any,
    numbers: list[float],
    question: Callable[[Any, int], Any],
    mapping: Any,
    limit: float,
) -> dict[str, Any]:
    """CPU seconds and the literals; no seconds where it gave up or answered nothing.

    The alarm rings a little after PyXAI's own limit, which some of its calls overlook.
    """
    signal.setitimer(signal.ITIMER_REAL, limit + 1)
    started, used = time.perf_counter(), cpu()
    try:
        explainer.set_instance(tuple(numbers))
        found = question(explainer, int(limit))
    except GaveUp:
        return {"seconds": None}
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    if not found or time.perf_counter() - started > limit:
        return {"seconds": None}
    return {"seconds": cpu() - used, "literals": [literal(each, mapping) for each in found]}


def cpu() -> float:
    """Seconds that this process and the solvers it started have used."""
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, whose))


def literal(number: int, mapping: Any) -> list[Any]:
    """Column, threshold, and whether the value is above it."""
    feature, _, threshold = mapping[abs(number)][:3]
    return [int(feature) - 1, float(threshold), number > 0]


def shap_seconds(model: Any, instances: list[list[float]]) -> list[float]:
    """What SHAP takes for one row each; nothing if it is not installed or fails."""
    try:
        import numpy
        import shap

        explainer = shap.TreeExplainer(model)
        rows = [numpy.array([row], dtype=numpy.float64) for row in instances]
        explainer.shap_values(rows[0])
        seconds = []
        for row in rows:
            used = cpu()
            explainer.shap_values(row)
            seconds.append(cpu() - used)
        return seconds
    except Exception as error:
        print(f"SHAP: {error}", file=sys.stderr)
        return []


def ring(*_: object) -> None:
    """Stop what is running."""
    raise GaveUp


def report(line: dict[str, Any]) -> None:
    """Print an answer."""
    print("\n" + json.dumps(line), flush=True)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGALRM, ring)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # PyXAI writes a booster's file where it is
        main()
