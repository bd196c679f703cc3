"""The forms in which a classifier is held: a circuit, clauses, or trees that are searched.

Questions about one decision have the same names in all of them.
"""

from reasons.circuit import Circuit
from reasons.clauses import Clauses
from reasons.search.form import Trees

Form = Circuit | Clauses | Trees
