"""Any function of few instances: evaluated in every cell, and kept as a graph."""
