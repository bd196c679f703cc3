"""Queries of one circuit: one decision, all instances, first reasons, files."""
