"""Audit a log: which decisions would change if only sex did, and did the log follow the model?

Three logged decisions overrule the model. Every biased row has a witness: the same person
with another sex and another label.
"""

import random

import reasons

RULES = """
if income >= 40 then grant
else if income >= 20 and job = nurse then grant
else if income >= 20 and sex = male then grant
else refuse
"""
rng = random.Random(7)
sex = reasons.Feature.categorical("sex", ["female", "male"])
job = reasons.Feature.categorical("job", ["clerk", "driver", "nurse"])
income = reasons.Feature.numeric("income", cuts=[20, 40], closed="left")
bank = reasons.from_rules(RULES, features=[income, job, sex])

log = [
    {"income": rng.randrange(10, 60), "job": rng.choice(job.values), "sex": rng.choice(sex.values)}
    for _ in range(1000)
]
for row, label in zip(log, bank.predict(log), strict=True):
    row["decided"] = label
for row in log[10:400:130]:
    row["decided"] = "grant" if row["decided"] == "refuse" else "refuse"

audited = reasons.audit(bank, log, protected=["sex"], logged="decided")
verdicts = audited.to_pandas()
print(f"{len(verdicts)} decisions, {verdicts.biased.sum()} of them would change if only sex did")
print(verdicts.groupby("label", observed=True).biased.sum().to_string())

first = int(verdicts.index[verdicts.biased][0])
one = audited.decision(first)
print(f"\nrow {first}: {one.instance} -> {one.label}")
print("witness:", one.bias("sex").witness, "->", bank.decide(one.bias("sex").witness).label)

overruled = verdicts[~verdicts.agrees]
print("\nlogged decisions that overrule the model:")
print(overruled[["row", "label", "logged"]].to_string(index=False))

amount = bank.bias_share(["sex"])
print(f"\n{amount.count} of {amount.total} possible decisions would change if only sex did")
