"""Bayesian networks: read, pruned by d-separation, and compiled to circuits."""
