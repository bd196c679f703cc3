"""A feature model in CNF, compiled and written in the dialect of d4.

Which cars can be built, why is one refused, and which buildable car is nearest?
"""

import tempfile
from pathlib import Path

import reasons

CAR = """c 1 engine
c 2 diesel
c 3 petrol
c 4 electric
c 5 tank
c 6 charger
p cnf 6 9
1 0
-1 2 3 4 0
-2 -3 0
-2 -4 0
-3 -4 0
-2 5 0
-3 5 0
-4 6 0
-5 -6 0
"""
folder = Path(tempfile.mkdtemp())
(folder / "car.cnf").write_text(CAR)
car = reasons.load(folder / "car.cnf", names="comments")
print(car.count(True), "cars can be built")
print("with a tank or not:", car.counts(True)["tank"])
print("the one with the fewest parts:", car.cheapest_instances(True).instance)

wish = car.decide("engine, diesel, ~petrol, electric, tank, charger")
print("\ndiesel and electric:", "can be built" if wish.label else "cannot be built")
for reason in wish.sufficient_reasons():
    print("  because", reason)
print("  nearest:", wish.counterfactual())

# Write d4's dialect of .nnf and read it back; circuits made by d4 are read the same way.
reasons.write(car, folder / "car.nnf", to="nnf-d4")
again = reasons.load(folder / "car.nnf", names=list(car.schema.names))
print("\nread back:", again.count(True), "cars, equal:", bool(again.equivalent(car)))

hybrid = car.entails("~diesel | ~electric")
print("diesel and electric never together:", bool(hybrid))
print("a tank always?", bool(car.entails("tank")), "-", car.entails("tank").witness)
