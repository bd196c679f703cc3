"""A random forest in a scikit-learn pipeline refuses a loan: why, and what would change that?

Answers are about the columns of the frame, not those of the encoder. The last lines check them
against the pipeline's own `predict`.
"""

import numpy
import pandas
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

import reasons

rng = numpy.random.default_rng(0)
people = pandas.DataFrame(
    {
        "age": rng.integers(18, 80, 600),
        "income": rng.integers(10, 60, 600),
        "job": rng.choice(["clerk", "driver", "nurse"], 600),
    }
)
points = (people.age > 25) * 1 + (people.income > 30) * 2 + (people.job == "nurse") * 1
encoder = make_column_transformer((OneHotEncoder(), ["job"]), remainder="passthrough")
model = make_pipeline(encoder, RandomForestClassifier(15, max_depth=5, random_state=0))
model.fit(people, numpy.where(points > 2, "grant", "refuse"))

whole = {"age": range(18, 80), "income": range(10, 60)}
loans = reasons.compile(model, domain=whole)
bob = loans.decide({"age": 24, "income": 41, "job": "driver"})
print("Bob:", bob.label)
for reason in bob.sufficient_reasons(general=True):
    print("because", reason)

print("\nThe smallest changes:")
for name, rule in {
    "anything may change": {},
    "his age may not change": {"immutable": "age"},
    "his age and job may not change": {"immutable": ["age", "job"]},
}.items():
    change = bob.counterfactual(**rule)
    print(f"  {name}: {change or 'none'}")

change = bob.counterfactual(immutable="age")
row = pandas.DataFrame([change.instance])[list(people.columns)]
print("\nthe model itself predicts:", *model.predict(row))
print(reasons.check(loans, rows=people))
