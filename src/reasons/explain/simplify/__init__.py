"""Reasons as short formulas: factored, without redundant parts, equivalent on every instance."""

from reasons.explain.simplify.formulas import Constant, Gate, Literal, ReasonNode
from reasons.explain.simplify.writing import written

__all__ = ["Constant", "Gate", "Literal", "ReasonNode", "written"]
