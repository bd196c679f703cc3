"""Compiling formulas, beside OxiDD and CUDD used directly."""
