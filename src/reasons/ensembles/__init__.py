"""Sums of trees: what a front end reads from a library's model, and its form over cells."""
