"""The paper's applicants: a college admits by exam, first application, GPA, work and hometown.

Susan's decision is not biased, and still proves that the classifier is: Section 7 of the paper.
"""

import reasons

college = reasons.compile("E & (~F | G | W | R)")
susan = college.decide("E, F, G, ~W, R")

print("Susan is", "admitted" if susan.label else "refused")
print("complete reason:  ", susan.reason)
for reason in susan.sufficient_reasons():
    print("sufficient reason:", reason)
print("necessary:        ", susan.necessary_property)
print("even if ~G because E, R:", susan.even_if_because("~G", "E, R"))

print("\nIs she treated by her hometown?", bool(susan.bias("R")))
print("Does her decision show that others are?", susan.shows_classifier_bias("R"))
verdict = college.bias("R")
print("Is anybody?", bool(verdict))
for applicant in verdict.witness:
    print("  ", applicant, "->", college.decide(applicant).label)

amount = college.bias_share(["R"])
print(f"of {amount.total} applicants {amount.count} are")
