"""Binarised neural networks: read, folded to threshold units, compiled within a region."""
