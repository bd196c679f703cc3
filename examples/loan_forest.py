"""A loan is refused by a random forest behind a scikit-learn pipeline: why, and what would help?

Answers speak of the columns of the frame, not of what the encoder made of them, and are true of
the pipeline's own `predict`, which the last lines ask.
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
    print("since", reason)

print("\nThe smallest changes:")
for words, rule in {
    "any": {},
    "his age stays": {"immutable": "age"},
    "his age and job stay": {"immutable": ["age", "job"]},
}.items():
    change = bob.counterfactual(**rule)
    print(f"  {words}: {change}" if change else f"  {words}: nothing helps")

change = bob.counterfactual(immutable="age")
row = pandas.DataFrame([change.instance])[list(people.columns)]
print("\nthe model itself says:", *model.predict(row))
print(reasons.check(loans, rows=people))
