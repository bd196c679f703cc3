"""Additive models: the intermediate representation of sums of trees, and their discretisation."""
