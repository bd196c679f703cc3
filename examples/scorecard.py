"""A scorecard refuses an applicant: the principal reasons for an adverse-action letter.

A principal reason is in a minimal set of features whose change would have changed the decision.
Nothing is estimated: for each such set there is an applicant who gets the loan.
"""

import reasons

CARD = [
    {"feature": "years at address", "bin": "< 1", "points": 0},
    {"feature": "years at address", "bin": "[1, 5)", "points": 15},
    {"feature": "years at address", "bin": ">= 5", "points": 30},
    {"feature": "late payments", "bin": "< 1", "points": 60},
    {"feature": "late payments", "bin": "[1, 3)", "points": 20},
    {"feature": "late payments", "bin": ">= 3", "points": 0},
    {"feature": "use of credit", "bin": "< 30", "points": 40},
    {"feature": "use of credit", "bin": "[30, 80)", "points": 25},
    {"feature": "use of credit", "bin": ">= 80", "points": 0},
    {"feature": "home", "bin": "owned", "points": 25},
    {"feature": "home", "bin": "rented", "points": 10},
]
LETTER = {
    "years at address": "Length of time at present address",
    "late payments": "Delinquent past or present credit obligations with others",
    "use of credit": "Proportion of revolving balances to credit limits is too high",
    "home": "Housing situation",
}
card = reasons.from_points(
    CARD, threshold=105, labels=("refuse", "grant"), domain={"late payments": range(100)}
)
ann = card.decide(
    {"years at address": 2, "late payments": 4, "use of credit": 85, "home": "rented"}
)
print("Ann:", ann.label)

# A contrastive set is a minimal set of features whose change can change the decision.
sets = ann.contrastive_sets()
print(f"\n{sets.count()} minimal sets of features to change:")
for each in sets:
    print("  ", ", ".join(each))

print("\nprincipal reasons, most frequent in these sets first:")
shares = sets.share()
for name in sorted(shares, key=lambda name: (-shares[name], name)):
    if shares[name]:
        print(f"  {shares[name]:.0%}  {LETTER[name]}")

change = ann.counterfactual(immutable="years at address")
print("\nshe would get:", change)
print("checked:", reasons.check(card))
