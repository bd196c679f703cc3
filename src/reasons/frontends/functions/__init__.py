"""Any function of few instances: evaluated in every cell, and stored as a graph."""
