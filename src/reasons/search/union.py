"""The forms in which a classifier is held: a circuit, clauses, or trees that are searched.

Questions about one decision have the same names in all of them.
"""

from reasons.circuits.circuit import Circuit
from reasons.circuits.cnf import Clauses
from reasons.search.backend import Trees

Form = Circuit | Clauses | Trees
