"""Explain an XGBoost file with a threshold of its own.

The file has no label names, so `classes=` gives them. Reading it does not need the library; if
that is installed, `check` compares with its `predict`.
"""

import tempfile
from pathlib import Path

import numpy
import pandas
from xgboost import XGBClassifier

import reasons

rng = numpy.random.default_rng(1)
claims = pandas.DataFrame(
    {
        "amount": rng.integers(100, 5000, 800),
        "earlier": rng.integers(0, 6, 800),
        "days": rng.integers(0, 60, 800),
    }
)
odd = (claims.amount > 3000) & (claims.days < 10) | (claims.earlier > 3)
path = Path(tempfile.mkdtemp()) / "claims.json"
XGBClassifier(n_estimators=12, max_depth=3, n_jobs=1).fit(claims, odd).save_model(path)

clf = reasons.load(path, classes=["pay", "look closer"], threshold=0.2, missing=False)
print(clf.method, "to", len(clf.circuit), "nodes")
claim = clf.decide({"amount": 4200, "earlier": 1, "days": 3})
print(claim.label, "because", claim.sufficient_reason(general=True))
print("it would be:", claim.counterfactual(immutable="days"))

print("\nCan earlier claims alone change it?", bool(claim.bias("earlier")))
calm = clf.decide({"amount": 900, "earlier": 1, "days": 30})
verdict = calm.bias("earlier")
print(f"And a claim decided as {calm.label!r}?", bool(verdict))
print("witness:", verdict.witness, "->", clf.decide(verdict.witness).label)

print("\n" + str(reasons.check(clf, rows=claims)))
