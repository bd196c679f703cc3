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
print("admitted even if ~G, because E, R:", susan.even_if_because("~G", "E, R"))

print("\nWould another hometown change her decision?", bool(susan.bias("R")))
print("Does her decision show that the college is biased?", susan.shows_classifier_bias("R"))
verdict = college.bias("R")
print("Is the college biased?", bool(verdict))
for applicant in verdict.witness:
    print("  ", applicant, "->", college.decide(applicant).label)

amount = college.bias_share(["R"])
print(f"{amount.count} of {amount.total} possible decisions would change if only the hometown did")
