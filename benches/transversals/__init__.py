"""Minimal transversals of hypergraphs, beside Graphillion and python-sat's Hitman."""
