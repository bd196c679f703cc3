"""Clauses: compiled beside d4, and explained without being compiled."""
