"""A Bayesian network decides whether to send a car to the workshop.

The battery is not observed, so it is summed out. Posteriors are compared with the threshold
exactly, so no decision depends on rounding.
"""

import tempfile
from pathlib import Path

import reasons

NETWORK = """network car { }
variable fault { type discrete [ 2 ] { yes, no }; }
variable battery { type discrete [ 3 ] { full, weak, empty }; }
variable starts { type discrete [ 2 ] { true, false }; }
variable light { type discrete [ 3 ] { bright, dim, off }; }
variable noise { type discrete [ 2 ] { true, false }; }
probability ( fault ) { table 0.1, 0.9; }
probability ( battery | fault ) { (yes) 0.2, 0.3, 0.5; (no) 0.85, 0.1, 0.05; }
probability ( starts | battery ) { (full) 0.99, 0.01; (weak) 0.6, 0.4; (empty) 0.01, 0.99; }
probability ( light | battery ) {
  (full) 0.9, 0.09, 0.01; (weak) 0.2, 0.7, 0.1; (empty) 0.01, 0.19, 0.8;
}
probability ( noise | fault ) { (yes) 0.4, 0.6; (no) 0.05, 0.95; }
"""

path = Path(tempfile.mkdtemp()) / "car.bif"
path.write_text(NETWORK)
clf = reasons.load(path, target="fault", threshold=0.3)

for seen in (
    {"starts": False, "light": "dim", "noise": False},
    {"starts": False, "light": "off", "noise": True},
    {"starts": True, "light": "bright", "noise": True},
):
    print("fault" if clf.decide(seen).label else "no fault", "-", clf.decide(seen).instance)
    for sentence in clf.decide(seen).statements(limit=3):
        print("  ", sentence)

print("\nevery combination that sends a car to the workshop, shortest first:")
for term in clf.prime_implicants(True):
    print("  ", term)
