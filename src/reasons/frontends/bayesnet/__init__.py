"""Bayesian networks: read, cut down to what decides, and compiled to circuits."""
