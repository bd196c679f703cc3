"""What LIME, SHAP, Anchors and PyXAI say of a forest, in an environment of their own.

Run as a file. The model's pickle, rows and instances come as JSON on standard input; each answer
is a line. A reason is a mapping from column to intervals (low, high], None where there is no
bound, or to "kept": the column stays as it is, the kindest reading where only columns are named.
"""

import json
import os
import pickle
import resource
import sys
import tempfile
import warnings
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import numpy

MOST = 5
Reason = dict[int, Any]
Explain = Callable[[Any, int], Reason]


def main() -> None:
    """Answer for each method and instance in turn."""
    task = json.loads(sys.stdin.read())
    with open(task["model"], "rb") as file:
        model = pickle.load(file)
    rows = numpy.array(task["rows"])
    for make in (lime, shap_all, shap_most, anchors, pyxai):
        try:
            package, name, explain = make(model, rows)
        except Exception as error:  # a peer that cannot be had is said, and left out
            report({"method": make.__name__, "missing": f"{type(error).__name__}: {error}"})
            continue
        report({"method": name, "version": f"{package} {version(package)}"})
        for number, instance in enumerate(numpy.array(task["instances"])):
            label = int(model.predict([instance])[0])
            used = cpu()
            found = explain(instance, label)
            report({"method": name, "instance": number, "reason": found, "seconds": cpu() - used})


def lime(model: Any, rows: Any) -> tuple[str, str, Explain]:
    """The columns that LIME weighs for the label, of the ten it shows by default."""
    from lime.lime_tabular import LimeTabularExplainer

    explainer = LimeTabularExplainer(rows, discretize_continuous=True, random_state=0)

    def explain(instance: Any, label: int) -> Reason:
        found = explainer.explain_instance(instance, model.predict_proba, labels=(label,))
        return {int(column): "kept" for column, weight in found.as_map()[label] if weight > 0}

    return "lime", "LIME: those of its ten columns that speak for the label", explain


def _values(model: Any) -> Callable[[Any, int], Any]:
    """SHAP's values of an instance for a label."""
    import shap

    explainer = shap.TreeExplainer(model)

    def values(instance: Any, label: int) -> Any:
        return numpy.asarray(explainer.shap_values(instance[None]))[0, :, label]

    return values


def shap_all(model: Any, rows: Any) -> tuple[str, str, Explain]:
    """Every column with a positive value for the label."""
    values = _values(model)

    def explain(instance: Any, label: int) -> Reason:
        return {int(c): "kept" for c in numpy.flatnonzero(values(instance, label) > 0)}

    return "shap", "SHAP: all columns that speak for the label", explain


def shap_most(model: Any, rows: Any) -> tuple[str, str, Explain]:
    """The columns of the five largest values for the label."""
    values = _values(model)

    def explain(instance: Any, label: int) -> Reason:
        own = values(instance, label)
        return {int(c): "kept" for c in numpy.argsort(-own)[:MOST] if own[c] > 0}

    return "shap", f"SHAP: the {MOST} columns that speak most for it", explain


def anchors(model: Any, rows: Any) -> tuple[str, str, Explain]:
    """The anchor, with the bounds that its program uses rather than the rounded ones it prints."""
    from anchor.anchor_tabular import AnchorTabularExplainer

    class Telling(AnchorTabularExplainer):  # type: ignore[misc]
        def add_names_to_exp(self, row: Any, found: Any, mapping: Any) -> None:
            self.conditions = [mapping[each] for each in found["feature"]]
            super().add_names_to_exp(row, found, mapping)

    names = [f"x{i}" for i in range(rows.shape[1])]
    explainer = Telling([str(c) for c in model.classes_], names, rows)

    def explain(instance: Any, label: int) -> Reason:
        numpy.random.seed(0)
        explainer.explain_instance(instance, model.predict, threshold=0.95)
        bounds: dict[int, list[float | None]] = {}
        for column, way, place in explainer.conditions:
            at = float(explainer.disc.maxs[column][int(place)])
            own = bounds.setdefault(int(column), [None, None])
            if way == "geq":
                own[0] = at if own[0] is None else max(own[0], at)
            else:
                own[1] = at if own[1] is None else min(own[1], at)
        return {column: [own] for column, own in bounds.items()}

    return "anchor_exp", "Anchors: precision 0.95", explain


def pyxai(model: Any, rows: Any) -> tuple[str, str, Explain]:
    """PyXAI's sufficient reason of a forest that votes, each test a feature of its own."""
    from pyxai import Explaining, Learning

    _, made = Learning.ModelIO.import_models(model, instances_type="tabular")
    names = [f"x{i}" for i in range(model.n_features_in_)]
    made.learner_information.feature_names = [*names, "label"]
    explainer = Explaining.initialize(made)
    tests = made.map_id_binaries_to_features

    def explain(instance: Any, label: int) -> Reason:
        explainer.set_instance(tuple(instance.tolist()))
        bounds: dict[int, list[float | None]] = {}
        for literal in explainer.sufficient_reason(time_limit=60):
            column, _, at = tests[abs(literal)][:3]
            own = bounds.setdefault(int(column) - 1, [None, None])
            if literal > 0:
                own[0] = float(at) if own[0] is None else max(own[0], float(at))
            else:
                own[1] = float(at) if own[1] is None else min(own[1], float(at))
        return {column: [own] for column, own in bounds.items()}

    return "pyxai", "PyXAI: sufficient reason", explain


def cpu() -> float:
    """Seconds that this process and the solvers it started have used."""
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, whose))


def report(line: dict[str, Any]) -> None:
    """Print an answer."""
    print("\n" + json.dumps(line), flush=True)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # PyXAI writes files where it is
        main()
